"""The help texts of the Categories dashboard's cards: what is shown, why, and where it is proved."""

XIAO = "Xiao, Tao, Chen (2009)"

SHARES = f"""
<p>Each value is kept with probability <i>p</i>; otherwise a value is drawn from the whole domain, the true one
included. So a copy is the original mixed with an even spread: what is rare looks commoner, what is common rarer.</p>
<p>The analyst knows <i>p</i> and can undo the mixing on average: take away (1 − <i>p</i>)/<i>s</i> and divide by
<i>p</i>. The dot is that estimate, the line through it the range that holds the true share 19 times in 20.</p>
<p><small>{XIAO}: Eq. 1 and Figure 2. Each copy, nested or not, is uniform perturbation at its own <i>p</i>: Theorem
2.</small></p>
"""

PERSON = f"""
<p>Every retention probability is a point on one path per person. The path starts at the true value (100 %); on the
way down the value is redrawn from the domain now and then (the small rings), at unit rate in ln(1/<i>p</i>). Each
recipient reads the path at their own <i>p</i>.</p>
<p>The orange bars are what the coalition believes. On a nested path whoever reads later adds nothing: what the path
does after a point does not depend on where it came from. Independent copies have no common path, and each one that
says the same makes it likelier to be true.</p>
<p><small>{XIAO}: the path, Eq. 9 and 10 (Lemma 1); useless collusion, Eq. 2 and Theorem 1; a level between two old
ones, Eq. 3, 4 and 20. Printed in Eq. 7, third case: (1 − p<sub>a</sub>)/s. Corrected: (1 −
p<sub>a</sub>/p<sub>b</sub>)/s, or the row does not sum to 1.</small></p>
"""

RACE = f"""
<p>The probability that the coalition gives to the true value, on average over all people: first nobody (what was
known beforehand), then the members as they stand in the list. Lines are theory, dots are measured.</p>
<p>The dashed part imagines further recipients at the same levels, one after the other: independent copies race to
certainty, nested ones stay where the best member is.</p>
<p><small>{XIAO}: Figure 7; the reconstruction probability, Eq. 25 in Appendix 2.</small></p>
"""

COALITIONS = f"""
<p>The expected reconstruction probability of every coalition: 1 means that they find every value. Under the nested
scheme a coalition is only as good as its best member, so bars repeat. Otherwise every member helps.</p>
<p>The shaded row, or the ring, is the coalition you ticked. The figures are exact, or means of simulated records
where there are too many combinations to add up (more than 4 recipients, or a large domain).</p>
<p><small>{XIAO}: Theorem 1 (nested); Eq. 25 in Appendix 2 (independent).</small></p>
"""

GUARANTEES = f"""
<p><b>γ</b> = 1 + <i>s p</i>/(1 − <i>p</i>): how much likelier a value is to be released as itself than another value
is to be released as it. Everything else follows from it, for every statement about a person and whatever was
believed before.</p>
<p><b>ρ<sub>1</sub> to ρ<sub>2</sub></b>: what was believed less than ρ<sub>1</sub> is never believed more than
ρ<sub>2</sub>. <b>δ</b>: no belief grows by δ or more. The sliders set a promise; beside it stands the largest
<i>p</i> that keeps it.</p>
<p>The curve is the worst that can happen to a belief. Nested copies keep the promise of the best member against any
coalition; independent ones multiply their γ.</p>
<p><small>{XIAO}: ρ<sub>1</sub>-ρ<sub>2</sub> privacy and δ-growth, Sec. 3; against coalitions, Theorem 1. γ is that of
Evfimievski, Gehrke, Srikant (2003).</small></p>
"""

COUNT = f"""
<p>What an honest analyst still gets: how many people have the value, among those who meet a condition on another
column. Other columns are released as they are, so who meets the condition is known.</p>
<p>The dot is the estimate from each recipient's copy, the line its range that holds the true count 19 times in 20,
the grey bar the true count. The error grows like 1/<i>p</i>, and depends on <i>p</i> alone: nested and independent
copies are equally useful.</p>
<p><small>{XIAO}: Eq. 1; counting on perturbed data, Sec. 1.2 and the works cited there.</small></p>
"""

MEMORY = f"""
<p>What the owner must keep so that any later copy fits those already given out. The path keeps the redraws between
the highest and the lowest <i>p</i> asked for. The paper's history list keeps the copies' values where they change.
Neither grows with the number of copies.</p>
<p><small>{XIAO}: Sec. 6, Lemma 2; the bound 1 + ln(p<sub>max</sub>/p<sub>min</sub>), Sec. 7. Printed: after inserting
a value into the list, delete the next one if it is equal. Corrected: that changes older copies; the value that was
implied at the next level must be written down first.</small></p>
"""
