"""Every public function of the engine carries types; `make types` checks that they are right."""

import importlib
import inspect
import pkgutil

import pytest

import trustscope.engine

MODULES = [name for _, name, _ in pkgutil.walk_packages(trustscope.engine.__path__, "trustscope.engine.")]


def bare(function):
    """What of a function's signature has no type."""
    signature = inspect.signature(function)
    empty = inspect.Signature.empty
    names = [p.name for p in signature.parameters.values() if p.annotation is empty and p.name not in ("self", "cls")]
    return names + ["return"] * (signature.return_annotation is empty)


def public(module):
    """Public functions of a module, and public methods of its public classes, with their names."""
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            for part, member in vars(thing).items():
                member = getattr(member, "__func__", getattr(member, "fget", getattr(member, "func", member)))
                written = inspect.isfunction(member) and member.__module__ == module.__name__
                if written and (part == "__init__" or not part.startswith("_")):
                    yield f"{name}.{part}", member


@pytest.mark.parametrize("name", MODULES)
def test_public_functions_carry_types(name):
    found = {where: bare(function) for where, function in public(importlib.import_module(name))}
    assert {where: missing for where, missing in found.items() if missing} == {}


def test_a_missing_type_is_noticed():
    def without(a, b: int): ...

    assert bare(without) == ["a", "return"]
