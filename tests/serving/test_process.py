"""What is set for a process that serves: matrices stay on one core each, and Panel does nothing in vain."""

import os
import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

from trustscope.app import process

CODE = """
import numpy, scipy.linalg, threadpoolctl
from trustscope.app.serving import worker
worker.prepare()
pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
assert pools, "no BLAS was found"
print(max(pool["num_threads"] for pool in pools))
"""


def test_panel_counts_nothing_for_an_indicator_that_no_page_has():
    code = """
from panel.io.state import state
from trustscope.app.process import prepare
prepare()
state.param.watch(lambda event: print(event.name), ["busy", "_busy_counter"])
state._add_busy_event("one")
state._remove_busy_event("one")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_matrices_stay_on_one_core():
    asked = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=asked)
    assert done.stdout.strip() == "1", done.stderr


def test_what_is_set_already_is_not_set_again():
    asked = []

    @contextmanager
    def of_panel(self, **settings):
        asked.append(settings)
        yield

    settings = SimpleNamespace(design="plain", theme="dark")
    change = process._unless_set(of_panel)
    with change(settings, design="plain"), change(settings, design="plain", theme="dark"):
        assert asked == []
    with change(settings, design="plain", theme="light"):
        assert asked == [{"design": "plain", "theme": "light"}]
