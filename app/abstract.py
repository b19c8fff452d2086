"""Classes of param and Panel whose abstract methods must be written before one of them can be made."""

from abc import ABCMeta

from param.parameterized import ParameterizedMetaclass


class Abstract(ParameterizedMetaclass, ABCMeta):
    """Such a class: methods are marked by `abc.abstractmethod`."""
