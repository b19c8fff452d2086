"""The help that the bar opens."""

HELP = """
<h2>What am I looking at?</h2>
<p>A data owner gives <b>copies</b> of one dataset to several <b>recipients</b>. Each copy has noise added: little
for those who are trusted, much for those who are not. The recipients may <b>collude</b>: put their copies
together and guess the original values better than any of them was meant to.</p>
<p>Here you can watch that happen, and watch it being prevented.</p>
<h3>Try this</h3>
<ul>
<li>Alice and Bob collude. Under <b>nested</b> noise their joint error is Alice's, 0.500. Switch to
<b>independent</b> noise: it falls to 0.444. Switch to <b>proportional</b>: it falls to 0.</li>
<li>Drag Alice's trust and follow her dot in <b>One person</b>: it slides along a path that never moves.</li>
<li>Add recipients and look at <b>Every coalition</b>.</li>
<li>Tick the attackers on one combined copy, then drag the <b>shape of the noise</b> away from the data's own: watch in
<b>Attacker by attacker</b> who gains, and in <b>What stands out of the noise</b> why. With the Gaussian set you can play
Huang's experiments.</li>
</ul>
<h3>Categories</h3>
<p>The second page is about values that are kept or replaced: each recipient's copy keeps a value with probability
<b>p</b> and otherwise draws one from all possible values.</p>
<ul>
<li>A patient has HIV; Alice keeps 40 %, Bob 20 %, and both got "HIV". Alice alone believes it to 46 %. From
<b>independent</b> copies the two would believe it to 75 %; from <b>nested</b> ones they learn nothing more.</li>
<li>Under <b>What is guaranteed</b> set a promise, and give a recipient the largest p that keeps it.</li>
</ul>
<h3>Papers</h3>
<p>The last page has every figure and table of the five papers. Open one to see what the paper says, what comes out
here and whether the two agree; change its settings and <b>run it</b> yourself. What is misprinted is shown as well.</p>
<h3>Rotation</h3>
<p>Here all records are turned together by one secret rotation. Distances stay, so an analyst finds exactly the same clusters; values
are gone. It has no levels of trust: it holds, or it is undone.</p>
<ul>
<li>Four known letters are found among 10 000 by their distances alone, and make another one certain. Drag <b>Records that she knows</b>
up to 16: everybody is recovered. Click dots at the left to choose whom she knows.</li>
<li>Turn to <b>someone has a sample</b>: she knows nobody in the data, only strangers like them, and matches the principal axes.</li>
<li>Turn to <b>the remedy</b> and drag the number of columns: the better distances are kept, the more is given away.</li>
<li>Under <b>Printed and corrected</b> drawn rotations decide which formula for the breach probability is right.</li>
</ul>
<h3>Survey</h3>
<p>Respondents answer a questionnaire; a <b>miner</b> learns to tell two classes apart from what they send. It sends
<b>guidance</b>: the few combinations of answers (<b>directions</b>) that matter. Each respondent follows as many as they
accept, and sends answers that are partly true, partly false, partly missing.</p>
<ul>
<li>Press <b>Play</b>: the level falls, the classifier gets better, and each kind of respondent gives away what it accepts.</li>
<li>Let the miner <b>ask outright</b> for one question; then have respondents make the <b>extra check</b>.</li>
<li>Put <b>randomisation</b> beside it: noise that gives away as much.</li>
<li>Fill in <b>your own answers</b>, and see what a miner would believe of you.</li>
</ul>
<h3>Release</h3>
<p>Here copies are made for real, one request after the other, for years. A <b>ledger</b> records who holds what; its key
makes every copy again to the last byte, and keeps all copies <b>nested</b>: pooled, they tell no more than the best one.</p>
<ul>
<li>Name a recipient and drag the trust: you see what all holders would know together <i>before</i> anything is made, and
what the rules of the ledger say.</li>
<li>Press <b>Make the copy</b>. Under <b>Look closer</b> you find its file, the history, a check of everything, and a report.</li>
<li>Without a ledger of your own it is a <b>rehearsal</b> on built-in data, which is deleted when you leave.</li>
<li>On the page Trust, <b>More</b>, press <b>Make these copies</b> to bring your recipients here.</li>
</ul>
<h3>Words</h3>
<ul>
<li><b>Trust</b> is the share of the variance that a recipient's best linear guess explains. 100 % is the original.
<b>s</b>, beside it, is the noise as a multiple of the data's own variance: trust = 1 / (1 + s).</li>
<li><b>Error</b> runs from 0 (knows everything) to 1 (no better than guessing the average).</li>
<li>A figure with <b>✓</b> was measured and agrees with theory within sampling error; <b>✗</b> does not.</li>
<li>The <b>seed</b> is the secret key of the noise: the same seed gives the same copies.</li>
</ul>
<h3>Keyboard</h3>
<p><kbd>Tab</kbd> moves between controls, <kbd>←</kbd> <kbd>→</kbd> move a slider, <kbd>Space</kbd> ticks,
<kbd>Esc</kbd> closes this.</p>
<h3>Where it comes from</h3>
<p>Li, Chen, Li and Zhang, <i>Enabling multilevel trust in privacy preserving data mining</i> (2012). Xiao,
Tao and Chen, <i>Optimal random perturbation at multiple privacy levels</i> (2009). Huang, Du and Chen, <i>Deriving
private information from randomized data</i> (2005). Zhang, Wang and Zhao, <i>A new scheme on privacy-preserving data
classification</i> (2005). Giannella, Liu and Kargupta, <i>On the privacy of Euclidean distance preserving data
perturbation</i> (2009). Each <b>?</b> on a card names the equation behind it.</p>
"""
