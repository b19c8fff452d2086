"""The help texts of the Release page's cards."""

LI, XIAO = "Li, Chen, Li, Zhang (2012)", "Xiao, Tao, Chen (2009)"

HOLDING = f"""
<p>Every record has one path of noise. A copy at <b>trust</b> 60 % reads it where a best linear guess explains 60 % of
the variance of the numbers; at <b>retention</b> 40 % a category is kept with probability 40 %, and otherwise drawn anew.
The path is fixed by the ledger's key: the same request gives the same bytes, next year and on another machine too.</p>
<p>A dot is where somebody stands; where a ledger has both kinds of columns, an upright stroke shows the retention. The
row that is marked is the copy that you consider.</p>
<p><small>{LI}, Theorem 4; {XIAO}, Theorem 1.</small></p>
"""

POOLED = f"""
<p>A row for each coalition of holders: a filled circle is somebody who is in it. The bar is what they know when they put
their copies together: copies of one ledger are <b>nested</b>, so that is as much as the best copy among theirs tells. What
the strongest attacker makes of it stands under “Strongest attacker”.
Beside it, what it would be with the copy that you consider.</p>
<p>Only issued copies count. What was announced and given up is in the history, and nobody holds it.</p>
<p><small>{LI}, Theorem 4; {XIAO}, Theorem 1.</small></p>
"""

COPIES = """
<p>What is recorded of every copy. The SHA-256 is a fingerprint of the file: two files with the same one are the same.
“Again” means that the same bytes were issued once more.</p>
"""

COALITIONS = """
<p>How often the best guess of a value is right, from whole rows of the best copies, by somebody who knows how the copies were
made, every column that is kept as it is, and all columns of half of the other people. A number counts as guessed within about
a quarter of its standard deviation. <b>Most exposed</b>: the chance for the one person who is guessed most easily, of
those whose value is not common. <b>The row itself</b>: whether somebody with all records, but not whose they are, finds the
right one.</p>
<p>Figures are measured on people drawn from the data; ± is one standard error. It takes some seconds for each column, and
is kept. The best copy of a coalition decides, so a figure stands for all of them.</p>
"""

BEFORE = """
<p>Noise hides a value among others that are near. A value that many have, zeros beside a few large amounts, values far out
and last digits stay visible in copies with little noise. A step before the noise takes that away: coding the highest or
lowest values, a logarithm, rounding, categories, or not releasing the column. It is chosen when a ledger is created
(<code>trustscope release init --before</code>) and stands in its record. What is kept as it is can single people out too: the
sentence above the table says how many.</p>
"""

HISTORY = """
<p>Everything that was ever done with this ledger. Each event carries a fingerprint (digest) of itself and of the one
before it, so that none can be changed or taken out unseen. The digest of the last one is the head of the chain: compare
it with the last report.</p>
"""

CHECK = """
<p>Looks at the ledger's file, the chain of events, the seals under the key, the files that were issued, the generator
(does it still make the noise of every copy?) and the data (is every value what it was?).</p>
"""

REPORT = """
<p>A document for a board, HTML that needs nothing else and prints on A4: a page for those who decide, with lines to sign, the
technical part, and the record with the head of the chain. What the strongest attacker gets stands in it if it has been
measured, which the tab “Strongest attacker” does. <code>trustscope release sheet</code> writes the sheet that goes with a copy.</p>
"""

RULES = """
<p>A request that breaks a rule is refused with the figure. The <b>floor</b> is on the strongest attacker's error
of every column, whoever pools; a ceiling for one recipient, or for all of a group (which you name under “Issuer and file”). Above the third number
somebody other than the issuer must approve: put <i>their</i> name under “Issued by”, and press the lower button.</p>
"""

ROWS = """
<p>Next year's rows come behind the old ones. Whatever is out stays true: old rows keep their noise. Changed or missing
old rows are refused with the place.</p>
"""

FOUND = """
<p>A file turned up: whose copy is it? It may be sorted otherwise, only a part, rounded, altered, averaged from two copies,
or without some columns. Of a million files that have nothing to do with the copies, at most one names somebody. A file in
which nothing is found clears nobody.</p>
"""

KEY = """
<p>Without the key no copy can be made again. A <b>backup</b> is a file under a passphrase of its own; a <b>proof</b>
opens it and makes the noise of the copies that are out again. <b>Destroying</b> the key ends the ledger: no further
copies, ever; the record stays. A backup that is kept elsewhere is not destroyed with it.</p>
"""
