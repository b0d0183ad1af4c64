"""Importing the bridge costs nothing, and a missing package is told with a way out."""

from __future__ import annotations

import re
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


WITHOUT_TORCH = """
import builtins, sys
found = []
class Torch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            frame = sys._getframe()
            while frame is not None:
                found.append(frame.f_globals.get("__name__", ""))
                frame = frame.f_back
        return None
sys.meta_path.insert(0, Torch())
import numpy as np, tilewright
from tilewright import cutile
"""


def test_torch_is_imported_by_nothing_of_ours() -> None:
    """The frontend imports PyTorch where it is installed, which takes seconds; launching bytecode must not."""
    kernel = SOURCE.parent / "tests" / "house" / "data" / "kernel.mlir"
    asked = python(
        f"{WITHOUT_TORCH}\n"
        "from pathlib import Path\n"
        f"tilewright.launch(Path({str(kernel)!r}), None, 1, [np.ones(4, np.float32), 2.0])\n"
        f"tilewright.launch(Path({str(kernel)!r}), None, 1, [np.ones(4, np.float32), 2.0], target='interp')\n"
        "print(found)"
    )
    assert asked.strip() == "[]"


def test_no_source_imports_torch() -> None:
    """But for the answers to programs, and to Triton, that import it themselves."""
    package = SOURCE / "tilewright"
    answers = {*(package / "gpu_programs" / "pytorch").glob("*.py"), package / "triton" / "driver.py"}
    for path in {*package.rglob("*.py")} - answers:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(?:import|from) torch\b|import_module\(.torch", text, re.MULTILINE), path


COLLECTIONS = """
import gc, numpy
from tilewright.cutile.frontend import frontend
from tilewright.gpu_programs import ProgramSettings, start
gc.collect()
seen = []
gc.callbacks.append(lambda phase, info: seen.append(phase))
"""


@pytest.mark.parametrize(
    "loading", ["frontend()", "start(ProgramSettings()).settings\nseen.clear()\nimport cuda.tile"]
)
def test_the_collector_rests_while_the_frontend_is_loaded(loading: str) -> None:
    """Its modules stay alive, so that visiting them again and again takes time for nothing."""
    pytest.importorskip("cuda.tile")
    assert python(f"{COLLECTIONS}\n{loading}\nprint(len(seen), gc.isenabled())").split() == ["0", "True"]


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
