"""The help texts of the Papers page."""

PLOT = """<p>Drawn from the table below. <b>Run it</b> computes the table again, in a process of its own: other
pages go on working meanwhile.</p><p>The <i>paper size</i> is the size that the paper used, where it prints it; some of these runs take hours.</p>"""

CLAIMS = """<p>Each line is one claim of the paper, in our words, with what is printed and what comes out here.
<b>Confirmed</b>: the two agree, as closely as the fourth column says. <b>Corrected</b>: the paper is wrong there, and the check shows it.
<b>Differs</b>: the claim does not come out here. <b>Stand-in</b>: the paper's data are not available, and other data confirm nothing.</p>
<p>The checks judge the table that you see. With other settings a check may not apply; it then says that it was not tested.</p>"""

TABLE = """<p>What the experiment's function in <code>trustscope.engine.experiments</code> returned. The file holds all rows.</p>"""

CODE = """<p>The same run in Jupyter or a script. The table is a pandas DataFrame; the picture is a plain description
that a notebook draws. The function behind it is in <code>trustscope.engine.experiments</code>.</p>"""
