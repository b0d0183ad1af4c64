"""Configuration for MLIR's own test runner: ``lit tests/filecheck`` runs the same files, each command as a process."""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import lit.formats

config: Any = globals()["config"]  # given by lit
config.name = "tilewright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.environ.get(
    "TILEWRIGHT_LIT_OUTPUT", os.path.join(tempfile.gettempdir(), "tilewright-lit")
)


def _command(name: str, module: str) -> str:
    """The script of an installation, or the module run by this interpreter."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    path = os.environ.get(
        "PYTHONPATH", ""
    )  # named in the command, because lit's own `cat` resets the variable
    return found or f"env PYTHONPATH={path} {sys.executable} -m {module}"


config.substitutions += [
    (r"\btilewright-opt\b", _command("tilewright-opt", "tilewright.cli.commands.opt")),
    (r"\btilewright(?= )", _command("tilewright", "tilewright")),
    (r"\bFileCheck\b", _command("filecheck", "filecheck")),
]
