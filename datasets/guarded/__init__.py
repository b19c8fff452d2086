"""What runs in a process of its own: the readers of workbooks and of Parquet.

A damaged or hostile file can make such a reader ask for absurd amounts of memory, run for ever, or abort the
process that it runs in, and no exception handler helps against that. So each file gets a process with a bound on
its memory, started and watched by ``datasets.guard``. `child` is the program of that process; the other modules
each read one family of formats. None of them imports anything else of this package: the process starts quickly,
and little of its memory is taken before the file arrives.
"""
