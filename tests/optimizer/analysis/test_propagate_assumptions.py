"""`propagate-assumptions` and `print-value-facts`: what they write down, and that programs still do the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.optimizer.analysis.programs import launch_arguments, program
from tests.optimizer.optimizing import kernel, run
from tests.support.samples import samples
from tilewright.driver.startup import context, startup
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.pipeline import parse_pipeline
from tilewright.passes.timing import Statistics
from tilewright.testing.execution import Launchpad, entries, observe

PASS = "cuda_tile.module(propagate-assumptions)"


def body(module: Operation) -> list[str]:
    """The lines between the braces of the kernel."""
    return [line.strip() for line in str(module).splitlines()][2:-3]


def propagated(
    text: str, parameters: str = "%p: tile<ptr<f32>>, %n: tile<i32>", pipeline: str = PASS
) -> list[str]:
    return body(run(kernel(text, parameters), pipeline))


class TestAssumptions:
    def test_what_is_known_is_not_promised_again(self) -> None:
        lines = propagated("""
            %i = iota : tile<8xi32>
            %a = assume bounded<0, 7>, %i : tile<8xi32>
            %b = assume div_by<8, every 8 along 0>, %a : tile<8xi32>
            %t = print_tko "%d", %b : tile<8xi32> -> token
        """)
        assert not any("assume" in line for line in lines)

    def test_weaker_promises_go_stronger_ones_stay(self) -> None:
        lines = propagated("""
            %a = assume div_by<16>, %n : tile<i32>
            %b = assume div_by<4>, %a : tile<i32>
            %c = assume bounded<0, ?>, %b : tile<i32>
            %t = print_tko "%d", %c : tile<i32> -> token
        """)
        assert [line.split(" = assume ")[1].split(",")[0] for line in lines if " = assume" in line] == [
            "div_by<16>",
            "bounded<0",
        ]

    def test_a_promise_that_a_loop_keeps_by_itself(self) -> None:
        lines = propagated("""
            %c0 = constant <i32: 0> : tile<i32>
            %c16 = constant <i32: 16> : tile<i32>
            %r = for %i in (%c0 to %n, step %c16) : tile<i32> iter_values(%a = %c0) -> (tile<i32>) {
              %k = assume div_by<16>, %a : tile<i32>
              %l = assume div_by<16>, %i : tile<i32>
              %b = addi %k, %l : tile<i32>
              continue %b : tile<i32>
            }
            %t = print_tko "%d", %r : tile<i32> -> token
        """)
        assert not any("assume" in line for line in lines)


class TestConstants:
    def test_comparisons_that_bounds_decide(self) -> None:
        lines = propagated("""
            %i = iota : tile<8xi32>
            %c = constant <i32: 8> : tile<8xi32>
            %d = cmpi less_than %i, %c, signed : tile<8xi32> -> tile<8xi1>
            %t = print_tko "%d", %d : tile<8xi1> -> token
        """)
        assert lines[0] == "%true = constant <i1: true> : tile<8xi1>"
        assert len(lines) == 2

    def test_counters_of_loops_bound_what_is_computed_from_them(self) -> None:
        lines = propagated("""
            %c0 = constant <i32: 0> : tile<i32>
            %c1 = constant <i32: 1> : tile<i32>
            %c8 = constant <i32: 8> : tile<i32>
            for %i in (%c0 to %c8, step %c1) : tile<i32> {
              %d = cmpi less_than %i, %c8, signed : tile<i32> -> tile<i1>
              if %d { print_tko "%d", %i : tile<i32> -> token }
            }
        """)
        assert any(line.startswith("if %true") for line in lines)

    def test_nothing_is_said_of_code_that_never_runs(self) -> None:
        text = """
            %f = constant <i1: false> : tile<i1>
            %c0 = constant <i32: 0> : tile<i32>
            if %f {
              %x = muli %c0, %n : tile<i32>
              print_tko "%d", %x : tile<i32> -> token
            }
        """
        assert any("muli" in line for line in propagated(text))


class TestMasks:
    KERNEL = """
        %i = iota : tile<8xi32>
        %c = constant <i32: 8> : tile<8xi32>
        %q1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
        %q = broadcast %q1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
        %ptrs = offset %q, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
        %pad = constant <f32: 0.0> : tile<8xf32>
        %m = cmpi less_than %i, %c, signed : tile<8xi32> -> tile<8xi1>
        %t0 = make_token : token
        %v, %t = load_ptr_tko relaxed device %ptrs, %m, %pad token=%t0 optimization_hints = <sm_90 = {latency = 3}> : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token
        %u = store_ptr_tko weak %ptrs, %v, %m token=%t : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token
    """

    def test_masks_that_are_all_true_go(self) -> None:
        lines = propagated(self.KERNEL)
        assert lines[-2:] == [
            "%result, %result_token = load_ptr_tko relaxed device %1 token=%2 optimization_hints = <sm_90 = {latency = 3}> "
            ": tile<8xptr<f32>> -> tile<8xf32>, token",
            "%3 = store_ptr_tko weak %1, %result token=%result_token : tile<8xptr<f32>>, tile<8xf32> -> token",
        ]
        assert not any("cmpi" in line or "constant" in line for line in lines)

    def test_others_stay(self) -> None:
        lines = propagated(self.KERNEL.replace("<i32: 8>", "<i32: 7>"))
        assert sum("tile<8xi1>" in line for line in lines) == 3


class TestBoundsChecks:
    KERNEL = """
        %m = assume div_by<16>, %n : tile<i32>
        %tv = make_tensor_view %p, shape = [%m, 24], strides = [24, 1] : tile<i32> -> tensor_view<?x24xf32, strides=[24,1]>
        %pv = make_partition_view %tv : partition_view<tile=(16x16), tensor_view<?x24xf32, strides=[24,1]>>
        %c = constant <i32: 1> : tile<i32>
        %t, %tok = load_view_tko weak %pv[%c, %c] : partition_view<tile=(16x16), tensor_view<?x24xf32, strides=[24,1]>>, tile<i32> -> tile<16x16xf32>, token
        %s = store_view_tko weak %t, %pv[%c, %c] token = %tok : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<?x24xf32, strides=[24,1]>>, tile<i32> -> token
    """

    def test_only_dimensions_in_which_tiles_fit_are_marked(self) -> None:
        lines = propagated(self.KERNEL)
        assert sum("inbounds = [true, false]" in line for line in lines) == 2

    def test_marking_is_an_option(self) -> None:
        pipeline = "cuda_tile.module(propagate-assumptions{mark-inbounds=false})"
        assert not any("inbounds" in line for line in propagated(self.KERNEL, pipeline=pipeline))


def counted(module: Operation) -> dict[str, dict[str, int]]:
    """Run the pass on a module and return its statistics."""
    manager = parse_pipeline(PASS, context(), startup().passes, anchor=module.name)
    statistics = Statistics()
    manager.instrument(statistics)
    manager.run(module)
    return {name: dict(counts) for name, counts in statistics.counts.items()}


def test_assumptions_and_constants_are_counted() -> None:
    module = kernel(
        """
        %i = iota : tile<8xi32>
        %a = assume bounded<0, 7>, %i : tile<8xi32>
        %c = constant <i32: 7> : tile<8xi32>
        %m = cmpi less_than_or_equal %a, %c, signed : tile<8xi32> -> tile<8xi1>
        %t = print_tko "%d", %m : tile<8xi1> -> token
        """,
        "%n: tile<i32>",
    )
    assert counted(module) == {"propagate-assumptions": {"num-assumes": 1, "num-constants": 1}}


def test_statistics_and_idempotence() -> None:
    other = "}\nentry @k2(%p: tile<ptr<f32>>, %n: tile<i32>) {" + TestBoundsChecks.KERNEL
    module = kernel(TestMasks.KERNEL + "return\n" + other, "%p: tile<ptr<f32>>, %n: tile<i32>")
    assert counted(module) == {"propagate-assumptions": {"num-inbounds": 2, "num-masks": 2}}
    text = str(module)
    assert counted(module) == {"propagate-assumptions": {}}
    assert str(module) == text


# the same program -------------------------------------------------------------------------------------------------

DEFINED = InterpretOptions(memcheck=True, promises=True, max_steps=5_000)


class Silence:
    def write(self, text: str, /) -> None:
        """Printed text is of no interest."""


def is_defined(module: Operation, arguments: list[Any]) -> bool:
    try:
        interpret(module, "k", (1, 1, 1), arguments, DEFINED, Silence())
    except DiagnosticError:
        return False
    return True


def observed(seed: str) -> Operation:
    """A random program in which the results of some operations are stored."""
    source = random.Random(seed)
    module = parse_module(context(), program(source))
    computed = [op for op in module.walk() if op.results and not op.regions and op.parent_op is not None]
    for op in source.sample(computed, min(6, len(computed))):
        observe(op)
    assert verify(module) == []
    return module


@pytest.mark.parametrize(
    "pipeline", [PASS, "cuda_tile.module(propagate-assumptions,cse,propagate-assumptions)"]
)
def test_programs_do_the_same(pipeline: str) -> None:
    compared = changed = 0
    count = samples(30, of=100)
    for number in range(count):
        seed = f"propagate {number}"
        module = observed(seed)
        (entry,) = entries(module)
        pad = Launchpad(entry, seed)
        pad.arguments[:3] = launch_arguments(random.Random(seed))[:3]
        if not is_defined(module, pad.arguments):
            continue
        before, text = pad.run(module), str(module)
        after = pad.run(run(module, pipeline))
        assert after == before, text
        compared += 1
        changed += str(module) != text
    assert compared > count // 4
    assert changed > count // 10


# printing ---------------------------------------------------------------------------------------------------------


def test_facts_are_printed_as_comments(capsys: pytest.CaptureFixture[str]) -> None:
    text = """
        %i = iota : tile<8xi32>
        %t, %u, %v = get_tile_block_id : tile<i32>
        %w = make_token : token
    """
    module = run(kernel(text, "%p: tile<ptr<f32>>"), "cuda_tile.module(print-value-facts)")
    assert capsys.readouterr().out.splitlines() == [
        "// facts of @k",
        "//   %arg0: in parameter #0 + 0",
        "//   %0: bounds [0, 7], axis 0: contiguity 8 divisibility 4611686018427387904 constancy 1",
        "//   %blockId_x: bounds [0, 16777214]",
        "//   %blockId_y: bounds [0, 16777214]",
        "//   %blockId_z: bounds [0, 16777214]",
    ]
    run(module, "cuda_tile.module(print-value-facts{reasons=true})")
    assert (
        "//   %0: bounds [0, 7], axis 0: contiguity 8 divisibility 4611686018427387904 constancy 1: cuda_tile.iota: 0, 1, 2, ... up to the extent"
        in capsys.readouterr().out
    )


def test_printing_twice_gives_the_same_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    module = observed("printed")
    text = str(module)
    first, second = [
        (run(module, "cuda_tile.module(print-value-facts)"), capsys.readouterr().out)[1] for _ in range(2)
    ]
    assert first == second
    assert str(module) == text
