"""The help that the bar opens: what this is, each page, the words, the keys. It opens at the present page."""

HELP = """
<h2>Trustscope</h2>
<p>A data owner gives several people copies of one dataset. Each copy has noise added: little for those who are trusted, much
for those who are not. The recipients may <b>pool</b> their copies and guess the original values better than any of them was
meant to. Here you can watch that happen, and watch it being prevented.</p>
<p>Every page says one thing in its headline, with one number as <i>before → after</i>: orange where an attacker gains, blue-green
where nothing is gained; <b>Why?</b> says what that follows from. Two pictures show it; everything else is under <b>Look closer</b>. The <b>?</b> on a card explains it
and names the equation behind it.</p>

<h3 data-page="Learn">Learn</h3>
<p>Short lessons: say what you expect, then see. <b>Free play</b> opens the whole page at any step and brings you back; the browser
remembers how far you came. Every lesson ends with your predictions beside the truth, and can be printed as a <b>Worksheet</b>. <b>Write
a lesson</b> makes one of your own: under <b>Share</b>, any page becomes a step of it. Words with a dotted line are explained when you point at them or reach them with <kbd>Tab</kbd>.</p>
<h3 data-page="Trust">Trust</h3>
<ul>
<li>Six recipients pool copies with <b>independent</b> noise, and learn more together than any of them was meant to. Switch the noise
to <b>nested</b>: the gain is gone. Switch to <b>proportional</b>: everything is given away.</li>
<li>Drag a recipient's trust, or type it; untick who does not pool. Follow one person: <b>belief</b> shows what can be believed,
<b>path</b> the random path that every copy is a point of.</li>
<li>Under <b>The attacker</b> tick others than the one who knows the statistics: the headline is about the most successful one.
Under <b>More</b>, change the shape of the noise, and watch the copies being made.</li>
<li>Under <b>Target</b>, say what must hold: the page answers with the highest trusts that keep it, scheme by scheme, or says what
contradicts what. The band under a slider is blue-green where the target is kept and orange where it is broken.</li>
</ul>
<h3 data-page="Categories">Categories</h3>
<p>For answers instead of numbers: each recipient's copy keeps a value with a certain probability and otherwise draws one from all
possible values.</p>
<ul>
<li>See what a patient's diagnosis is believed to be, alone and together, and how nested copies stop the gain.</li>
<li>Set a promise, and give every recipient the largest probability that keeps it for every coalition.</li>
<li>Under <b>Target</b>, solve for promises, for the share of right guesses and for exact shares at once, to a tenth of a per cent.
Where independent copies must be listed, the bands under the sliders come when a slider is let go.</li>
</ul>
<h3 data-page="Rotation">Rotation</h3>
<p>All records are turned together by one secret rotation. Distances stay, so an analyst finds the same clusters; values are gone.
It has no levels of trust: it holds, or it is undone.</p>
<ul>
<li>Go through its steps: what is kept, an attacker who knows a few records, one who has a sample of strangers, and the remedy
that was proposed.</li>
<li>Under <b>Target</b>, ask how many records may be known, how large a sample may be, or how much noise must be added.</li>
</ul>
<h3 data-page="Survey">Survey</h3>
<p>Respondents answer a questionnaire; a <b>miner</b> learns to tell two classes apart from what they send. It sends
<b>guidance</b>: the few combinations of answers (<b>directions</b>) that matter. Each respondent follows as many as they accept.</p>
<ul>
<li>Press <b>Play</b>: the classifier gets better, and the headline says how often one answer is guessed from what was sent.</li>
<li>Let the miner <b>ask outright</b> for that answer; then have respondents make the <b>extra check</b>.</li>
<li>Fill in <b>your own answers</b>, and see what a miner would believe of you.</li>
<li>Under <b>Target</b>, bound what may be given away and how well the classifier must do. It is solved with at most 2 000
people, when the target or a setting changes; not with every respondent.</li>
</ul>
<h3 data-page="Papers">Papers</h3>
<p>Every figure and table of the five papers. Open one to see what the paper says, what comes out here and whether the two agree;
change its settings and <b>run it</b> yourself. What is misprinted is shown as well.</p>
<h3 data-page="Release">Release</h3>
<p>Here copies are made for real, one request after the other, for years. A <b>ledger</b> records who holds what; its key
makes every copy again to the last byte, and keeps all copies <b>nested</b>: pooled, they tell no more than the best one, of numbers and of categories each.</p>
<ul>
<li>Name a recipient and drag the trust: you see what all holders would know together <i>before</i> anything is made, and
what the rules of the ledger say.</li>
<li>Press <b>Make the copy</b>. Under <b>Look closer</b> you find its file, the history, a check of everything, and a report.</li>
<li><b>For experts</b> has the rules and a second person's approval, new rows, whose copy a found file is, and the key: its
backup, the proof of it, its end.</li>
<li>Without a ledger of your own it is a <b>rehearsal</b> on built-in data, which is deleted when you leave.</li>
<li>On the pages Trust and Categories, <b>More</b>, press <b>Make these copies</b> to bring your recipients here.</li>
</ul>

<h3>Keeping and sending what you see</h3>
<ul>
<li>The address follows what stands on the page. <b>Share</b> has the link, a file to save, and the links that you used last.</li>
<li><kbd>Ctrl</kbd>+<kbd>Z</kbd> takes a change back, <kbd>Ctrl</kbd>+<kbd>Shift</kbd>+<kbd>Z</kbd> brings it again; the browser's Back steps
between pages and between scenarios that you opened.</li>
<li><b>Compare</b> keeps what stands on the page as <b>A</b>. From then on plots draw A faintly behind what you change, tables say
what differs, and a sentence below the headline says by how much; person, tab and view are those of the present page.
<kbd>X</kbd> swaps the two. Four of each page are kept in this browser, side by side in a table.</li>
<li>Every card saves its plot (<b>SVG</b>, <b>PNG</b>; <b>⋯</b> says how fine it is and which words stand around it) and its figures
(<b>CSV</b>). Share has a <b>report</b> of everything (also as <b>PDF</b>), slides (also
for <b>PowerPoint</b>), a <b>page to try</b>, a <b>film</b>, and the scenario <b>as a script</b> or <b>as a notebook</b>.</li>
<li>For a class, tick in Share what students may see and touch: whoever opens that link sees nothing else.</li>
<li>Under <b>Data</b> drop a CSV, Parquet or Excel file. It stays on this machine, and serves on all pages; a link names it and
never holds it.</li>
</ul>
<h3>Words</h3>
<ul>
<li><b>Trust</b> is the share of the variance that a recipient's best linear guess explains: 100 % is the original. <b>s</b>, beside
it, is the noise as a multiple of the data's own variance: trust = 1 / (1 + s).</li>
<li>A <b>hit</b> is a guess that comes close enough; you say how close. <b>Without any copy</b> is what the best constant guess hits.</li>
<li>A <b>coalition</b> is whoever pools their copies.</li>
<li>A typical <b>error</b> of 100 % is that of guessing the average; 0 % knows everything.</li>
<li><b>✓</b>: measured, and within the stated tolerance of theory. <b>✗</b>: further away. <b>~</b>: too few rows to tell.</li>
<li>The <b>seed</b> is the key of the noise that is shown: the same seed gives the same copies.</li>
</ul>
<h3>Keyboard</h3>
<p><kbd>Tab</kbd> moves between controls, <kbd>←</kbd> <kbd>→</kbd> move a slider or a tab, <kbd>Space</kbd> ticks, <kbd>Enter</kbd> opens a
line, <kbd>Esc</kbd> closes what is open, <kbd>X</kbd> swaps the page with the scenario that is drawn behind it.
<kbd>P</kbd> presents the page in large type: <kbd>←</kbd> <kbd>→</kbd> walk through what was kept, or
through the steps of a lesson, <kbd>1</kbd> to <kbd>8</kbd> let
recipients join or leave, <kbd>S</kbd> opens a window for the speaker (notes, what comes next, the time), <kbd>L</kbd> turns the
light at the pointer off and on, <kbd>Esc</kbd> ends it and brings the page back as it was.</p>
<h3>Where it comes from</h3>
<p>Li, Chen, Li and Zhang, <i>Enabling multilevel trust in privacy preserving data mining</i> (2012). Xiao, Tao and Chen, <i>Optimal
random perturbation at multiple privacy levels</i> (2009). Huang, Du and Chen, <i>Deriving private information from randomized
data</i> (2005). Zhang, Wang and Zhao, <i>A new scheme on privacy-preserving data classification</i> (2005). Giannella, Liu and
Kargupta, <i>On the privacy of Euclidean distance preserving data perturbation</i> (2009).</p>
"""
