"""What cuTile Python has since 1.7, through the bridge: foreign pointers, exceptions of the compiler, worker warps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.real.real_tools import disassemble

np = pytest.importorskip("numpy")
ct: Any = pytest.importorskip("cuda.tile")
pytest.importorskip("llvmlite")

from tilewright import cutile, launch  # noqa: E402
from tilewright.cutile import repeated  # noqa: E402
from tilewright.driver.compile import compile as compile_module  # noqa: E402

if not hasattr(ct, "static_exception"):
    pytest.skip("this cuTile is older than 1.7", allow_module_level=True)

TARGETS = ("cpu", "interp", "sim:sm_80")
WARPS = (1, 2, 4, 8, 16, 32)


@ct.kernel
def doubled_rows(x, out):
    """Double the rows of a matrix, which is seen through a foreign pointer with other extents."""
    seen = ct.Array.from_foreign(x.foreign_pointer, (x.shape[0] // 2, x.shape[1]), (2 * x.strides[0], 1))
    ct.store(out, (ct.bid(0), 0), ct.load(seen, (ct.bid(0), 0), shape=(1, 4)) * 2)


@ct.kernel
def at_most_four(out, count: ct.Constant[int]):
    if count > 4:
        raise ct.static_exception(ValueError(f"{count} are too many"))
    ct.store(out, 0, ct.full((4,), count, ct.int32))


@ct.function(host=True)
def cubed(value):
    return value * value * value


@ct.function(host=True, tile=False)
def only_on_the_host(value):
    return value + 1


@ct.kernel
def cubes(x, out):
    ct.store(out, 0, cubed(ct.load(x, 0, shape=(4,))))


@ct.kernel
def calls_the_host(x):
    ct.store(x, 0, only_on_the_host(ct.load(x, 0, shape=(4,))))


@ct.kernel
def sums(x, out):
    ct.store(out, ct.bid(0), ct.sum(ct.load(x, ct.bid(0), shape=(256,)), keepdims=True))


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cutile.clear_cache()


def again(kernel: Any, *arguments: Any) -> bool:
    """Whether the next such launch takes the short way."""
    return repeated.find(kernel, arguments) is not None


@pytest.mark.parametrize("target", TARGETS)
def test_arrays_from_foreign_pointers(target: str) -> None:
    rows, out = np.arange(24, dtype=np.float32).reshape(6, 4), np.zeros((2, 4), np.float32)
    for first in range(2):  # the second launch takes the short way
        x = rows[first:]
        cutile.launch((2,), doubled_rows, (x[:4], out), target=target)
        assert np.array_equal(out, x[:4:2] * 2)
    assert again(doubled_rows, rows[:4], out) is (target == "cpu")


@pytest.mark.parametrize("target", TARGETS)
def test_exceptions_of_the_compiler_reach_the_caller(target: str) -> None:
    out = np.zeros(4, np.int32)
    cutile.launch((1,), at_most_four, (out, 4), target=target)
    assert out.tolist() == [4] * 4
    with pytest.raises(ct.StaticException, match="ValueError: 5 are too many") as raised:
        cutile.launch((1,), at_most_four, (out, 5), target=target)
    assert str(raised.value).startswith(f"{__file__}:")
    assert not again(at_most_four, out, 5)


@pytest.mark.parametrize("target", TARGETS)
def test_functions_of_both_sides(target: str) -> None:
    x, out = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    cutile.launch((1,), cubes, (x, out), target=target)
    assert out.tolist() == [cubed(value) for value in range(4)]
    with pytest.raises(ct.TileError, match=r"only_on_the_host\(\) is not supported in device code"):
        cutile.launch((1,), calls_the_host, (x,), target=target)


@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_80", "sim:sm_90"])
@pytest.mark.parametrize("warps", WARPS)
def test_every_number_of_warps_runs(warps: int, target: str) -> None:
    kernel = sums.replace_hints(num_worker_warps=warps)
    x, out = np.arange(512, dtype=np.float32), np.zeros(2, np.float32)
    for _ in range(2):
        out[:] = 0
        cutile.launch((2,), kernel, (x, out), target=target)
        assert out.tolist() == [x[:256].sum(), x[256:].sum()]
    assert again(kernel, x, out) is (target == "cpu")


@pytest.mark.parametrize("warps", WARPS)
def test_the_number_of_warps_is_in_bytecode_and_ptx(warps: int) -> None:
    x, out = np.zeros(512, np.float32), np.zeros(2, np.float32)
    made = cutile.compile_to_bytecode(sums.replace_hints(num_worker_warps=warps), (x, out))
    usual = cutile.writable_versions()[-1]
    assert made.version == (usual if warps in (4, 8) else "13.5")
    code, text, error = disassemble(made.bytecode)
    assert code == 0, error
    assert f"num_worker_warps_per_cta = {warps}" in text
    ptx = str(compile_module(made, target="sm_90").asm["ptx"])
    assert re.findall(r"\.reqntid (\d+)", ptx) == [str(32 * warps)]
    launch(made.bytecode, made.symbol, (2,), [x, 512, 1, out, 2, 1])


def test_numbers_of_warps_by_target() -> None:
    arguments = np.zeros(512, np.float32), np.zeros(2, np.float32)
    usual = cutile.writable_versions()[-1]
    for hint, version in (
        (ct.ByTarget(sm_90=4, default=8), usual),
        (ct.ByTarget(sm_90=16, default=8), "13.5"),
        (ct.ByTarget(sm_90=4, default=2), "13.5"),
        (ct.ByTarget(sm_90=4), usual),
        (None, usual),
    ):
        kernel = sums.replace_hints(num_worker_warps=hint)
        assert cutile.compile_to_bytecode(kernel, arguments).version == version


def test_a_version_that_cannot_hold_the_warps_is_refused_by_the_frontend() -> None:
    arguments = np.zeros(512, np.float32), np.zeros(2, np.float32)
    kernel = sums.replace_hints(num_worker_warps=16)
    with pytest.raises(ct.TileError, match=r"num_worker_warps=16 requires tileiras 13\.5"):
        cutile.compile_to_bytecode(kernel, arguments, version="13.4")


PROGRAM = """
import numpy as np
import cuda.tile as ct

@ct.kernel(num_worker_warps=16)
def reversed_view(x, out):
    seen = ct.Array.from_foreign(x.foreign_pointer, (2, 2), (1, 2))
    ct.store(out, (0, 0), ct.load(seen, (0, 0), shape=(2, 2)))

@ct.kernel
def never(x):
    raise ct.static_exception(ValueError("never"))

x, out = np.arange(4, dtype=np.float32), np.zeros((2, 2), np.float32)
for _ in range(2):
    ct.launch(0, (1,), reversed_view, (x, out))
print(out.tolist())
try:
    ct.launch(0, (1,), never, (x,))
except ct.StaticException as error:
    print(str(error).splitlines()[0])
"""


@pytest.mark.parametrize("target", TARGETS)
def test_a_program_of_its_own(target: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from tilewright.cli.main import main

    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["run", "--target", target, str(path)])
    assert not end.value.code
    assert (
        capfd.readouterr().out == "[[0.0, 2.0], [1.0, 3.0]]\n"
        f"{path}:12:5: error[TW0525]: Exception was raised at compile time (ValueError: never)\n"
    )
