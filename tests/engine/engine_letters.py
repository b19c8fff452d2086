"""Letter Recognition for the tests of the engine."""

import functools

from trustscope import datasets


@functools.cache
def letters(*, distinct=False):
    found = datasets.load("letter")
    frame = found.frame[list(found.numeric)]
    table = (frame.drop_duplicates() if distinct else frame).to_numpy(float)
    table.flags.writeable = False
    return table
