"""The help texts of the Rotation dashboard: what is shown, and which equation is behind it."""

PAPER = "Giannella, Liu and Kargupta, <i>On the privacy of Euclidean distance preserving data perturbation</i> (2009)"

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
<p>The attacker looks for rows of the release with the lengths of her records and with their distances from one another
(after a shift: distances only). A link is drawn where exactly one assignment fits: the largest <i>uniquely valid</i> set of
her records. Identical records stand for each other.</p>
<p>As printed, the paper's search (Algorithm IV-A.3) tries the records in every order and so counts one assignment many times
over: nothing would ever be unique. Here each step of the search fixes one record.</p>
<p class="source">{PAPER}, Sec. IV-A; with a shift, Appendix I-E.</p>
"""
EXPOSED = f"""
<p>For every record that is not known: how likely the attacker's guess is a breach. The <b>uniform guess</b> picks any rotation
that agrees with the links (Theorem 4.2). The <b>projection</b> does not guess what cannot be known: it takes the nearest point
of what is known, so its error is exactly the unknown part of the record, and a breach is certain or impossible.</p>
<p>The tick compares the closed form with rotations that were really drawn.</p>
<p class="source">{PAPER}, Sec. IV-B to IV-D and IV-F; the projection goes beyond the paper.</p>
"""
SPHERE = f"""
<p>The links tell everything about directions that the known records span, and nothing about the others. So the attacker knows the
foot of each record (green) and how far from it the record lies, but not where: somewhere on a sphere of that radius, in as many
dimensions as are left. A guess is a breach if its chord to the record is at most ε times the record's length: the orange cap. (No chord is
longer than 2r: where more is allowed, every guess is a breach.)</p>
<p>The share of the cap is I<sub>z</sub>((m−1)/2, (m−1)/2) with z = (chord / 2r)², m the free dimensions and r the radius. The
dots are guesses drawn at random: in many dimensions nearly all lie at a right angle to the truth.</p>
<p class="source">{PAPER}, Eq. 4 and 5; the closed form as corrected.</p>
"""
GROWTH = f"""
<p>Two ways to look at the same probability: as the attacker knows more records, and as a breach means less or more. Fewer are
the first of those that she knows; more are hers and others that are always the same. The highest
line is that of the record which is easiest to guess, the paper's ρ(ε): the attacker can tell which one it is.</p>
<p class="source">{PAPER}, Fig. 1 to 3.</p>
"""
PRINTED = f"""
<p>From three free dimensions on, the paper integrates the cap over its height instead of along its arc: sin<sup>m−1</sup> stands where
sin<sup>m−2</sup> belongs. The result is wrong, and jumps where the chord is √2 times the radius; there every cap is half of the
sphere, so 50 % is right. The dots are drawn rotations, with two standard errors: they decide.</p>
<p class="source">{PAPER}, Eq. 6, 7, 14, 17 and 20, and their correction.</p>
"""
AXES = f"""
<p>Turning the data turns their principal axes along with them. The attacker finds the axes of her sample and of the release and
matches them by size. Each axis can still point either way: she takes the directions in which sample and release look most alike
(energy distance). An arrow is dashed where she got its direction wrong.</p>
<p>The paper tries all 2<sup>n</sup> combinations and calls 16 attributes infeasible. Axis by axis, then refined by flips, it takes
well under a second. <b>Improved</b> also tries axes about the origin, since a large mean leaks into badly estimated axes.</p>
<p class="source">{PAPER}, Sec. V; polynomial search and improved axes go beyond the paper.</p>
"""
RECOVERED = f"""
<p>Each dot is a record: what it was, and what the attacker recovered. Orange dots count as breached (over all attributes).</p>
<p>With a shift the paper uses differences of pairs of records. These are symmetric whatever the data, so their signs are guesses;
<b>improved</b> subtracts the means instead.</p>
<p class="source">{PAPER}, Algorithm V-B.1 and Eq. 10.</p>
"""
WHEN = f"""
<p>For each axis: its share of the whole in her sample and in the release, the ratio to the next axis, how far it is off the true one, how
sure of its direction she can be, and whether she got it right.</p>
<p>Two things hide an axis. Where an eigenvalue is close to the next one (ratio near 1), a sample mixes the two axes up. Where the data
look the same mirrored along an axis, nothing tells its direction. How sure she can be is how much worse the mirrored match is: less than one standard error is
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
<p>A fresh R for each record does hide them, and ruins the distances: what was released is noise.</p>
<p class="source">{PAPER}, Sec. VI, and why it does not hold.</p>
"""
