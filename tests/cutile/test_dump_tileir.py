"""cuTile Python's own dumps (``CUDA_TILE_DUMP_TILEIR``) through the tileirdisasm of this project.

cuTile looks for ``tileirdisasm`` in the folder of the ``tileiras`` it would compile with: that of NVIDIA's packages, else
the one on the ``PATH``.  Here the packages are hidden, as on a machine with a toolkit that brings no tileirdisasm.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import imported_from
from tests.support.real.real_tools import disassemble
from tilewright.cli.commands.install_tileirdisasm import NAME, script

np = pytest.importorskip("numpy")
compiler = pytest.importorskip("cuda.tile._compile")

PROGRAM = """
import importlib.metadata as metadata

installed = metadata.version

def version(name):
    if name == "nvidia-cuda-tileiras":
        raise metadata.PackageNotFoundError(name)
    return installed(name)

metadata.version = version

import numpy as np
import cuda.tile as ct
from tilewright import cutile


@ct.kernel
def scale(x, out, block: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.load(x, i, shape=(block,)) * 2)


x = np.zeros(64, np.float32)
cutile.compile_to_bytecode(scale, (x, x, 16))
"""


@pytest.fixture
def toolkit(tmp_path: Path) -> Path:
    """A folder with a tileiras (which is not run here) and our tileirdisasm beside it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("tileiras", "#!/bin/sh\nexit 1\n"), (NAME, script(sys.executable))):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.skipif(
    not hasattr(compiler, "_find_tileirdisasm_bin"), reason="this cuTile runs no tileirdisasm"
)
def test_dumps(toolkit: Path, tmp_path: Path) -> None:
    texts, binaries = tmp_path / "text", tmp_path / "bytecode"
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {
        **os.environ,
        "PATH": f"{toolkit}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": imported_from(),
        "CUDA_TILE_DUMP_TILEIR": str(texts),
        "CUDA_TILE_DUMP_BYTECODE": str(binaries),
    }
    ran = subprocess.run(
        [sys.executable, program], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    assert "Failed to disassemble" not in ran.stderr
    (text,), (binary,) = texts.iterdir(), binaries.iterdir()
    status, expected, _ = disassemble(binary.read_bytes(), False)
    assert (status, text.read_text()) == (0, expected)
    assert text.read_text().startswith("entry @scale")
