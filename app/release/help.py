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
their copies together. Copies of one ledger are <b>nested</b>, so that is always what the best copy among theirs tells.
Beside it, what it would be with the copy that you consider.</p>
<p>Only issued copies count. What was announced and given up is in the history, and nobody holds it.</p>
<p><small>{LI}, Theorem 4; {XIAO}, Theorem 1. Rounding never lowers the error; the report has the bound.</small></p>
"""

COPIES = """
<p>What is recorded of every copy. The SHA-256 is a fingerprint of the file: two files with the same one are the same.
“Again” means that the same bytes were issued once more.</p>
"""

COALITIONS = """
<p><b>Error of a number</b>: what is left of the variance after the best linear guess; 0 % is the data, 100 % the average
alone. <b>Wrong categories</b>: the share of records whose category in the best copy is not the true one.</p>
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
<p>One page of HTML that needs nothing else, for whoever asks what was given to whom: the copies, the coalitions, the
rounding, the rules, and the history with the head of the chain.</p>
"""

RULES = """
<p>A request that breaks a rule is refused with the figure. The <b>floor</b> holds for every coalition of holders; a
ceiling for one recipient, or for all of a group (which you name under “Issuer and file”). Above the third number
somebody other than the issuer must approve: put <i>their</i> name under “Issued by”, and press the lower button.</p>
"""

ROWS = """
<p>Next year's rows come behind the old ones. Whatever is out stays true: old rows keep their noise. Changed or missing
old rows are refused with the place.</p>
"""

FOUND = """
<p>A file turned up: whose copy is it? It may be sorted otherwise, only a part, rounded, or without some columns. The
answer comes with the probability that it is wrong.</p>
"""

KEY = """
<p>Without the key no copy can be made again. A <b>backup</b> is a file under a passphrase of its own; a <b>proof</b>
opens it and makes the noise of the copies that are out again. <b>Destroying</b> the key ends the ledger: no further
copies, ever; the record stays. A backup that is kept elsewhere is not destroyed with it.</p>
"""
