"""How far elements are apart that tiles of pointers name: in every run, and if no narrow sum wraps around."""

from __future__ import annotations

import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT, kernel, lowered
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.lowering.access_facts.corners import NotAffine
from tilewright.lowering.access_facts.pointers import PointerFacts, range_of_pointers
from tilewright.lowering.access_facts.positions import PositionFacts
from tilewright.lowering.tileaa_to_tileas.bodies import ConvertTileAABodies
from tilewright.optimizer.analysis.intervals import Interval
from tilewright.passes.manager import PassManager

START = """
  %t = make_token : token
  %x, %y, %z = get_tile_block_id : tile<i32>
  %row = iota : tile<8xi32>
"""
LOAD = """
  %one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
  %base = broadcast %one : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %places = offset %base, %o : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  %v, %u = load_ptr_tko weak %places token=%t : tile<8xptr<f32>> -> tile<8xf32>, token
"""
PARAMETERS = "%p: tile<ptr<f32>>, %n: tile<i32>"


def spread(scalar: str, name: str) -> str:
    return f"""
  %{name}1 = reshape %{scalar} : tile<i32> -> tile<1xi32>
  %{name} = broadcast %{name}1 : tile<1xi32> -> tile<8xi32>
"""


def blocks_of(size: int) -> str:
    """Each tile block begins so many elements behind the one before it."""
    scaled = f"%c = constant <i32: {size}> : tile<i32>\n%s = muli %x, %c : tile<i32>\n"
    return scaled + spread("s", "b") + "%o = addi %b, %row : tile<8xi32>\n"


def loaded(text: str) -> LoadOp:
    """The only load of a kernel in TileAS form."""
    module = lowered(kernel(START + text, PARAMETERS))
    PassManager(CONTEXT).add(ConvertTileAABodies()).run(module)
    (load,) = (op for op in module.walk() if isinstance(op, LoadOp))
    return load


def distances(offsets: str) -> tuple[int | None, int | None]:
    load, facts = loaded(offsets + LOAD), PointerFacts()
    return facts.distance(load.base, 0), facts.likely_distance(load.base, 0)


@pytest.mark.parametrize("size", [8, 16, 1024])
def test_aligned_rows_cannot_wrap_around(size: int) -> None:
    assert distances(blocks_of(size)) == (1, 1)


def test_grids_bound_where_rows_begin() -> None:
    """The last row begins at less than 2^24 * 3, so no sum wraps around, aligned or not."""
    assert distances(blocks_of(3)) == (1, 1)


def test_rows_that_begin_anywhere_may_wrap_around() -> None:
    anywhere = spread("n", "b") + "%o = addi %b, %row : tile<8xi32>\n"
    assert distances(anywhere) == (None, 1)


def test_promises_are_not_believed() -> None:
    promised = "%q = assume div_by<8>, %n : tile<i32>\n"
    assert distances(promised + spread("q", "b") + "%o = addi %b, %row : tile<8xi32>\n") == (None, 1)


def test_counters_of_loops_are_multiples_of_their_steps() -> None:
    loop = """
  %low = constant <i32: 16> : tile<i32>
  %step = constant <i32: 8> : tile<i32>
  for %i in (%low to %n, step %step) : tile<i32> {
"""
    body = loop + spread("i", "b") + "%o = addi %b, %row : tile<8xi32>\n" + LOAD + "\ncontinue\n}\n"
    assert PointerFacts().distance(loaded(body).base, 0) == 1


def test_one_element_for_all() -> None:
    assert distances(spread("n", "o")) == (0, 0)


def test_rows_that_run_backwards() -> None:
    assert distances(spread("n", "b") + "%o = subi %b, %row : tile<8xi32>\n") == (None, None)


def limits(offsets: str) -> tuple[list[tuple[int | None, int | None]], list[Interval]]:
    """The limits of the conditions under which a tile is of one piece of memory, and the bounds of its ends."""
    load, facts = loaded(offsets + LOAD), PointerFacts()
    positions = PositionFacts(facts.values)
    span = range_of_pointers(positions, facts, load.base, lambda value: value)
    conditions = [(fit.least, fit.most) for fit in span.conditions]
    return conditions, [positions.bounds(span.least), positions.bounds(span.most)]


def test_what_no_program_can_exceed_is_no_condition() -> None:
    conditions, (first, last) = limits(blocks_of(16))
    assert conditions == []
    assert last.low - first.low == last.high - first.high == 7


def test_sums_that_may_wrap_around_have_one_limit() -> None:
    conditions, _ = limits(spread("n", "b") + "%o = addi %b, %row : tile<8xi32>\n")
    assert conditions == [(None, (1 << 31) - 1)]


def test_rows_that_run_backwards_end_where_they_begin() -> None:
    zero = "%c = constant <i32: 100> : tile<i32>\n" + spread("c", "b")
    conditions, ends = limits(zero + "%o = subi %b, %row : tile<8xi32>\n")
    assert conditions == []
    assert ends == [Interval(93, 93), Interval(100, 100)]


def test_a_row_that_never_fits_has_no_range() -> None:
    most = f"%c = constant <i32: {(1 << 31) - 4}> : tile<i32>\n" + spread("c", "b")
    with pytest.raises(NotAffine):
        limits(most + "%o = addi %b, %row : tile<8xi32>\n")
