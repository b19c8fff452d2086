"""A visitor's own data: one file serves all pages."""

import param

from trustscope.datasets import Dataset


class OwnData(param.Parameterized):
    """What a visitor brought along. There is one for each session, and nobody else can reach it."""

    dataset = param.ClassSelector(class_=Dataset, default=None, allow_None=True, doc="The file that was taken in last.")
