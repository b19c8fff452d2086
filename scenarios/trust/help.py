"""The help texts of the Trust dashboard's cards: what is shown, why, and where it is proved."""

LI = "Li, Chen, Li, Zhang (2012)"

COPIES = f"""
<p>The grey area is the original. Each line is what one recipient holds: the original plus Gaussian noise, as much
of it as <i>s</i> times the data's own variance; its covariance is <i>s</i> times the data's own unless you change its
shape. The dashed line is the coalition's best guess: it is narrower than the
original, because a guess is drawn towards the average where the copies say little.</p>
<p>Under the nested scheme a recipient's copy equals a better one plus further noise, so it says nothing new to
whoever has the better one.</p>
<p><small>{LI}: Eq. 1 and 8; the shape of the noise, Sec. 3.1; the nested covariance, Eq. 15.</small></p>
"""

CLOSENESS = f"""
<p>How far the guesses are from the truth. A curve that rises faster means more people are guessed closely. The dotted
line marks your threshold for a breach.</p>
<p>One line for each attacker that you tick; all of them are compared further down. Three are linear. One knows the data's mean and covariance. One knows the levels and estimates the mean: it
loses almost nothing, because the covariance cancels. One estimates the covariance of all copies together from its
sample: with many copies and few people it misleads itself.</p>
<p><small>{LI}: Eq. 6 and 7; Sec. 6.2. Printed there: the second attacker's curve flattens. Corrected: that is the
third attacker's; the second stays close to perfect knowledge.</small></p>
"""

PERSON = f"""
<p>Every trust level is a point on one random path per person. The path starts at the true value (trust 100 %) and
wanders off as trust falls; each recipient reads it at their own trust.</p>
<p>The orange dot is what the coalition believes (the best linear guess of somebody who knows the statistics), with the range that holds the truth 9 times in 10 (exact if the
values are Gaussian). The guess leans towards the average of all, because the copy is noisy: the less a copy tells, the
more. So the belief may peak beside all copies. Below it are twenty other people, lit where they are caught. On a nested path, knowing a later point adds nothing to knowing an earlier one: what the
path does after it does not depend on where it came from.</p>
<p>Independent noise has no common path. Proportional noise has one smooth curve: two points on it give away where it
starts.</p>
<p><small>{LI}: Theorems 4 and 5; a new level between two old ones, Eq. 17 and 18 (a Brownian bridge).</small></p>
"""

TWENTY = """
<p>A dot is one person, and always the same one. It is lit where the guess is a hit: in the first row that of the best
recipient alone, in the second that of all together. They are real people with their real copies. Twenty drawn at random
would often tell another story than the share of everybody, so the group is chosen whose shares are nearest to those of a
larger sample at several trusts.</p>
"""

JOINING = f"""
<p>The recipient with the best copy starts; then the next best joins, and so on. The bar is the share of all records
whose value they would guess closely enough together. The line marks what could be guessed without any copy.</p>
<p>With independent noise every copy is a fresh look at the same value, and averaging wears the noise down. With nested
noise a worse copy is the better one with more noise on top: it tells nothing new.</p>
<p><small>{LI}: Theorem 3 (independent), Theorem 4 (nested). The shares are expected values for the best linear guess of
somebody who knows the mean and the covariance of the data.</small></p>
"""

COALITIONS = f"""
<p>How much of the data's variance every coalition can explain: 0 % means that they know nothing, 100 % that they know
everything. Under the nested
scheme a coalition is only as good as its best member, so bars repeat. Otherwise every member helps.</p>
<p>The shaded row, or the ring, is the coalition you ticked. These are exact figures: they need no rows.</p>
<p><small>{LI}: Theorem 3 (independent), Theorem 4 (nested), Sec. 4.2.2 (proportional). Printed: the error divided by
the trace of the covariance lies between 0 and 1. Corrected: it must be multiplied by the number of attributes, as
here.</small></p>
"""

UTILITY = f"""
<p>The table has what an analyst computes from a copy beside the true figure: means and totals are kept, spreads and
quantiles widen with the noise and must be corrected, correlations and slopes are kept as long as the noise has the data's own
shape.</p>
<p>Below it, on request: the accuracy of a decision tree and of a support vector machine that predict the
label, trained and tested on each copy by ten-fold cross-validation. Whiskers are one standard deviation over the
folds.</p>
<p>A copy's usefulness depends on its trust, not on the scheme: nested and independent copies are equally
distributed one by one.</p>
<p><small>{LI}: Sec. 6.2, Figure 4. Printed: the accuracies are identical. Corrected: equal in distribution.</small></p>
"""

HUANG = "Huang, Du, Chen (2005)"

CONTEST = f"""
<p>The same copies in the hands of different attackers. The normalised error is the mean square error as a share of what
guessing the mean would give, and the typical error of the headline is its square root; attributes in different units
are put on one scale first. <i>Expected</i> is theory: exact where the attacker knows the data's covariance, that of
normal data where it estimates.</p>
<p><b>Takes it as it is</b> (NDR): x̂ = y. <b>Each attribute alone</b> (UDR): the mean of x given y, from the density
of x that the copy lets it reconstruct. <b>Strong components</b> (PCA-DR): what lies along the p strongest directions
of Σ<sub>y</sub> − Σ<sub>r</sub>, cut at the largest gap. <b>Filters the spectrum</b> (SF): the directions whose
variance exceeds what white noise gives, σ²(1 + √(m/n))². <b>Bayes</b> (BE-DR):
x̂ = y − Σ<sub>r</sub> Σ<sub>y</sub><sup>−1</sup> (y − μ), every direction weighed by its share of noise.</p>
<p>Several copies become one first: the best one if they are nested (the others tell nothing more), the average of
least noise if they are independent.</p>
<p><small>{HUANG}: Eq. 4, 11, 13, Theorem 5.2. Printed: the Bayes estimate always beats the strong components.
Corrected: estimating the covariance of m attributes from n records costs it about σ² m/n, so with many attributes and
few records it may fall behind. Printed: cut at the largest gap. Corrected: where no component is small there is no
gap, and all are kept.</small></p>
"""

SPECTRUM = f"""
<p>Turn the data so that one axis follows their strongest variation, the next the strongest of what is left, and so on:
the components. Every dot is the variance of the combined copy along one of them. It is the sum of the data's (grey line)
and the noise's (dotted line).</p>
<p>White noise by itself would give variances inside the grey band. If the noise is white, what rises above must be data,
and the filter keeps that; if it is not, noise rises above too and is kept with it. The other attacker takes the noise
off first and keeps what comes before the largest gap. The two strips below show what each one keeps.</p>
<p>Drag <i>Shape of the noise</i>: at the data's own shape both lines run alike (from few rows they are estimated
badly), and no component is cleaner than another. At the opposite the noise lies where the data are not.</p>
<p><small>{HUANG}: Sec. 5 and 8, Experiment 4; the band, Marchenko and Pastur (1967). With more records the band shrinks,
and the filter keeps more components that are mostly noise.</small></p>
"""

TRADEOFF = """
<p>Each point is a whole scenario. Along a line all noise is scaled alike, so that the recipients keep their order: at the
left nearly nothing but noise, at the right hardly any. Upwards is what the coalition is left to guess, to the right what an
honest analyst gets from the copy that is trusted most. A scheme is better where its line is higher.</p>
<p>The coalition is judged by the best linear guess, from closed forms. Classifiers are trained on copies, at twelve levels
and on at most 1 500 rows; what was trained once is remembered.</p>
<p>Click a point to go there. By keyboard: Tab to the plot, arrow keys along a line and between lines, Enter.</p>
"""

MAP = """
<p>One figure over two parameters; everything else is as it stands. More recipients than there are join at the trusts of
those who are there, in turn; moving the trust scales the noise of everybody alike. Where the target speaks of the figure, the
line is its limit; otherwise the line stands where you put it.</p>
<p>All figures are closed forms. Hits are averaged over 64 values of the attribute that stand for all (128 records where the
noise has another shape), so that they may differ from the headline by about a point.</p>
<p>Click a place to go there. By keyboard: Tab to the map, arrow keys, Enter. CSV gives all figures.</p>
"""

EXPOSED = """<p>An average hides people. For each of some people drawn at random, and for more of those who stand out by
their value, copies were drawn again and again: the chart shows how often each one's value is guessed by the strongest
attacker. Who has a value that many have may be guessed without any copy, and is drawn in grey.</p>
<p>Whoever stands far from everybody, or has a value with nobody near, is recognised by any noise that leaves the copies
useful. What helps is to change the column before the noise is added: top- and bottom-coding, a logarithm, rounding,
categories, or leaving it out (under Data).</p>
<p>To be found again is another risk: somebody who has all records and not whose they are takes the one that is nearest
to the copy. The crowd of a person are the records that fit the copy at least as well as their own.</p>"""

DIFFERENTIAL = """
<p>Differential privacy asks how well two possible truths can be told apart by whoever sees what is released. Here the
two are two values of one person (or two whole rows), and whoever tells them apart knows all the rest and how the copies
were made.</p>
<p>Left: ε, as one recipient after the other joins. e<sup>ε</sup> bounds how many times likelier a copy can be under one
truth than under the other, but for a share δ of cases. Separate noise adds up: every copy costs privacy. Nested copies
are made from the best one without another look at the data, so all of them together cost what the best one costs.</p>
<p>Right: the best test for the one value against the other. A false alarm says it where the other is true, a miss does
not say it where it is true. A test that guesses lies on the dotted line; the closer to the corner, the less is
hidden.</p>
<p>For two values a coalition's copies are exactly a Gaussian mechanism with μ = |K<sup>−1/2</sup>(x − x′)| / √s, s the
noise level of all of them as one: ε, ρ and the curve follow from μ.</p>
<p><small>Dong, Roth, Su (2022), “Gaussian differential privacy”; Balle, Wang (2018) for ε and δ; Bun, Steinke (2016) for
ρ.</small></p>
"""
