"""Python runs this at the start of every process that a test starts: `tests/conftest.py` puts the folder on its path.

Servers, scripts and notebooks then compute curves of the strongest attacker from as few people as the tests themselves
do (`quick_curves`), in a fiftieth of the time.
"""

import importlib.util
import sys

JUDGE = "trustscope.scenarios.trust.judge"
FEW = {"references": 256, "probes": 512, "rehearsed": 256, "drawn": 1_024}


class Quick:
    """Finds the judge where it is, and gives it other limits as soon as it is imported."""

    found = False

    def find_spec(self, name, path=None, target=None):
        if name != JUDGE or self.found:
            return None
        self.found = True  # from here on it is looked for as always
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            module.LIMITS = module.Limits(**FEW)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Quick())
