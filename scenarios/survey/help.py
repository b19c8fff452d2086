"""Help texts of the Survey dashboard's cards."""

ZHANG = "Zhang, Wang and Zhao (2005)"

ARRIVALS = f"""
<p>Every row is a respondent; the dot is their kind, then their number and how many directions they follow. Every square is
a question: the letter or number in it is the true answer, its colour what was sent of it.</p>
<p>A respondent turns their answers into bits, one for each possible answer, projects them onto the directions that they
follow, and sends each bit as 1 with the square of what is left of it as its chance. So a question may go out with its
true answer, with another one, with several, or with none.</p>
<p><small>{ZHANG}: Eq. 3, 7 and 8. Printed: the chance is the square. Corrected: the square may exceed 1, and is cut there.
People are drawn at random from the dataset, again and again.</small></p>
"""

GUIDANCE = f"""
<p>The miner keeps two tables of counts, one for each class, and no respondent's row. From their difference come directions:
combinations of answers that tell the classes apart. The strongest are sent to respondents as guidance, as many as are
stronger than a chosen share of the strongest. The bars show the most that a single answer of each question weighs, with a
line at what respondents accept.</p>
<p><small>{ZHANG}: Eq. 4 to 6. Printed: the largest eigenvalues with their sign. Corrected: the largest in magnitude; only
these approximate the difference best. The check on single answers is ours: the paper's, V'V = I, admits guidance that asks
for one answer outright. Accepted is a weight of √(k/n), an equal part for each of n answers, and never quite 1; an honest
miner cuts down what it has learnt until it passes.</small></p>
"""

LEVEL = f"""
<p>How many directions the miner asks for. With few answers everything looks important; as answers come in, chance averages
out. Respondents follow the first ones, up to what they accept.</p>
<p>The guidance is learnt from perturbed answers, in which bits are independent of each other beyond what the directions
carry: over a long survey it can come to favour single answers.</p>
<p><small>{ZHANG}: Eq. 6, Figure 5; the paper calls the number of directions the level.</small></p>
"""

TWENTY = """
<p>A dot is one person, and always the same one. It is lit where the answer that is watched is guessed right: in the first row
by whoever knows the class alone, in the second from what this person sends as well. They have the kinds of all respondents in
their shares, and the same luck whatever is asked for. The group is chosen whose shares are nearest to what is expected of
everybody.</p>
"""
ACCURACY = f"""
<p>How often naive Bayes, built on what was sent, finds the class of people in the dataset from their clear answers. They are
people who may have been asked as well, up to 2 000. The range says how much depends on who is tried, 19 times in 20; it
does not say how another survey of the same people would come out. Chances are normalised for each question, because a
question may be sent with no answer or several.</p>
<p>Dashed: what answers in the clear would give. Dotted: always naming the larger class. The <b>worst share in its tables</b>
is how far the share of people with any one answer, or any pair of answers, in one class less that in the other, is off
in what was sent. Randomisation adds Gaussian noise to
every answer's number, as much as gives away the same share to a miner who knows the same people, and corrects the
distributions class by class.</p>
<p><small>{ZHANG}: Figures 3 and 4; Definition 1. Theorem 5.1 promises an error of at most 2 μ σ₁/m, if everybody follows all
directions. It fails for a small μ, in signed order, and says nothing where it is above 1. Agrawal and Srikant (2000):
ByClass.</small></p>
"""

DISCLOSURE = f"""
<p>How much of what there is to know about a respondent's answers is sent: the mutual information of answers and what is
sent, over the entropy of the answers, measured by drawing what would be sent. It depends on what the miner is supposed to
know beforehand: here, how common every combination of answers is among up to 1 000 people of the dataset. The class is
sent as it is and not counted: part of the answers may be told from it alone.</p>
<p><small>{ZHANG}: Definition 2, for the guidance in force. Theorem 5.2 bounds it by the singular values of the answers; the
bound is false in general: for two questions that are always answered alike, guidance that asks for one gives away
everything, and the bound is 1/2.</small></p>
"""

TARGET = f"""
<p>What a miner can find out about one question: guessing the commonest answer, guessing by the class, which is sent as it
is, and then with what is sent as well: under honest guidance, guidance picked by hand that asks for it outright (nothing
but the extra check stops it), and guidance that is picked so as to pass the check. Who follows nothing is guessed by the
class, who refuses by nothing. The row in force is shaded.</p>
<p>With an honest miner, honest guidance is the one in force; with a malicious one it is what everybody's clear answers would
make it, because what is sent then teaches nothing else.</p>
<p>The check protects those who follow few directions. Who follows many gives most answers away, whatever is checked.</p>
<p><small>{ZHANG}: Section 5.2 lets the miner send any orthonormal guidance. What passes the check is the best of a large
family, found by searching: it sets the answers to the question against each other, and puts the rest of its weight where
everybody's answers add the same.</small></p>
"""

OWN = f"""
<p>Fill in the questionnaire and choose how many directions you would follow. <b>Sent</b> is one draw of what your browser
would send: nothing else leaves it but your class. The bar is what a miner then believes of your true answer, the line
what it believed beforehand, knowing how others answer and nothing of you.</p>
<p><small>{ZHANG}: Eq. 7 and 8; the belief is Bayes' rule, with the dataset's combinations of answers as what the miner
knows.</small></p>
"""

TRADEOFF = """
<p>Each point is a whole scenario. Along the line every kind of respondent accepts more directions, step by step: from
nothing at all to everything that is asked for. Upwards is what they keep to themselves, to the right how often the miner
finds the class. Beside it stands noise on every answer that gives away as much: the method is better where its line is
further to the right.</p>
<p>Each point is a survey that is really run, with as many respondents as have answered, 2 000 at the most; what was run once
is remembered.</p>
<p>Click a point to go there. By keyboard: Tab to the plot, arrow keys along a line and between lines, Enter.</p>
"""

MAP = """
<p>One figure over two parameters; everything else is as it stands. “1/3/9” are the most directions that each kind of
respondent follows, in the order of the controls: all kinds move alike.</p>
<p>Each place is a survey that is really run, so that neighbours differ by chance too.</p>
<p>Click a place to go there. By keyboard: Tab to the map, arrow keys, Enter. CSV gives all figures.</p>
"""
