"""What tests of kernels on GPUs are made of: parts of programs, data, and the comparison with the interpreter."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

import tilewright
from tilewright.driver.artifact import Artifact

CHIPS = ("sm_75", "sm_80", "sm_90a")
FLOAT, HALF, INTEGER = np.float32, np.float16, np.int32


def view(name: str, shape: tuple[int, ...], tile: tuple[int, ...], element: str) -> tuple[str, str]:
    """What makes ``%NAME_v``, a view of the array behind ``%NAME`` cut into tiles, and its type."""
    strides = [int(np.prod(shape[at + 1 :], dtype=int)) for at in range(len(shape))]
    whole = f"tensor_view<{'x'.join(map(str, shape))}x{element}, strides={strides}>"
    cut = f"partition_view<tile=({'x'.join(map(str, tile))}), {whole}>"
    made = f"%{name}_a = make_tensor_view %{name}, shape = {list(shape)}, strides = {strides} : {whole}\n"
    return made + f"%{name}_v = make_partition_view %{name}_a : {cut}\n", cut


def load(result: str, name: str, cut: str, at: str, tile: str) -> str:
    """Loads the tile of a view at an index."""
    return (
        f"%{result}, %{result}_t = load_view_tko weak %{name}_v[{at}] : {cut}, tile<i32> -> {tile}, token\n"
    )


def store(value: str, name: str, cut: str, at: str, tile: str) -> str:
    """Stores a tile into a view at an index."""
    return f"%{value}_s = store_view_tko weak %{value}, %{name}_v[{at}] : {tile}, {cut}, tile<i32> -> token\n"


def kernel(parameters: str, body: str) -> str:
    """A module with one kernel, of which `%zero`, `%one`, and `%i`, `%j`, `%l` (where the block is) are known."""
    return f"""
cuda_tile.module @m {{
  entry @k({parameters}) {{
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %i, %j, %l = get_tile_block_id : tile<i32>
    {body}
    return
  }}
}}
"""


@lru_cache(maxsize=64)
def compiled(text: str, target: str) -> Artifact:
    """A kernel compiled for a target; tests that look at one text in several ways share it.  Globals keep their values."""
    return tilewright.compile(text, target=target)


def ptx_of(text: str, chip: str = "sm_80") -> str:
    """The PTX of a kernel, with lines, as the simulator runs it."""
    return str(compiled(text, f"sim:{chip}").asm["ptx"])


class HeldArray(NamedTuple):
    """An array that does not change."""

    contents: bytes
    dtype: Any
    shape: tuple[int, ...]


def _held(arguments: list[Any]) -> tuple[HeldArray | Any, ...]:
    """Return arguments whose arrays do not change."""
    return tuple(
        HeldArray(one.tobytes(), one.dtype, one.shape) if isinstance(one, np.ndarray) else one
        for one in arguments
    )


def _free(given: Any) -> Any:
    """Return the array that is held, to be written to, or the number."""
    if not isinstance(given, HeldArray):
        return given
    return np.ndarray(given.shape, given.dtype, given.contents).copy()


@lru_cache(maxsize=64)
def interpreted(text: str, grid: tuple[int, ...], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the interpreter does to arrays; tests of one kernel on several chips share it."""
    arrays = [_free(one) for one in given]
    tilewright.launch(text, "k", grid, arrays, target="interp")
    return _held(arrays)


def same(text: str, grid: tuple[int, ...], arrays: list[Any], chip: str) -> list[Any]:
    """What the interpreter does to arrays; the simulator must do the same, bit for bit, but for the bits of a NaN, as GPUs
    have another NaN.  Arguments may be numbers, too.
    """
    held = _held(arrays)
    wanted, given = ([_free(one) for one in each] for each in (interpreted(text, grid, held), held))
    compiled(text, f"sim:{chip}").launch(grid, given, entry="k")
    for one, other in zip(wanted, given, strict=True):
        assert with_one_nan(one).tobytes() == with_one_nan(other).tobytes()
    return wanted


def with_one_nan(given: Any) -> Any:
    """Return an array, or a number, with the same bits for every NaN."""
    found = np.array(given)
    if found.dtype.kind in "fV":
        found[np.isnan(found)] = np.nan
    return found


def integers(shape: tuple[int, ...], type: Any = FLOAT) -> Any:
    """Small integers, which sums of any order add up exactly."""
    count = int(np.prod(shape))
    return (np.arange(count) * 7 % 11 - 5).reshape(shape).astype(type)
