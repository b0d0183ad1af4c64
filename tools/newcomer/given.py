"""What the reader of a page has already: ``python -m tools.newcomer.given kernels`` makes it in the current folder."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """\
import cuda.tile as ct
import numpy as np


@ct.kernel
def add_one(x, out, block: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.load(x, i, shape=(block,)) + 1)


x = np.arange(1000, dtype=np.float32)
out = np.zeros_like(x)
if __name__ == "__main__":
    ct.launch(None, (4,), add_one, (x, out, 256))
    assert (out == x + 1).all()
"""


def kernels() -> None:
    """A program for GPUs; its kernel as bytecode, as text and in a folder; an array; PTX of another compiler."""
    import numpy as np

    import tilewright
    from tilewright import cutile

    Path("program.py").write_text(PROGRAM, encoding="utf-8")
    sys.path.insert(0, "")
    program = __import__("program")
    made = cutile.compile_to_bytecode(program.add_one, (program.x, program.out, 256))
    Path("kernels").mkdir(exist_ok=True)
    for path in (Path("kernel.tileirbc"), Path("kernels", "add_one.tileirbc")):
        path.write_bytes(made.bytecode)
    Path("before.mlir").write_text(str(tilewright.load(made.bytecode)), encoding="utf-8")
    np.save("x.npy", program.x)
    shutil.copy(ROOT / "tests" / "ptxsim" / "data" / "scale.ptx", "scale.ptx")


def suite() -> None:
    """A suite for GPUs that is right."""
    test = "from program import np, out, x, add_one, ct\n\n\ndef test_add_one():\n"
    call = "    ct.launch(None, (4,), add_one, (x, out, 256))\n    assert (out == x + 1).all()\n"
    Path("program.py").write_text(PROGRAM, encoding="utf-8")
    Path("test_program.py").write_text(test + call, encoding="utf-8")


MAKERS = {"kernels": kernels, "suite": suite}

if __name__ == "__main__":
    MAKERS[sys.argv[1]]()
