"""Everything by which the app changes the inside of Bokeh, Panel, param or Tornado: one file for each patch.

A patch says what it replaces, why, how much that gains (`benchmarks/bench_compat.py` turns it off and on), and for
which versions it was tried; with any other version it stays off, and the app runs as the framework would have it. Its
text for those who could mend it upstream is in `docs/upstream/`, and `tests/app/test_compat.py` fails when a part
that it replaces has changed. `TRUSTSCOPE_PLAIN=1` turns all of them off, `TRUSTSCOPE_PLAIN=NAME,NAME` some.

Patches touch only our own classes and documents (`adopt`): other apps that the same server serves keep everything.
`python -m trustscope.app.compat` lists them.
"""
