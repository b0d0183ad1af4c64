"""What is found out, exactly: answers of the query object for small kernels, and reasons for them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.optimizer.optimizing import kernel
from tilewright.dialects.cuda_tile.ops import control as ops_control, memory as ops_memory, view as ops_view
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.intervals import Interval
from tilewright.optimizer.analysis.pointer_origins import AccessOverlap
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.optimizer.analysis.runs import AxisFacts
from tilewright.passes.analysis import AnalysisManager, PreservedAnalyses

POINTERS = "%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<i32>"
ADDRESSES = """
    %bid, %y, %z = get_tile_block_id : tile<i32>
    %c128 = constant <i32: 128> : tile<i32>
    %base = assume div_by<16>, %p : tile<ptr<f32>>
    %start = muli %bid, %c128 overflow<no_signed_wrap> : tile<i32>
    %i = iota : tile<128xi32>
    %s1 = reshape %start : tile<i32> -> tile<1xi32>
    %s = broadcast %s1 : tile<1xi32> -> tile<128xi32>
    %offs = addi %s, %i : tile<128xi32>
    %b1 = reshape %base : tile<ptr<f32>> -> tile<1xptr<f32>>
    %b = broadcast %b1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %ptrs = offset %b, %offs : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %n16 = assume div_by<16>, %n : tile<i32>
    %n1 = reshape %n16 : tile<i32> -> tile<1xi32>
    %nn = broadcast %n1 : tile<1xi32> -> tile<128xi32>
    %mask = cmpi less_than %offs, %nn, signed : tile<128xi32> -> tile<128xi1>
"""


def analysed(body: str, parameters: str = POINTERS) -> tuple[Operation, ValueFactsAnalysis]:
    module = kernel(body, parameters)
    return module, ValueFactsAnalysis(module)


def results(module: Operation, name: str) -> list[Value]:
    """The first results of all operations of a name."""
    return [op.results[0] for op in module.walk() if op.name == f"cuda_tile.{name}"]


def last(module: Operation, name: str) -> Value:
    return results(module, name)[-1]


def bounds_of(body: str, name: str, parameters: str = POINTERS) -> Interval | None:
    module, facts = analysed(body, parameters)
    return facts.bounds(last(module, name))


class TestAddresses:
    """The canonical kernel: pid * block + iota below n."""

    def test_addresses_of_consecutive_elements(self) -> None:
        module, facts = analysed(ADDRESSES)
        pointers = last(module, "offset")
        assert facts.axis_info(pointers) == (AxisFacts(128, 16, 1),)
        assert facts.divisibility(pointers) == 4
        assert str(facts.pointer_origin(pointers)) == "parameter #0 + [0, 8589934076]"

    def test_the_mask_is_the_same_for_as_many_lanes_as_the_limit_is_aligned_to(self) -> None:
        module, facts = analysed(ADDRESSES)
        assert facts.axis_info(last(module, "cmpi")) == (AxisFacts(1, 1, 16),)

    def test_without_the_promises_there_is_less(self) -> None:
        module, facts = analysed(ADDRESSES.replace("assume div_by<16>", "assume div_by<1>"))
        assert facts.axis_info(last(module, "offset")) == (AxisFacts(128, 1, 1),)
        assert facts.axis_info(last(module, "cmpi")) == (AxisFacts(1, 1, 1),)

    def test_a_start_that_may_wrap_around_counts_inside_its_alignment(self) -> None:
        text = ADDRESSES.replace("muli %bid", "muli %n").replace(" overflow<no_signed_wrap>", "")
        module, facts = analysed(text)
        assert facts.axis_info(last(module, "addi")) == (AxisFacts(128, 128, 1),)
        text = text.replace("<i32: 128>", "<i32: 24>")
        module, facts = analysed(text)
        assert facts.axis_info(last(module, "addi")) == (AxisFacts(8, 8, 1),)

    def test_reasons_go_back_to_promises(self) -> None:
        module, facts = analysed(ADDRESSES)
        text = str(facts.why(last(module, "offset")))
        assert text.splitlines()[0] == (
            "divisor 4, axis 0: contiguity 128 divisibility 16 constancy 1, in parameter #0 + [0, 8589934076]: "
            "cuda_tile.offset: the address plus the offset times the pointee's bytes; runs of either side go on where the other stays"
        )
        assert "promised: #cuda_tile.div_by<16>" in text
        assert "a parameter of @k" in text

    def test_a_reason_has_a_place_and_inputs(self) -> None:
        module, facts = analysed(ADDRESSES)
        found = facts.why(last(module, "addi"))
        assert found.location is last(module, "addi").owner.location
        assert [role for role, _ in found.input_reasons()] == ["operand 0", "operand 1"]


class TestLoops:
    COUNTING = """
      %lo = constant <i32: 0> : tile<i32>
      %st = constant <i32: 16> : tile<i32>
      %hi = constant <i32: 1000> : tile<i32>
      %r = for %i in (%lo to %hi, step %st) : tile<i32> iter_values(%a = %lo) -> (tile<i32>) {
        %b = addi %a, %st : tile<i32>
        continue %b : tile<i32>
      }
    """

    def loop(self, body: str) -> tuple[Any, ValueFactsAnalysis]:
        module, facts = analysed(body)
        return next(op for op in module.walk() if isinstance(op, ops_control.ForOp)), facts

    def test_the_counter_keeps_to_its_bounds_and_its_step(self) -> None:
        op, facts = self.loop(self.COUNTING)
        counter = op.body.block.arguments[0]
        assert facts.bounds(counter) == Interval(0, 992)
        assert facts.divisibility(counter) == 16

    def test_carried_values_are_widened_but_keep_their_divisor(self) -> None:
        op, facts = self.loop(self.COUNTING)
        carried = op.body.block.arguments[1]
        assert facts.bounds(carried) == Interval(-(2**31), 2**31 - 16)
        assert facts.divisibility(carried) == facts.divisibility(op.results[0]) == 16

    @pytest.mark.parametrize(
        ("first", "last", "bounds"),
        [
            (0, 3, Interval(0, 3)),
            (0, 4, Interval(0, 4)),  # the fourth change is still exact
            (0, 5, Interval(0, 2**31 - 1)),
            (-6, 0, Interval(-6, 2**31 - 1)),
        ],
    )
    def test_bounds_that_rise_a_few_times_are_exact(self, first: int, last: int, bounds: Interval) -> None:
        assert self.bounds_of_moving(first, "addi", "mini", last) == bounds

    @pytest.mark.parametrize(
        ("first", "last", "bounds"),
        [
            (4, 0, Interval(0, 4)),
            (5, 0, Interval(0, 5)),  # the fifth change: the value falls to 0, and no further
            (6, 0, Interval(0, 6)),
            (6, -2, Interval(-(2**31), 6)),
            (4, -1, Interval(-(2**31), 4)),
            (3, -1, Interval(-1, 3)),
        ],
    )
    def test_bounds_that_fall_are_at_least_zero_if_they_can(
        self, first: int, last: int, bounds: Interval
    ) -> None:
        assert self.bounds_of_moving(first, "subi", "maxi", last) == bounds

    def bounds_of_moving(self, first: int, step: str, bound: str, last: int) -> Interval | None:
        """The bounds of a value that a loop carries, which moves by 1 until it gets to another one."""
        op, facts = self.loop(f"""
          %one = constant <i32: 1> : tile<i32>
          %first = constant <i32: {first}> : tile<i32>
          %last = constant <i32: {last}> : tile<i32>
          %r = for %i in (%first to %n, step %one) : tile<i32> iter_values(%a = %first) -> (tile<i32>) {{
            %b = {step} %a, %one overflow<no_signed_wrap> : tile<i32>
            %c = {bound} %b, %last signed : tile<i32>
            continue %c : tile<i32>
          }}
        """)
        return facts.bounds(op.body.block.arguments[1])

    def test_a_promise_against_wrapping_keeps_them_positive(self) -> None:
        op, facts = self.loop(
            self.COUNTING.replace(
                "%st : tile<i32>\n        c", "%st overflow<no_signed_wrap> : tile<i32>\n        c"
            )
        )
        assert facts.bounds(op.body.block.arguments[1]) == Interval(0, 2**31 - 16)

    def test_reasons_name_the_edges(self) -> None:
        op, facts = self.loop(self.COUNTING)
        roles = [role for role, _ in facts.why(op.body.block.arguments[1]).input_reasons()]
        assert roles == ["at first", "then"]
        assert [role for role, _ in facts.why(op.results[0]).input_reasons()] == [
            "without an iteration",
            "after the last iteration",
        ]
        assert [role for role, _ in facts.why(op.body.block.arguments[0]).input_reasons()] == [
            "from",
            "below",
            "in steps of",
        ]

    def test_invariant_values_stay_what_they_are(self) -> None:
        body = self.COUNTING.replace("continue %b", "continue %a")
        op, facts = self.loop(body)
        assert facts.constant(op.results[0]) == 0

    def test_endless_loops_have_the_results_of_their_breaks(self) -> None:
        body = """
          %c = constant <i32: 8> : tile<i32>
          %t = cmpi equal %n, %c, signed : tile<i32> -> tile<i1>
          %r = loop iter_values(%a = %c) : tile<i32> -> tile<i32> {
            if %t {
              break %a : tile<i32>
            }
            %d = addi %a, %a : tile<i32>
            continue %d : tile<i32>
          }
        """
        module, facts = analysed(body)
        assert facts.divisibility(last(module, "loop")) == 8


class TestBranches:
    def test_results_are_either(self) -> None:
        body = """
          %c = constant <i32: 8> : tile<i32>
          %d = constant <i32: 12> : tile<i32>
          %t = cmpi equal %n, %c, signed : tile<i32> -> tile<i1>
          %r = if %t -> (tile<i32>) { yield %c : tile<i32> } else { yield %d : tile<i32> }
        """
        module, facts = analysed(body)
        assert facts.bounds(last(module, "if")) == Interval(8, 12)
        assert facts.divisibility(last(module, "if")) == 4

    def test_code_that_never_runs_says_nothing(self) -> None:
        body = """
          %c = constant <i32: 8> : tile<i32>
          %t = cmpi greater_than %c, %c, signed : tile<i32> -> tile<i1>
          %r = if %t -> (tile<i32>) { %x = addi %n, %n : tile<i32>
            yield %x : tile<i32> } else { yield %c : tile<i32> }
        """
        module, facts = analysed(body)
        assert facts.constant(last(module, "if")) == 8
        assert not facts.exists(last(module, "addi"))


class TestPlaces:
    def overlap(self, body: str, first: str, second: str) -> tuple[AccessOverlap, str]:
        module, facts = analysed(body)
        answer = facts.alias(results(module, first)[0], last(module, second))
        return answer.overlap, answer.because

    def test_two_parameters_may_be_the_same(self) -> None:
        module, facts = analysed("")
        entry: Any = next(op for op in module.walk() if isinstance(op, ops_control.EntryOp))
        p, q, n = entry.body.block.arguments
        assert facts.alias(p, q) == (AccessOverlap.MAY, "parameter #0 or parameter #1 may be the same memory")
        assert facts.alias(p, p).overlap is AccessOverlap.SAME
        with pytest.raises(ValueError, match="does not lead to memory"):
            facts.alias(p, n)

    def test_allocas_are_memory_of_their_own(self) -> None:
        body = """
          %a = alloca num_elem = 4, alignment = 16 : tile<ptr<f32>>
          %b = alloca num_elem = 4, alignment = 64 : tile<ptr<f32>>
          %c = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i32>>
        """
        module, facts = analysed(body)
        first, second = results(module, "alloca")
        assert facts.divisibility(second) == 64
        assert facts.alias(first, second) == (
            AccessOverlap.DISJOINT,
            "alloca and alloca are different memory",
        )
        assert facts.alias(first, last(module, "ptr_to_ptr")).overlap is AccessOverlap.DISJOINT

    def test_distances_within_one_parameter(self) -> None:
        body = """
          %c1 = constant <i32: 1> : tile<i32>
          %a = offset %p, %c1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
          %b = offset %a, %c1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        """
        assert self.overlap(body, "offset", "offset") == (
            AccessOverlap.DISJOINT,
            "bytes [4, 4] and [8, 8] of parameter #0 do not overlap",
        )
        wide = body.replace(
            "%b = offset %a, %c1 : tile<ptr<f32>>", "%w = ptr_to_ptr %a : tile<ptr<f32>> -> tile<ptr<f64>>"
        )
        wide = wide.split(", tile<i32> -> tile<ptr<f32>>\n        ")[0] + "\n"
        assert self.overlap(body.replace("%a, %c1", "%p, %c1"), "offset", "offset")[0] is AccessOverlap.SAME
        assert self.overlap(body.replace("%a, %c1", "%p, %n"), "offset", "offset")[0] is AccessOverlap.MAY

    def test_integers_made_pointers_may_be_anything(self) -> None:
        body = """
          %i = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
          %b = int_to_ptr %i : tile<i64> -> tile<ptr<f32>>
          %a = alloca num_elem = 4, alignment = 16 : tile<ptr<f32>>
        """
        assert self.overlap(body, "int_to_ptr", "alloca")[0] is AccessOverlap.MAY

    def test_views_reach_as_far_as_their_extents(self) -> None:
        body = """
          %c16 = constant <i32: 16> : tile<i32>
          %a = make_tensor_view %p, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
          %s = offset %p, %c16 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
          %b = make_tensor_view %s, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
        """
        module, facts = analysed(body)
        first, second = results(module, "make_tensor_view")
        assert facts.alias(first, second).overlap is AccessOverlap.DISJOINT
        assert facts.alias(first, last(module, "offset")).overlap is AccessOverlap.DISJOINT

    @pytest.mark.parametrize("known", [True, False])
    @pytest.mark.parametrize(("shape", "strides"), [("%n", "1"), ("16", "%n")])
    def test_views_of_unknown_extents_may_reach_anywhere(self, shape: str, strides: str, known: bool) -> None:
        """The second view begins behind 16 elements of stride 1: behind the first view only if both are known."""
        shape, strides = ("16", "1") if known else (shape, strides)
        operands = "" if known else " tile<i32> ->"
        view = f"tensor_view<{shape}xf32, strides=[{strides}]>".replace("%n", "?")
        body = f"""
          %c16 = constant <i32: 16> : tile<i32>
          %a = make_tensor_view %p, shape = [{shape}], strides = [{strides}] :{operands} {view}
          %s = offset %p, %c16 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
          %b = make_tensor_view %s, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
        """
        module, facts = analysed(body)
        first, second = results(module, "make_tensor_view")
        assert facts.alias(first, second).overlap is (AccessOverlap.DISJOINT if known else AccessOverlap.MAY)


class TestViews:
    VIEW = """
      %n16 = assume div_by<16>, %n : tile<i32>
      %tv = make_tensor_view %p, shape = [%n16, 24], strides = [24, 1] : tile<i32> -> tensor_view<?x24xf32, strides=[24,1]>
      %pv = make_partition_view %tv : partition_view<tile=(16x16), tensor_view<?x24xf32, strides=[24,1]>>
      %s:2 = get_index_space_shape %pv : partition_view<tile=(16x16), tensor_view<?x24xf32, strides=[24,1]>> -> tile<i32>
      %c = constant <i32: 0> : tile<i32>
      %t, %tok = load_view_tko weak %pv[%c, %c] : partition_view<tile=(16x16), tensor_view<?x24xf32, strides=[24,1]>>, tile<i32> -> tile<16x16xf32>, token
    """

    def test_extents(self) -> None:
        module, facts = analysed(self.VIEW)
        shape = next(op for op in module.walk() if isinstance(op, ops_view.GetIndexSpaceShapeOp))
        assert facts.constant(shape.results[1]) == 2
        found = facts.facts(last(module, "make_tensor_view")).extents
        assert [extent.divisor for extent in found] == [16, 8]

    def test_tiles_fit_where_they_cover_the_extent_exactly_or_the_index_is_small(self) -> None:
        module, facts = analysed(self.VIEW)
        load = next(op for op in module.walk() if isinstance(op, ops_memory.LoadViewTkoOp))
        whole, small = [facts.tile_fits(load.view, load.index, dimension) for dimension in (0, 1)]
        assert whole == "the extent is a multiple of 16, so tiles of 16 cover it exactly"
        assert small == "the index is at most 0, and the extent at least 24"


def test_promises_about_groups() -> None:
    body = """
      %i = iota : tile<16xi32>
      %r = broadcast %i : tile<16xi32> -> tile<16xi32>
      %x = muli %r, %r : tile<16xi32>
      %a = assume div_by<8, every 4 along 0>, %x : tile<16xi32>
      %b = assume same_elements<[2]>, %x : tile<16xi32>
      %c = assume div_by<8, every 6 along 0>, %x : tile<16xi32>
    """
    module, facts = analysed(body)
    first, second, third = results(module, "assume")
    assert facts.axis_info(first) == (AxisFacts(4, 8, 1),)
    assert facts.axis_info(second) == (AxisFacts(1, 1, 2),)
    assert facts.axis_info(third) == (AxisFacts(2, 2, 1),)


def test_promises_about_groups_of_nothing_say_nothing() -> None:
    body = """
      %i = iota : tile<16xi32>
      %r = broadcast %i : tile<16xi32> -> tile<16xi32>
      %x = muli %r, %r : tile<16xi32>
      %a = assume div_by<8, every 0 along 0>, %x : tile<16xi32>
    """
    module, facts = analysed(body)
    assert facts.axis_info(last(module, "assume")) == (AxisFacts(1, 1, 1),)


@pytest.mark.parametrize(
    ("low", "high", "divisor"), [(0, 3, 4), (1, 3, 8), (2, 31, 16), (0, 31, 4), (0, 32, 1), (-1, 3, 1)]
)
def test_shifts_by_a_known_range_keep_the_divisor(low: int, high: int, divisor: int) -> None:
    body = f"""
      %a = assume div_by<4>, %n : tile<i32>
      %k = assume bounded<{low}, {high}>, %m : tile<i32>
      %s = shli %a, %k : tile<i32>
    """
    module, facts = analysed(body, "%n: tile<i32>, %m: tile<i32>")
    assert facts.divisibility(last(module, "shli")) == divisor


def test_contradicting_promises_are_no_error() -> None:
    body = "%a = assume bounded<0, 5>, %n : tile<i32>\n%b = assume bounded<7, 9>, %a : tile<i32>\n%c = assume div_by<16>, %b : tile<i32>"
    _, facts = analysed(body)
    assert facts is not None


def test_the_manager_keeps_the_analysis_until_something_changes() -> None:
    module = kernel(ADDRESSES, POINTERS)
    analyses = AnalysisManager(module)
    found = analyses.get(ValueFactsAnalysis)
    assert analyses.get(ValueFactsAnalysis) is found
    analyses.invalidate(PreservedAnalyses())
    assert analyses.cached(ValueFactsAnalysis) is None


def test_nesting_is_no_recursion() -> None:
    depth = 300
    lines = [f"%c{n} = if %t -> (tile<i32>) {{" for n in range(depth)]
    lines.append("yield %n : tile<i32> } else { yield %n : tile<i32> }")
    lines += [
        f"yield %c{n} : tile<i32> }} else {{ yield %n : tile<i32> }}" for n in reversed(range(1, depth))
    ]
    body = "%t = cmpi equal %n, %n, signed : tile<i32> -> tile<i1>\n" + "\n".join(lines)
    module, facts = analysed(body)
    assert facts.bounds(results(module, "if")[0]) is not None


def test_chains_take_linear_time_and_many_changes_end() -> None:
    """Values that feed each other round a loop: every fact settles."""
    values = ", ".join(f"%a{n} = %n" for n in range(20))
    types = ", ".join(["tile<i32>"] * 20)
    nexts = [f"%b{n} = addi %a{n}, %a{(n + 1) % 20} : tile<i32>" for n in range(20)]
    passed = ", ".join(f"%b{n}" for n in range(20))
    body = f"""
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %r:20 = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values({values}) -> ({types}) {{
        {chr(10).join(nexts)}
        continue {passed} : {types}
      }}
    """
    module, facts = analysed(body)
    assert facts.bounds(last(module, "for")) == Interval(-(2**31), 2**31 - 1)
