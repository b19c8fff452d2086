"""Settings of all tests."""

import os

from hypothesis import settings

# The same examples every time: a red run must mean a change, not a draw. HYPOTHESIS_PROFILE=explore looks further.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
