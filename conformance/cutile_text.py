"""A pytest plugin that lets cuTile's tests of the compiled text run: those that call ``filecheck``.

    pytest --tilewright -p conformance.cutile_text path/to/cutile-python/test -m use_mlir

They ask an internal extension for the text of bytecode and run LLVM's ``FileCheck`` on it.  Here the text is
tilewright's, and the package ``filecheck`` reads it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import types
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

_EXTENSION = "cuda.tile_internal._internal_cext"
_SCRIPT = """#!{python}
import sys
from filecheck.__main__ import main
sys.argv = [sys.argv[0], *[word for word in sys.argv[1:] if not word.startswith("--dump-input=")]]
sys.exit(main())
"""
_ACTIVE = ExitStack()


def bytecode_to_mlir_text(bytecode: bytes) -> str:
    """What ``tilewright disasm`` prints: the suite expects the spellings of the current tools (``fpowf``)."""
    from tilewright.bytecode import read_bytecode
    from tilewright.dialects.cuda_tile.syntax.disassembly import disassemble
    from tilewright.driver.startup import context

    return disassemble(read_bytecode(bytes(bytecode), context()))


def _provide_extension() -> None:
    extension: Any = types.ModuleType(_EXTENSION)
    extension.bytecode_to_mlir_text = bytecode_to_mlir_text
    package = types.ModuleType(_EXTENSION.rpartition(".")[0])
    sys.modules[package.__name__] = package
    sys.modules[_EXTENSION] = extension


def _provide_file_check() -> None:
    """Put a program ``FileCheck`` on the path."""
    folder = Path(_ACTIVE.enter_context(tempfile.TemporaryDirectory()))
    program = folder / "FileCheck"
    program.write_text(_SCRIPT.format(python=sys.executable))
    program.chmod(0o755)
    os.environ["PATH"] = os.pathsep.join([str(folder), os.environ.get("PATH", "")])


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    """Install both before the suite is imported."""
    _provide_extension()
    _provide_file_check()


def pytest_unconfigure(config: Any) -> None:
    """Take the program away."""
    _ACTIVE.close()
