"""Defaults that are remembered are those that Bokeh finds by itself, for every kind of model that pages are made of."""

import inspect

import panel as pn
import pytest
from bokeh.core.property.descriptors import PropertyDescriptor
from bokeh.core.property.override import Override
from bokeh.model import Model
from bokeh.models import ColumnDataSource, Range1d

from tests.app.patches import patched
from trustscope.app.compat.defaults_remembered import PATCH, PLAIN

ASKED = ("_get_default", "has_unstable_default")
BOKEHS_OWN = {name: inspect.unwrap(getattr(PropertyDescriptor, name)) for name in ASKED}


@pytest.fixture(scope="module")
def remembering():
    with patched(PATCH):
        yield


def defaults(kind, get_default):
    """What each property of a model of a kind is before anybody sets it; an exception stands for itself."""
    model, found = kind.__new__(kind), {}
    model._property_values, model._unstable_default_values, model._unstable_themed_values = {}, {}, {}
    for name in kind.properties():
        try:
            found[name] = get_default(kind.lookup(name), model)
        except Exception as error:
            found[name] = repr(error)
    return found


@pytest.fixture(scope="module")
def found():
    """By kind: its defaults twice as Bokeh finds them, and twice as they are remembered."""
    pn.extension()
    with patched(PATCH):
        ways = (BOKEHS_OWN["_get_default"],) * 2 + (PropertyDescriptor._get_default,) * 2
        return {kind: [defaults(kind, way) for way in ways] for kind in Model.model_class_reverse_map.values()}


def test_they_are_the_same_for_all_kinds(found):
    kinds = [kind for kind in found if not inspect.isabstract(kind)]
    assert len(kinds) > 300
    plain = 0
    for kind in kinds:
        own, _, *remembered = found[kind]
        for again in remembered:  # the second time out of memory
            assert {name: value for name, value in again.items() if type(value) in PLAIN} == {
                name: value for name, value in own.items() if type(value) in PLAIN
            }, kind
            assert {name: type(value) for name, value in again.items()} == {n: type(v) for n, v in own.items()}, kind
        plain += sum(type(value) in PLAIN for value in own.values())
    assert plain > 3_000


def shared(one, other):
    """The properties whose default is one object for two models of a kind."""
    return {name for name, value in one.items() if type(value) not in PLAIN and value is other[name]}


def test_models_share_only_what_they_share_in_bokeh(found):
    for kind, (own, own_again, remembered, remembered_again) in found.items():
        assert shared(remembered, remembered_again) == shared(own, own_again), kind


def test_what_can_be_changed_is_made_anew_for_each(remembering):
    one, other = ColumnDataSource(), ColumnDataSource()
    one.data["x"] = [1]
    assert "x" not in other.data
    assert one.selected is not other.selected


def test_a_theme_comes_first_and_a_class_may_have_another_default(remembering):
    plain, themed = Range1d(), Range1d()
    assert plain.start == Range1d().start  # remembered by now
    themed.apply_theme({"start": 7.0})
    assert (themed.start, plain.start) == (7.0, 0)
    themed.unapply_theme()
    assert themed.start == 0

    class Shifted(Range1d):
        start = Override(default=3)

    assert (Shifted().start, Range1d().start) == (3, 0)
