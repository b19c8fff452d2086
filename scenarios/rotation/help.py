"""The help texts of the Rotation dashboard: what is shown, and which equation is behind it."""

PAPER = "Giannella, Liu and Kargupta, <i>On the privacy of Euclidean distance preserving data perturbation</i> (2009)"

DISTANCES = f"""
<p>Pairs of records, drawn at random: how far apart they are in the data, and how far in the release. An orthogonal
matrix turns everything at once and stretches nothing, so all dots lie on the line. That is what makes the release useful,
and what attackers use.</p>
<p class="source">{PAPER}, Sec. III.</p>
"""
ATTRIBUTES = """
<p>The share of all values of an attribute that the attacker recovers closely enough. The stroke is what the best constant
guess hits, without any release: only what reaches beyond it is given away by the release.</p>
<p>Closely enough means within a part of the attribute's standard deviation, so that attributes with large numbers do not count
for more than others.</p>
"""
TWENTY = """
<p>A dot is one value, each of another record, and always the same one. It is lit where the value is recovered: in the first row
by the best guess without any release, in the second by the attack that the headline speaks of. Where whole records are
judged, a dot is a record. Twenty drawn at random would often tell another story than the share of all, so the group is chosen
whose shares are nearest to those of all records in several settings.</p>
"""
RECORD = """
<p>One of the records that the attacker does not know: every value as it is, and as the attacker guesses it, in the data's own
units. The most exposed record is the one of which most values are recovered; the attacker can often tell which one it
is.</p>
"""
CLOSENESS = f"""
<p>The share of hits as guesses may be further off. The solid line is what theory expects of a guess that takes any rotation
which fits the links; the dot is the mean over rotations that were really drawn, with two standard errors. They agree if they
are within four standard errors of each other (the tolerance is shown); where that is wider than 5 %, or fewer than
30 records are judged, nothing can be told.</p>
<p>For single values: the guess of what is not known is uniform on a sphere, one coordinate of it has a beta distribution,
and a hit is a difference of two of its distribution functions.</p>
<p class="source">{PAPER}, Theorem 4.2 and Sec. IV-D; the form for single values goes beyond the paper.</p>
"""
CLOUDS = f"""
<p>Every record is a point. The owner turns all points together by a secret orthogonal matrix (and may shift them): y = M x + v.
Values change beyond recognition, distances between records do not change at all, so whatever depends on distances alone
comes out the same. The rows are shuffled as well; dots of one record have one colour here only because the owner knows
the secret.</p>
<p>Each square shows two of the attributes, stretched to fit; the distance that is compared is that over all attributes.</p>
<p class="source">{PAPER}, Sec. III.</p>
"""
FINDINGS = f"""
<p>The same algorithms run on the data and on the release. k-means starts from the same records on both sides. Distances
agree up to the rounding of computer arithmetic, about 1e-15; ties are treated as ties.</p>
<p class="source">{PAPER}, Sec. I and III.</p>
"""
VALUES = f"""
<p>What leaves the house. A released column is a mixture of all attributes: none of them can be read off.</p>
<p class="source">{PAPER}, Sec. III-B.</p>
"""
LINKS = f"""
<p>The insider looks for rows of the release with the lengths of the known records and with their distances from one another
(after a shift: distances only). A link is drawn where exactly one assignment fits: the largest <i>uniquely valid</i> set of
known records. Identical records stand for each other.</p>
<p>As printed, the paper's search (Algorithm IV-A.3) tries the records in every order and so counts one assignment many times
over: nothing would ever be unique. Here each step of the search fixes one record.</p>
<p class="source">{PAPER}, Sec. IV-A; with a shift, Appendix I-E.</p>
"""
EXPOSED = f"""
<p>For every record that is not known: which part of it is recovered, or how likely it is hit where whole records are judged.
The <b>uniform guess</b> picks any rotation that agrees with the links (Theorem 4.2). The <b>projection</b> does not guess what cannot be
known: it takes the nearest point of what is known, so its error is exactly the unknown part of the record. An insider
<b>with other people</b> also knows the records of the other half of the data: of each released row the links tell some coordinates
and the length of the rest exactly, and those of the others who have nearly the same tell what else is likely. It is the
posterior of the strongest attacker on Trust. Where it hits more, the released rows are turned back by the others' principal axes, or
until they lie where records of the others lie, as the competitor does with a sample; or the record of the other who is nearest is
guessed. Where a shift hides the origin and nobody is linked, all is measured from the mean.</p>
<p class="source">{PAPER}, Sec. IV-B to IV-D and IV-F; the projection and the insider with other people go beyond the paper.</p>
"""
SPHERE = f"""
<p>The links tell everything about directions that the known records span, and nothing about the others. So the attacker knows the
foot of each record (the small dot in the middle) and how far from it the record lies, but not where: somewhere on a sphere of that radius, in as many
dimensions as are left. A guess is a hit if its chord to the record is at most ε (how close a guess must come) times the record's length: the orange cap. (No chord is
longer than 2r: where more is allowed, every guess is a hit.)</p>
<p>The share of the cap is I<sub>z</sub>((m−1)/2, (m−1)/2) with z = (chord / 2r)², m the free dimensions and r the radius. The
dots are guesses drawn at random: in many dimensions nearly all lie at a right angle to the truth.</p>
<p class="source">{PAPER}, Eq. 4 and 5; the closed form as corrected.</p>
"""
GROWTH = f"""
<p>What is recovered of those who are not known, by the number of those who are. With as many independent records as there are
attributes the rotation is determined. Fewer are
the first of those that are known; more are these and others that are always the same.</p>
<p class="source">{PAPER}, Fig. 1 to 3.</p>
"""
PRINTED = f"""
<p>From three free dimensions on, the paper integrates the cap over its height instead of along its arc: sin<sup>m−1</sup> stands where
sin<sup>m−2</sup> belongs. The result is wrong, and jumps where the chord is √2 times the radius; there every cap is half of the
sphere, so 50 % is right. The dots are drawn rotations, with two standard errors: they decide.</p>
<p class="source">{PAPER}, Eq. 6, 7, 14, 17 and 20, and their correction.</p>
"""
AXES = f"""
<p>Turning the data turns their principal axes along with them. The competitor finds the axes of the sample and of the release and
matches them by size. Each axis can still point either way: the competitor takes the directions in which sample and release look most alike
(energy distance). An arrow is dashed where its direction is wrong.</p>
<p>The paper tries all 2<sup>n</sup> combinations and calls 16 attributes infeasible. Axis by axis, then refined by flips, it takes
well under a second. <b>Improved</b> also tries axes about the origin, since a large mean leaks into badly estimated axes.</p>
<p class="source">{PAPER}, Sec. V; polynomial search and improved axes go beyond the paper.</p>
"""
RECOVERED = f"""
<p>Each dot is a record: what one of its values was, and what the competitor recovered. Orange dots count as hits: this value
by itself, or the whole record where you judge whole records. The attribute is chosen under <i>More</i>.</p>
<p>A rotation keeps all distances. <b>Improved</b> therefore turns all released rows until they lie where records of the sample lie,
or guesses from records of the sample that are as long, too, and takes what hits more often, for each attribute by itself where values
count: axes that point the wrong way tell less.</p>
<p>A shift hides how long a record is, but not how far it is from the mean. With a shift the paper uses differences of pairs of records. These are symmetric whatever the data, so their signs are guesses;
<b>improved</b> subtracts the means instead.</p>
<p class="source">{PAPER}, Algorithm V-B.1 and Eq. 10; guesses by lengths and by laying rows over the sample (Myronenko and Song, <i>Point set
registration: coherent point drift</i>, 2010) go beyond the paper.</p>
"""
WHEN = f"""
<p>For each axis: its share of the whole in the sample and in the release, the ratio to the next axis, how far it is off the true one, how
sure the competitor can be of its direction, and whether it is right.</p>
<p>Two things hide an axis. Where an eigenvalue is close to the next one (ratio near 1), a sample mixes the two axes up. Where the data
look the same mirrored along an axis, nothing tells its direction. How sure one can be is how much worse the mirrored match is: less than one standard error is
all but <b>guessing</b>, up to two <b>fairly sure</b>, more is <b>sure</b>.</p>
<p>Sizes and ratios are those of the axes that are matched: of the covariance, or, where <b>improved</b> takes them about the
origin, of the second moments.</p>
<p>The paper's <i>minimum eigen-ratio</i> is read here as that of neighbours; its Inv(f), for normal data, is 4 min (z'μ)²/λ.</p>
<p class="source">{PAPER}, Sec. V-D, Eq. 8 and 9.</p>
"""
SIZES = f"""
<p>Samples of each size are cut from the half of the data that is not private, up to four that share no record; dots are means with
two standard errors (of a single sample none is known). The paper's
figures are at <b>Papers</b>.</p>
<p class="source">{PAPER}, Fig. 5 to 7.</p>
"""
REMEDY = f"""
<p>The paper proposes to release R x with random R instead: more columns, distances roughly kept. It argues that the covariance of what
is released is then a multiple of the identity, so that the principal axes show nothing. That is true over a <b>fresh</b> R for every record.
With the <b>one</b> R that is used the covariance is R Σ R', which shows the axes as before.</p>
<p>A fresh R for each record does hide them, and ruins the distances. What is left is the length of each record, and with many
columns hardly any noise is on that.</p>
<p>The competitor goes by axes, by lengths, and lays all released rows over those of the sample, as on the step before; also in
coordinates in which both have the same covariance, since there any matrix is a rotation.</p>
<p class="source">{PAPER}, Sec. VI, and why it does not hold.</p>
"""

MAP = """
<p>What the attacker of this step recovers, by how close a guess must come and by what the attacker has: known records, records
of a sample, or columns of the projection. It is never less than what a constant guess hits without any release.</p>
<p>Where a constant guess is as good as the attack, the map does not change upwards: there the release gives nothing away.
The insider's figures are expected values (drawn where there is no closed form); the competitor's are measured with one sample.</p>
<p>Click a place to go there. By keyboard: Tab to the map, arrow keys, Enter. CSV gives all figures.</p>
"""
