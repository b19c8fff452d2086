"""The help texts of the Trust dashboard's cards: what is shown, why, and where it is proved."""

LI = "Li, Chen, Li, Zhang (2012)"

COPIES = f"""
<p>The grey area is the original. Each line is what one recipient holds: the original plus Gaussian noise whose
covariance is <i>s</i> times the data's own. The dashed line is the coalition's best guess: it is narrower than the
original, because a guess is drawn towards the average where the copies say little.</p>
<p>Under the nested scheme a recipient's copy equals a better one plus further noise, so it says nothing new to
whoever has the better one.</p>
<p><small>{LI}: Eq. 1 and 8; the shape of the noise, Sec. 3.1; the nested covariance, Eq. 15.</small></p>
"""

CLOSENESS = f"""
<p>How far the guesses are from the truth. A curve that rises faster means more people are guessed closely. The dotted
line marks your threshold for a breach.</p>
<p>Three linear attackers. One knows the data's mean and covariance. One knows the levels and estimates the mean: it
loses almost nothing, because the covariance cancels. One estimates the covariance of all copies together from its
sample: with many copies and few people it misleads itself.</p>
<p><small>{LI}: Eq. 6 and 7; Sec. 6.2. Printed there: the second attacker's curve flattens. Corrected: that is the
third attacker's; the second stays close to perfect knowledge.</small></p>
"""

PERSON = f"""
<p>Every trust level is a point on one random path per person. The path starts at the true value (trust 100 %) and
wanders off as trust falls; each recipient reads it at their own trust.</p>
<p>The orange dot is what the coalition believes, with the range that holds the truth 9 times in 10 (exact if the
values are Gaussian). On a nested path, knowing a later point adds nothing to knowing an earlier one: what the
path does after it does not depend on where it came from.</p>
<p>Independent noise has no common path. Proportional noise has one smooth curve: two points on it give away where it
starts.</p>
<p><small>{LI}: Theorems 4 and 5; a new level between two old ones, Eq. 17 and 18 (a Brownian bridge).</small></p>
"""

COALITIONS = f"""
<p>The expected error of every coalition: 0 means that they know everything, 1 that they know nothing. Under the nested
scheme a coalition is only as good as its best member, so bars repeat. Otherwise every member helps.</p>
<p>The shaded row, or the ring, is the coalition you ticked. These are exact figures: they need no rows.</p>
<p><small>{LI}: Theorem 3 (independent), Theorem 4 (nested), Sec. 4.2.2 (proportional). Printed: the error divided by
the trace of the covariance lies between 0 and 1. Corrected: it must be multiplied by the number of attributes, as
here.</small></p>
"""

UTILITY = f"""
<p>What an honest analyst still gets: the accuracy of a decision tree and of a support vector machine that predict the
label, trained and tested on each copy by ten-fold cross-validation. Whiskers are one standard deviation over the
folds.</p>
<p>A copy's usefulness depends on its trust, not on the scheme: nested and independent copies are equally
distributed one by one.</p>
<p><small>{LI}: Sec. 6.2, Figure 4. Printed: the accuracies are identical. Corrected: equal in distribution.</small></p>
"""
