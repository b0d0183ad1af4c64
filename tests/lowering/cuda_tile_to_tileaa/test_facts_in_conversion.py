"""What follows from where numbers come from: which accesses lie inside, and how wide numbers and counters are."""

from __future__ import annotations

import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import check, kernel, lowered
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileIRFacts
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.testing import sample_modules

ACCESS = """
  %t = make_tensor_view %a, shape = [{extent}], strides = [1] : {given}tensor_view<{size}xf32, strides=[1]>
  %v = make_partition_view %t : partition_view<tile=(8), tensor_view<{size}xf32, strides=[1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  {index}
  %r, %k = load_view_tko weak %v[%i] : partition_view<tile=(8), tensor_view<{size}xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
"""
PARAMETERS = "%a: tile<ptr<f32>>, %n: tile<i32>"
PLAIN = "%i = addi %x, %y : tile<i32>"


def access(extent: str, index: str = PLAIN, before: str = "") -> str:
    dynamic = extent.startswith("%")
    text = ACCESS.format(
        extent=extent, size="?" if dynamic else extent, given="tile<i32> -> " if dynamic else "", index=index
    )
    return check(lowered(kernel(before + text, PARAMETERS)))


@pytest.mark.parametrize(
    ("extent", "index", "before", "inside"),
    [
        ("64", PLAIN, "", False),
        ("60", PLAIN, "", False),
        ("60", "%i = constant <i32: 6> : tile<i32>", "", True),
        ("60", "%i = constant <i32: 7> : tile<i32>", "", False),
        ("%n", PLAIN, "", False),
        ("%m", PLAIN, "%m = assume div_by<16>, %n : tile<i32>\n", False),
    ],
)
def test_tiles_that_cannot_stick_out(extent: str, index: str, before: str, inside: bool) -> None:
    """Tiles that cover an extent exactly may be named by an index past the last one."""
    text = access(extent, index, before)
    assert ("in_bounds" not in text) == inside
    assert ("padding_value" not in text) == inside


def test_numbers_that_may_use_the_sign_bit_are_widened() -> None:
    assert "arith.extui %arg1 : i32 to i64" in access("%n")
    bounded = access("%m", before="%m = assume bounded<0, ?>, %n : tile<i32>\n")
    assert "arith.extui" not in bounded
    assert "(!nv_tileaa.ptr<f32, 1>, i32) -> !nv_tileaa.memref" in bounded


@pytest.mark.parametrize(("step", "width"), [("1", "i32"), ("2", "i64")])
def test_counters_are_as_wide_as_they_must_be(step: str, width: str) -> None:
    body = f"""
      %o = constant <i32: 0> : tile<i32>
      %s = constant <i32: {step}> : tile<i32>
      for %i in (%o to %n, step %s) : tile<i32> {{
        continue
      }}
    """
    text = check(lowered(kernel(body, PARAMETERS)))
    assert next(line for line in text.splitlines() if "scf.for" in line).rstrip("{ ").endswith(width)


def test_less_is_known_than_the_analysis_knows_and_nothing_else() -> None:
    """The same bounds or wider ones, for every integer of random programs."""
    for module in sample_modules(25, seed="questions"):
        analysis, questions = ValueFactsAnalysis(module), TileIRFacts()
        for op in module.walk():
            for value in op.results:
                wide, narrow = questions.bounds(value), analysis.bounds(value)
                if wide is not None and narrow is not None and analysis.exists(value):
                    assert wide.low <= narrow.low
                    assert narrow.high <= wide.high
