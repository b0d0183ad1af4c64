"""The short way for launches like one before gives what the long way gives, and refuses what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")
ct = pytest.importorskip("cuda.tile")
pytest.importorskip("llvmlite")

from tests.cutile.foreign import OldDlpack, Tensor  # noqa: E402
from tilewright import cutile  # noqa: E402
from tilewright.cutile import known, repeated  # noqa: E402
from tilewright.cutile.errors import LaunchError  # noqa: E402


@ct.kernel
def scale(x, out, factor, offset, block: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.load(x, i, shape=(block,)) * factor + offset)


@ct.kernel
def fill(arrays):
    for i in range(len(arrays)):
        ct.store(arrays[i], 0, ct.full((8,), 1, ct.float32))


@pytest.fixture(autouse=True)
def fresh() -> None:
    cutile.clear_cache()


def launched(x: Any, out: Any, factor: Any = 2, offset: Any = 0.5, block: Any = 8) -> Any:
    cutile.launch((ct.cdiv(len(x), 8),), scale, (x, out, factor, offset, block))
    return out


def is_short(*args: Any) -> bool:
    return repeated.find(scale, args) is not None


def test_the_second_launch_is_short() -> None:
    x, out = np.arange(20, dtype=np.float32), np.zeros(20, np.float32)
    assert not is_short(x, out, 2, 0.5, 8)
    launched(x, out)
    assert is_short(x, out, 2, 0.5, 8)
    assert is_short(x.copy(), out.copy(), -7, 1e30, 8)
    other = np.zeros(20, np.float32)
    assert (launched(x + 1, other, 3, 1.5) == (x + 1) * 3 + 1.5).all()
    assert (out == x * 2 + 0.5).all()


@pytest.mark.parametrize(
    "other",
    [
        lambda x, out: (x.astype(np.float16), out, 2, 0.5, 8),
        lambda x, out: (x[:19], out, 2, 0.5, 8),
        lambda x, out: (x[::2], out[::2], 2, 0.5, 8),
        lambda x, out: (x[1:], out[1:], 2, 0.5, 8),
        lambda x, out: (x, out, 2.0, 0.5, 8),
        lambda x, out: (x, out, True, 0.5, 8),
        lambda x, out: (x, out, 2, 0.5, 4),
        lambda x, out: (x, out.astype(np.float64), 2, 0.5, 8),
    ],
)
def test_what_makes_another_kernel(other: Any) -> None:
    x, out = np.arange(20, dtype=np.float32), np.zeros(20, np.float32)
    launched(x, out)
    arguments = other(x, out)
    assert not is_short(*arguments)
    for _ in range(2):
        out[:] = 0
        cutile.launch((5,), scale, arguments)
        expected = (arguments[0] * np.float32(arguments[2]) + 0.5).astype(out.dtype)
        assert (arguments[1][: len(expected)] == expected[: len(arguments[1])]).all()


def test_strided_arrays_are_short_too() -> None:
    x, out = np.arange(40, dtype=np.float32)[::2], np.zeros(40, np.float32)[::2]
    launched(x, out)
    assert is_short(x, out, 2, 0.5, 8)
    out[:] = 0
    assert (launched(x, out) == x * 2 + 0.5).all()


def test_tensors_are_short_too() -> None:
    x, out = (np.arange(20, dtype=np.float32) for _ in range(2))
    launched(Tensor(x), Tensor(out))
    assert is_short(Tensor(x.copy()), Tensor(out.copy(), requires_grad=True), 2, 0.5, 8)
    out[:] = 0
    launched(Tensor(x + 1), Tensor(out))
    assert (out == (x + 1) * 2 + 0.5).all()


@pytest.mark.parametrize(
    "other",
    [
        lambda x: Tensor(x[:19]),
        lambda x: Tensor(x[1:]),
        lambda x: Tensor(np.zeros(40, np.float32)[::2]),
        lambda x: Tensor(x, device="cuda"),
        lambda x: Tensor(x, is_negated=True),
        lambda x: type("Tensor", (Tensor,), {"__module__": "elsewhere"})(x),
    ],
)
def test_tensors_that_lie_otherwise_are_not(other: Any) -> None:
    x, out = np.arange(20, dtype=np.float32), np.zeros(20, np.float32)
    launched(Tensor(x), Tensor(out))
    assert not is_short(other(x), Tensor(out), 2, 0.5, 8)


def test_refusals_stay() -> None:
    x, out = np.arange(20, dtype=np.float32), np.zeros(20, np.float32)
    launched(x, out)
    locked = x.copy()
    locked.flags.writeable = False
    for arguments in ((x, locked), (x, out, 1 << 40), (x, out, 2, "x"), (x, None)):
        with pytest.raises(LaunchError):
            launched(*arguments)
    with pytest.raises(LaunchError, match="5 arguments"):
        cutile.launch((1,), scale, (x, out))
    for grid in ((0,), (1, 1, 1, 1), (1 << 24,), ("x",)):
        with pytest.raises(LaunchError):
            cutile.launch(grid, scale, (x, out, 2, 0.5, 8))


def test_arrays_that_are_only_read_may_be_read_only() -> None:
    x, out = np.arange(20, dtype=np.float32), np.zeros(20, np.float32)
    locked = x.copy()
    locked.flags.writeable = False
    launched(x, out)
    assert not is_short(locked, out, 2, 0.5, 8)
    for _ in range(2):
        out[:] = 0
        assert (launched(locked, out) == x * 2 + 0.5).all()
        assert is_short(locked, out, 2, 0.5, 8)
    before = locked.copy()
    for _ in range(2):
        with pytest.raises(LaunchError, match="Invalid kernel argument #1: the array is read-only") as raised:
            launched(x, locked)
        assert "note: this is argument 'out'" in str(raised.value)
    assert (locked == before).all()


@pytest.mark.parametrize("target", ["cpu", "interp"])
def test_items_of_lists_must_be_writeable_where_the_kernel_writes(target: str) -> None:
    locked = np.zeros(8, np.float32)
    locked.flags.writeable = False
    arrays = [np.zeros(8, np.float32), locked]
    with pytest.raises(LaunchError, match="Invalid item #1 of kernel argument #0: the array is read-only"):
        cutile.launch((1,), fill, (arrays,), target=target)
    with pytest.raises(LaunchError, match="Invalid kernel argument #1: the array is read-only"):
        cutile.launch((1,), scale, (arrays[0], OldDlpack(arrays[0]), 2, 0.5, 8), target=target)
    cutile.launch((1,), fill, (arrays[:1],), target=target)
    assert (arrays[0] == 1).all()


def test_other_targets_and_checks_are_not() -> None:
    x, out = np.arange(20, dtype=np.float32), np.zeros(19, np.float32)
    for options in ({"target": "interp"}, {"check": "memcheck"}):
        cutile.launch((3,), scale, (x, out, 2, 0.5, 8), **options)
        assert not is_short(x, out, 2, 0.5, 8)


def test_not_more_than_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MAXIMUM_KEPT", 2)
    for length in range(16, 20):
        x = np.arange(length, dtype=np.float32)
        launched(x, x.copy())
    assert len(known.known(scale).launches) == 2


@pytest.mark.usefixtures("young_heap")
def test_kernels_that_are_gone_are_forgotten() -> None:
    x, out = np.arange(20, dtype=np.float32), np.zeros(20, np.float32)
    kernel = ct.kernel(scale._annotated_function.pyfunc)
    cutile.launch((3,), kernel, (x, out, 2, 0.5, 8))
    number = id(kernel)
    assert number in known._kernels
    del kernel
    import gc

    gc.collect()
    assert number not in known._kernels
