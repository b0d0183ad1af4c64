"""What every way to launch a kernel refuses, as a table: a launch of `out[i] = x[i]` with one thing wrong."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.cutile.foreign import OldDlpack
from tilewright.ir.diagnostic import DiagnosticError

COUNT = 4
"""Elements of the arrays, and tile blocks of none but the refused grids."""
ARGUMENT, READ_ONLY, GRID = "TW0401", "TW0404", "TW0505"
FLAT, GPU, CUTILE, TRITON = "flat", "flat on a GPU", "cuTile", "Triton"
"""Kinds of doors: flat arguments of Tile IR, the same for a GPU, and kernels of the two frontends."""


@dataclass(frozen=True)
class Launch:
    """The arguments of a launch; ``extra`` are arguments too many, and ``drops`` is how many are missing."""

    out: Any
    x: Any
    grid: Any = (1,)
    drops: int = 0
    extra: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Refusal:
    """One thing that is wrong: what the launch is, the code of the refusal, and the doors that it is no mistake for."""

    name: str
    make: Callable[[], Launch]
    code: str
    not_at: Mapping[str, str] = field(default_factory=dict[str, str])
    """By the kind of a door, why there is nothing to be refused."""


def numbers(dtype: str = "int32") -> Any:
    return np.zeros(COUNT, dtype)


def locked() -> Any:
    array = numbers()
    array.flags.writeable = False
    return array


def mapping() -> mmap.mmap:
    with tempfile.TemporaryFile() as file:
        file.write(bytes(4 * COUNT))
        file.flush()
        return mmap.mmap(file.fileno(), 4 * COUNT, access=mmap.ACCESS_READ)


def memory_map() -> Any:
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(4 * COUNT))
        file.flush()
        return np.memmap(file.name, np.int32, "r")


class OnGpu:
    """An array in the memory of a GPU."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": (COUNT,), "typestr": "<i4", "data": (1 << 40, False), "version": 3}


def of(make: Callable[[], Any]) -> Callable[[], Launch]:
    """A launch with this in the place of the array that is written."""
    return lambda: Launch(make(), numbers())


def of_bytes(make: Callable[[], Any]) -> Callable[[], Launch]:
    """As `of`, for memory that is bytes to a kernel."""
    return lambda: Launch(make(), np.zeros(4 * COUNT, np.uint8))


def on(grid: Any) -> Callable[[], Launch]:
    """A launch on a grid."""
    return lambda: Launch(numbers(), numbers(), grid)


REFUSALS = (
    Refusal("a read-only array", of(locked), READ_ONLY),
    Refusal("a read-only slice", of(lambda: np.broadcast_to(numbers(), (2, COUNT))[1]), READ_ONLY),
    Refusal("an array that is repeated", of(lambda: np.broadcast_to(np.int32(0), (COUNT,))), READ_ONLY),
    Refusal("an array over bytes", of(lambda: np.frombuffer(bytes(4 * COUNT), np.int32)), READ_ONLY),
    Refusal("bytes", of_bytes(lambda: bytes(4 * COUNT)), READ_ONLY),
    Refusal("a read-only memoryview", of_bytes(lambda: memoryview(bytearray(16)).toreadonly()), READ_ONLY),
    Refusal("a read-only mapping", of_bytes(mapping), READ_ONLY),
    Refusal("an array over a read-only mapping", of(lambda: np.frombuffer(mapping(), np.int32)), READ_ONLY),
    Refusal("a read-only numpy.memmap", of(memory_map), READ_ONLY),
    Refusal("DLPack that does not say that it may be written", of(lambda: OldDlpack(numbers())), READ_ONLY),
    Refusal("objects", of(lambda: numbers("object")), ARGUMENT),
    Refusal("numbers of another byte order", of(lambda: numbers(">i4")), ARGUMENT),
    Refusal("complex numbers", of(lambda: numbers("complex64")), ARGUMENT),
    Refusal("text elements", of(lambda: numbers("U4")), ARGUMENT),
    Refusal("a masked array", of(lambda: np.ma.masked_less(numbers(), 1)), ARGUMENT),
    Refusal("memory of a GPU", of(OnGpu), ARGUMENT, {GPU: "it is memory of that GPU"}),
    Refusal("text", of(lambda: "out"), ARGUMENT),
    Refusal("an object", of(object), ARGUMENT),
    Refusal(
        "None",
        of(lambda: None),
        ARGUMENT,
        {
            FLAT: "it is the null pointer",
            GPU: "it is the null pointer",
            TRITON: "it is a constant of the language, which a kernel may compare with",
        },
    ),
    Refusal(
        "an array that runs backwards",
        of(lambda: numbers()[::-1]),
        ARGUMENT,
        {
            FLAT: "a pointer leads to its first element, and strides are arguments of the program",
            GPU: "a pointer leads to its first element, and strides are arguments of the program",
        },
    ),
    Refusal(
        "no tile block",
        on((0,)),
        GRID,
        {TRITON: "programs launch nothing where there is nothing to do"},
    ),
    Refusal("a negative extent", on((1, -1)), GRID),
    Refusal("two negative extents", on((-1, -1)), GRID),
    Refusal("half a tile block", on((1.5,)), GRID),
    Refusal("four extents", on((1, 1, 1, 1)), GRID),
    Refusal("too many tile blocks along an axis", on((1, 1 << 24)), GRID),
    Refusal("a word as a grid", on(("x",)), GRID),
    Refusal("a missing argument", lambda: Launch(numbers(), numbers(), drops=1), ARGUMENT),
    Refusal("an argument too many", lambda: Launch(numbers(), numbers(), extra=(numbers(),)), ARGUMENT),
)


def check(kind: str, refusal: Refusal, launch: Callable[[Launch], object]) -> None:
    """Hold one refusal against a door of a kind: a diagnostic with a code, the parameter's name and a way out."""
    given = refusal.make()
    try:
        launch(given)
    except DiagnosticError as error:
        (found,) = error.diagnostics
    else:
        raise AssertionError(f"{refusal.name} is accepted")
    assert str(found.code) == refusal.code, found
    assert found.hints, found
    names = subject_of(kind, refusal, given)
    assert names in str(found), found
    if refusal.code == READ_ONLY and isinstance(given.out, bytes | np.ndarray):
        assert not np.frombuffer(bytes(given.out), np.uint8).any()


def subject_of(kind: str, refusal: Refusal, given: Launch) -> str:
    """What the refusal has to name; flat parameters of Tile IR have numbers only."""
    if refusal.code == GRID:
        return "grid"
    if given.drops or given.extra:
        return "k"
    return "argument 1 of entry 'k'" if kind in (FLAT, GPU) else "this is argument 'out'"
