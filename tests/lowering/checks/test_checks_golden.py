"""What checks look like in small kernels; ``pytest --bless`` writes the texts anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import compare
from tests.lowering.checks.checked_modules import checked, parsed
from tests.lowering.cuda_tile_to_tileaa.lowered import kernel, lowered

FOLDER = Path(__file__).parent / "golden"
FLOATS = "%p: tile<ptr<f32>>"

LOAD = """
 %t = make_tensor_view %p, shape = [10], strides = [1] : tensor_view<10xf32, strides=[1]>
 %v = make_partition_view %t : partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>
 %n = constant <i32: 2> : tile<i32>
 %x, %a = load_view_tko weak %v[%n] : partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>, tile<i32>
   -> tile<4xf32>, token
"""
STORE = """
 %b = store_view_tko weak %y, %v[%n] token = %a : tile<4xf32>,
   partition_view<tile=(4), tensor_view<10xf32, strides=[1]>>, tile<i32> -> token
"""
KERNELS = {
    "fpcheck": (FLOATS, f"{LOAD} %y = divf %x, %x : tile<4xf32>\n{STORE}"),
    "initcheck": (FLOATS, f"{LOAD} %y = addf %x, %x : tile<4xf32>\n{STORE}"),
    "initcheck_loop": (
        f"{FLOATS}, %lower: tile<i32>, %upper: tile<i32>, %step: tile<i32>",
        f"""{LOAD}
 %y = for %i in (%lower to %upper, step %step) : tile<i32> iter_values(%z = %x) -> (tile<4xf32>) {{
   %w = mulf %z, %x : tile<4xf32>
   continue %w : tile<4xf32>
 }}
{STORE}""",
    ),
    "promises": (
        "%m: tile<i32>, %k: tile<i32>",
        """
 %s = addi %m, %k overflow<no_signed_wrap> : tile<i32>
 %q = divi %s, %k signed : tile<i32>
 %r = assume bounded<0, 10>, %q : tile<i32>
 print_tko "%i", %r : tile<i32> -> token
""",
    ),
    "promises_folded": (
        "%p: tile<ptr<i32>>",
        """
 %x = iota : tile<8xi32>
 %s = reduce %x dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
 (%e: tile<i32>, %acc: tile<i32>) {
   %t = addi %e, %acc overflow<no_unsigned_wrap> : tile<i32>
   yield %t : tile<i32>
 }
""",
    ),
}


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str, bless: bool) -> None:
    parameters, body = KERNELS[name]
    made = checked(parsed(kernel(body, parameters)), name.split("_")[0])
    text = str(made)
    compare(FOLDER / f"{name}.mlir", f"{text}\n// becomes\n{lowered(made)}\n", bless=bless)
