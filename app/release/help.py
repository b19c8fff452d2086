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
