"""What tests of kernels on GPUs are made of: parts of programs, data, and the comparison with the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np

import tilewright

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


def same(text: str, grid: tuple[int, ...], arrays: list[Any], chip: str) -> list[Any]:
    """What the interpreter does to arrays; the simulator must do the same, bit for bit.  Arguments may be numbers, too."""
    results: list[list[Any]] = []
    for target in ("interp", f"sim:{chip}"):
        own = [array.copy() if isinstance(array, np.ndarray) else array for array in arrays]
        tilewright.launch(text, "k", grid, own, target=target)
        results.append(own)
    for wanted, given in zip(*results, strict=True):
        assert np.asarray(wanted).tobytes() == np.asarray(given).tobytes()
    return results[0]


def integers(shape: tuple[int, ...], type: Any = FLOAT) -> Any:
    """Small integers, which sums of any order add up exactly."""
    count = int(np.prod(shape))
    return (np.arange(count) * 7 % 11 - 5).reshape(shape).astype(type)
