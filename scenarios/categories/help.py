"""The help texts of the Categories page's cards: what is shown, why, and where it is proved."""

XIAO = "Xiao, Tao, Chen (2009)"

PERSON = f"""
<p>Each recipient was given a value of this person: the true one, or one drawn at random (the coloured letters). The
thick bar is how far all who pool believe each value, the thin grey one how far the best of them would alone, and the
dashed stroke what was believed without any copy.</p>
<p>Independent copies that agree are hardly ever wrong together, so agreement gives the truth away. Copies on one path
agree because they are one copy, replaced ever more: whoever reads the path later adds nothing.</p>
<p>The <b>path</b> starts at the true value (trust 100 %). On the way down the value is redrawn now and then (the small
rings): between trust <i>p</i> and a lower <i>p'</i> it stays with probability <i>p'/p</i>.</p>
<p><small>{XIAO}: the path, Eq. 9 and 10 (Lemma 1); useless collusion, Eq. 2 and Theorem 1; a level between two old
ones, Eq. 3, 4 and 20: in Example 2 a copy at 80 % between the truth and a copy at 40 % that agree takes the value above
with probability 0.8 and the one below with 0.178. Printed in Eq. 7, third case: (1 − p<sub>a</sub>)/s. Corrected:
(1 − p<sub>a</sub>/p<sub>b</sub>)/s, or the row does not sum to 1 (s is the number of values).</small></p>
"""

TWENTY = """
<p>A dot is one person, and always the same one. It is lit where the best guess of their value is right: in the first row
that of the best recipient alone, in the second that of all together. They are real people with their real copies. Twenty
drawn at random would often tell another story than the share of everybody, so the group is chosen whose shares are
nearest to those of a larger sample at several trusts.</p>
"""

JOINING = f"""
<p>The recipient with the best copy starts; then the next best joins, and so on. The bar is the share of people whose
best guess is right, or, where copies make nobody guess another value but say which guesses to trust, the mean belief in
the true value. The dashed line marks what is possible without any copy: naming the most frequent value.</p>
<p>Figures are exact up to ten independent copies where the attacker knows nothing beforehand, and as far as all
combinations of values can be listed where the attacker knows the statistics. Beyond, records are drawn, and the error
of the draws is stated: it is right 19 times in 20.</p>
<p><small>{XIAO}: Theorem 1 (nested); Eq. 25 in Appendix 2 (independent).</small></p>
"""

EVERYONE = f"""
<p>Each value is kept with probability <i>p</i>, the trust; otherwise a value is drawn from all possible ones, the true
one included. So a copy is the original mixed with an even spread: what is rare looks more frequent, what is frequent
rarer.</p>
<p>The analyst knows <i>p</i> and can undo the mixing on average: take away (1 − <i>p</i>)/<i>s</i>, where <i>s</i> is the
number of values, and divide by <i>p</i>. The dot is that estimate, the line through it the range that holds the true
share 19 times in 20. Of few rows, or at little trust, chance can take the estimate below 0 or above 100 %; the dot stays
there.</p>
<p><small>{XIAO}: Eq. 1 and Figure 2; Example 1: at trust 20 % of ten values a copy holds the truth for 28 %. Each copy,
nested or not, is uniform perturbation at its own <i>p</i>: Theorem 2.</small></p>
"""

COALITIONS = f"""
<p>The number of the headline for every coalition. With nested copies a coalition is only as good as its best member, so
bars repeat. With independent ones every member helps.</p>
<p>The shaded row is the coalition you ticked, the dashed line what is possible without any copy.</p>
<p><small>{XIAO}: Theorem 1 (nested); Eq. 25 in Appendix 2 (independent).</small></p>
"""

EVIDENCE = f"""
<p>What the formulas expect, beside what was counted on the copies that were made. <b>Right guesses</b>: the share of
people whose likeliest value is the true one. <b>Belief in the truth</b>: the probability that is given to the true value,
on average over all people.</p>
<p>✓: no further off than chance explains; the number after it is how far that is. ✗: further off. ~: too few rows to
tell.</p>
<p><small>{XIAO}: the reconstruction probability, Eq. 25 in Appendix 2.</small></p>
"""

PROMISES = f"""
<p>A belief of 20 % has the odds 1 to 4. <b>γ</b> (gamma) = 1 + <i>s p</i>/(1 − <i>p</i>) is how many times the odds of any
belief about a person can grow; <i>p</i> is the trust, <i>s</i> the number of values. Everything else follows from it,
whatever was believed before.</p>
<p><b>ρ<sub>1</sub> to ρ<sub>2</sub></b> (rho): what was believed less than ρ<sub>1</sub> is never believed more than
ρ<sub>2</sub>. <b>δ</b> (delta): no belief grows by more than δ. Each promise has three marks: for one copy, for those who
pool now, and for the worst coalition there can be. <b>Give all</b> sets everybody to the largest whole per cent at which
the promise holds whoever pools.</p>
<p>Nested copies keep the promise of the best of them against any coalition. Independent copies multiply their γ, so the
worst coalition is everybody.</p>
<p><small>{XIAO}: ρ<sub>1</sub>-ρ<sub>2</sub> privacy and δ-growth, Sec. 3; against coalitions, Theorem 1. γ is that of
Evfimievski, Gehrke, Srikant (2003).</small></p>
"""

USEFULNESS = f"""
<p>What an honest analyst still gets: how many have the value, among those who meet a condition on another column. Other
columns are released as they are, so who meets the condition is known.</p>
<p>The dot is the estimate from each recipient's copy, the line its range that holds the true count 19 times in 20,
the grey bar the true count. The error grows like 1/<i>p</i>, where <i>p</i> is the trust, and depends on nothing else:
nested and independent copies are equally useful.</p>
<p><small>{XIAO}: Eq. 1; counting on perturbed data, Sec. 1.2 and the works cited there.</small></p>
"""

FURTHER = f"""
<p>How strongly the coalition believes the true value, on average over all people: first nobody (what was believed
without any copy), then the members, the best copy first. Lines are expected, dots are measured.</p>
<p>The dashed part imagines further recipients at the same levels, one after the other: independent copies race to
certainty, nested ones stay where the best member is.</p>
<p><small>{XIAO}: Figure 7; the reconstruction probability, Eq. 25 in Appendix 2.</small></p>
"""

MEMORY = f"""
<p>What the owner must keep so that any later copy fits those already given out. The path keeps the redraws between the
highest and the lowest trust asked for. The paper's history list keeps the copies' values where they change. With few
copies it takes less to keep the copies themselves; but neither the path nor the list grows with their number.</p>
<p><small>{XIAO}: Sec. 6, Lemma 2; the bound 1 + ln(p<sub>max</sub>/p<sub>min</sub>), Sec. 7, where p<sub>max</sub> and
p<sub>min</sub> are the highest and the lowest trust. Printed: after inserting a value into the list, delete the next one
if it is equal. Corrected: that changes older copies; the value that was implied at the next level must be written down
first.</small></p>
"""

TRADEOFF = """
<p>Each point is a whole scenario. Along a line the odds of keeping a value are scaled alike for everybody, so that the
recipients keep their order. Upwards is what the coalition does not find out, to the right what an honest analyst gets from
the copy that keeps most. A scheme is better where its line is higher.</p>
<p>What is guaranteed follows from how many times odds can grow, whatever is believed beforehand. Guesses and beliefs are
averages over these data: of independent copies they are listed where that is possible, and else drawn.</p>
<p>Click a point to go there. By keyboard: Tab to the plot, arrow keys along a line and between lines, Enter.</p>
"""

MAP = """
<p>One figure over two parameters; everything else is as it stands. More recipients than there are join at the levels of
those who are there, in turn; moving what the best keeps scales everybody's odds of keeping a value alike.</p>
<p>What can happen at worst is a closed form; guesses and beliefs come trust by trust.</p>
<p>Click a place to go there. By keyboard: Tab to the map, arrow keys, Enter. CSV gives all figures.</p>
"""

DIFFERENTIAL = """
<p>Differential privacy asks how well two possible truths can be told apart by whoever sees what is released: here any
two values of the sensitive column, by somebody who knows all the rest and how the copies were made.</p>
<p>Left: ε, as one recipient after the other joins. e<sup>ε</sup> bounds how many times likelier the copies can be under
one value than under another; with a δ above nothing, but for so small a share of cases. Copies that are drawn on their
own add up. Nested copies are made from the best one without another look at the data, so all of them together cost what
the best one costs.</p>
<p>Right: the best test for one value against another. A false alarm says it where the other is true, a miss does not
say it where it is true. A test that guesses lies on the dotted line.</p>
<p><small>Xiao, Tao, Chen (2009): γ = 1 + m p / (1 − p), and ε = ln γ; collusion of nested copies, Sec. 4.</small></p>
"""

EXPOSED = """
<p>How likely each person's value is guessed, over all that the copies might have shown. The average hides that some people
are guessed by what is known of them alone (grey), and that of the others (orange) some are given away far more often.</p>
<p>Who guesses is set under <b>The attacker</b>: somebody who knows how frequent each value is, who knows other columns of
everybody (they are released as they are), or who has everybody's records but not their names. No guess from the same
knowledge and the same copies is right more often than the one that is judged here: it weighs the records that are known by
Bayes' rule, learns from them which columns matter, and keeps what does better on people it did not learn from.</p>
<p>Below are the most exposed people of those who are not guessed anyway; <i>at worst</i> is what would be believed of their
value if all copies showed it.</p>
"""
