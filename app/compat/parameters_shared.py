"""Controls share the parameters of their class, where param would copy each of them for each control."""

from trustscope.app.compat.patch import Part, Patch
from trustscope.widgets import bundle


class Shared(Patch):
    """All kinds of controls at once."""

    def put_on(self):
        """All of them."""
        self.on = True
        for kind in bundle.kinds().values():
            kind._param__private.disable_instance_params = True

    def take_off(self):
        """All of them."""
        self.on = False
        for kind in bundle.kinds().values():
            kind._param__private.disable_instance_params = False


PATCH = Shared(
    name="parameters_shared",
    gain="building a page and writing it down: 6 % less of the processor",
    versions={"param": ("2.2", "3")},
    parts=(Part("param.parameterized:no_instance_params", "a751b33d0a82"),),
)
