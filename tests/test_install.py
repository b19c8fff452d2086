"""What `make` installs with: uv where it can, pip where it cannot or must not."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "install"
PIP = """#!/bin/sh
case "$*" in
  *"config list"*) echo "{config}";;
  *" uv") exit {brings};;
  *) echo "pip installs $*";;
esac
"""


@pytest.mark.parametrize(
    ("config", "uv", "brings", "by"),
    [
        ("global.extra-index-url='file:///more'", 0, 0, "uv"),
        ("", 1, 0, "pip"),  # uv reaches nothing
        ("global.index-url='file:///own'", 0, 0, "pip"),
        (":env:.no-index='1'", 0, 0, "pip"),
        ("", None, 1, "pip"),  # uv cannot be had
    ],
)
def test_uv_installs_unless_it_cannot_or_pip_was_told_where_to_look(tmp_path, config, uv, brings, by):
    programs = tmp_path / "bin"
    programs.mkdir()
    scripts = {"python": PIP.format(config=config, brings=brings)}
    if uv is not None:
        scripts["uv"] = f'#!/bin/sh\n[ {uv} = 0 ] && echo "uv installs $*"\nexit {uv}\n'
    for name, text in scripts.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    done = subprocess.run(["sh", SCRIPT, tmp_path, "--editable", ".[all]"], capture_output=True, text=True, check=True)
    (said,) = done.stdout.splitlines()
    assert said.startswith(f"{by} installs")
    assert "--constraint constraints.txt" in said
    assert said.endswith("--editable .[all]")
