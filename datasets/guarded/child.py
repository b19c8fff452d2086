"""The guarded process: bound its memory, read a file from standard input, write what it holds as Arrow streams.

Run as a script with four arguments: the name of the reader (a module beside this one), the number of bytes of
memory, the seconds of processor time, and the reader's options as JSON. Out go one line of JSON, then as many
Arrow streams as it announces.
"""

import importlib.util
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

# Arrow does without these two, and starts in half the time and with less memory: a person waits for it with every file.
if __name__ == "__main__":
    sys.modules.update(dict.fromkeys(("cloudpickle", "numpy")))  # type: ignore[arg-type]

import pyarrow as pa

# Exit codes that the parent knows, for what goes wrong after the first line is out.
TOO_LARGE, DAMAGED = 3, 4


def main() -> int:
    """Read standard input, write standard output, and return the exit code."""
    name, memory, seconds, options = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), json.loads(sys.argv[4])
    bound(memory, seconds)
    with suppress(AttributeError, OSError):
        os.nice(19)  # whoever drags a slider meanwhile comes first
    out = sys.stdout.buffer
    try:
        return _answer(out, _reader(name), options)
    except MemoryError:
        return TOO_LARGE
    except Exception:  # the readers' libraries raise errors of every kind
        return DAMAGED


def bound(memory: int, seconds: int) -> None:
    """Let this process have so many bytes of memory and seconds of processor time, and leave no core file."""
    try:
        import resource
    except ImportError:  # Windows has no such thing
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # At the first limit comes a signal that the parent knows, at the second the end.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(out: BinaryIO, reader: ModuleType, options: dict[str, Any]) -> int:
    about, tables = reader.read(sys.stdin.buffer.read(), options)
    kept = least(tables[-1][0], about.get("rows", 0)) if tables else 0
    out.write(json.dumps({**about, "kept": kept, "tables": len(tables)}).encode() + b"\n")
    for schema, parts in tables:
        with pa.ipc.new_stream(out, schema) as stream:
            for part in parts:
                stream.write_table(part)
    out.flush()
    return 0


def least(schema: pa.Schema, rows: int) -> int:
    """Bytes that so many rows keep at least, however few different values there are in a small file."""
    return rows * sum(map(_width, schema.types))


def _width(kind: pa.DataType) -> int:
    if pa.types.is_int64(kind):
        return 1  # the parent stores them in as few bytes as they need
    if pa.types.is_null(kind):
        return 0
    try:
        return int(kind.bit_width) // 8
    except ValueError:  # texts, and places in a list of texts
        return 4


def _reader(name: str) -> ModuleType:
    # By its place, not by its name: this folder is not one to import from, as its modules have common names.
    spec = importlib.util.spec_from_file_location(f"guarded_{name}", Path(__file__).with_name(f"{name}.py"))
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    code = main()
    # At once: while Python takes itself apart, Arrow's threads may still be at work, and a process that dies of that
    # after it has answered would be taken for one that a file has killed.
    sys.stdout.flush()
    os._exit(code)
