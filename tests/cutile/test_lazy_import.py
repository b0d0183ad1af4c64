"""Importing the bridge costs nothing, and a missing package is told with a way out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tilewright import cutile

SOURCE = Path(cutile.__file__).resolve().parents[2]


def python(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=SOURCE, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_loads_neither_numpy_nor_cutile() -> None:
    loaded = python(
        "import sys, tilewright.cutile as cutile\n"
        "dir(cutile)\n"
        "print('numpy' in sys.modules, 'cuda.tile' in sys.modules)"
    )
    assert loaded.split() == ["False", "False"]


def test_a_missing_frontend_is_told() -> None:
    told = python(
        "import sys; sys.modules['cuda.tile'] = None\n"
        "from tilewright import cutile\n"
        "try: cutile.launch((1,), None, ())\n"
        "except cutile.MissingPackageError as error: print(error)"
    )
    assert "cuda-tile" in told
    assert "pip install 'tilewright[cutile]'" in told


def test_every_public_name_is_there() -> None:
    for name in cutile.__all__:
        assert getattr(cutile, name) is not None
        assert name in dir(cutile)
    with pytest.raises(AttributeError, match="nothing"):
        _ = cutile.nothing
