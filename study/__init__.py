"""The front door for notebooks and scripts: a handle on a scenario, from data to verdict, copies, plots and reports.

>>> import trustscope as ts
>>> study = ts.Study("iris", secret="Petal length")
>>> study.recipients = {"Ministry": 60, "Press": 20}
>>> study.scheme = "nested"
>>> list(study.copies())
['Ministry', 'Press']

What is set stands in `study.scenario`, a plain value, and nowhere else. Panel and HoloViews are imported when the first
plot or page is asked for.
"""
