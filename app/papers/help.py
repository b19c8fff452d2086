"""The help texts of the Papers page."""

PLOT = """<p>Drawn from the table below, each time anew. <b>Run</b> at the left computes the table again, in a process of
its own: other pages go on meanwhile.</p><p>Settings marked <i>paper size</i> are those of the paper where it prints them; some take hours.</p>"""

CLAIMS = """<p>Each line is one claim of the paper, in our words, with its printed figure and ours. <b>Confirmed</b>: ours
agrees, within what the fourth column says. <b>Corrected</b>: the paper is wrong there, and the check shows it.
<b>Differs</b>: the claim does not come out here, or belongs to data that cannot be had.</p>
<p>The checks judge the table that you see. Run with other settings they may not apply, and then say so.</p>"""

TABLE = (
    """<p>What the experiment's function in <code>engine.experiments</code> returned. The file holds all rows.</p>"""
)

CODE = """<p>The same run in Jupyter or a script. The table is a pandas DataFrame, the picture a HoloViews object. The function
behind it is in <code>engine.experiments</code> and needs neither.</p>"""
