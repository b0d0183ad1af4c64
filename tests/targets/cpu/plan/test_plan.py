"""Plans: as text, as JSON, as values that do not change, and as all that the emitter goes by."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import tilewright
from tests.golden import compare
from tests.house.tree import ROOT
from tests.lowering.cuda_tile_to_tileaa.lowered import kernel
from tests.lowering.cuda_tile_to_tileaa.test_end_to_end import both
from tests.support.corpora.frontend_corpus import corpus
from tilewright.cli.group import cli
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.driver.artifact import Artifact
from tilewright.driver.stages import CompileOptions
from tilewright.ir.operation import Operation
from tilewright.lowering.access_facts.offsets import Offsets
from tilewright.lowering.access_facts.positions import PositionFacts
from tilewright.lowering.memory_order.tokens import TokenAnalysis
from tilewright.optimizer.analysis.query import FactsOnDemand
from tilewright.targets.cpu.facts import operation_table
from tilewright.targets.cpu.kernel.kernel import emit_module, plan_module
from tilewright.targets.cpu.machine.costs import costs_of
from tilewright.targets.cpu.machine.host import PROCESSORS
from tilewright.targets.cpu.machine.product_kinds import MicroKernel
from tilewright.targets.cpu.nest import shape, transpose
from tilewright.targets.cpu.plan.model import (
    BlockPlan,
    KernelPlan,
    NestForm,
    NestStep,
    SingleStep,
    Step,
    TilePlan,
    Vectors,
)
from tilewright.targets.cpu.plan.products import FactorSource, Packing, ProductPlan
from tilewright.targets.cpu.planning.planner import make_plan
from tilewright.targets.cpu.planning.steps import early_loads
from tilewright.targets.llvm import translate
from tilewright.targets.llvm.code import LlvmBuilder

FOLDER = Path(__file__).parent / "golden"
KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
CPU = "x86-64-v4"
TARGET = PROCESSORS[CPU]
EXAMPLES = (
    "fft",
    "flash_attention",
    "histogram",
    "layer_norm",
    "matmul",
    "softmax",
    "transpose",
    "vector_add",
)


@cache
def example(name: str) -> Artifact:
    """The first kernel of an example."""
    content = next(content for kernel, _, content in corpus(str(LATEST)) if kernel.startswith(name))
    return tilewright.compile(content, options=CompileOptions(cpu=CPU))


@pytest.mark.parametrize("name", EXAMPLES)
def test_text(name: str, bless: bool) -> None:
    compare(FOLDER / f"{name}.plan", str(example(name).asm["plan"]), bless=bless)


@pytest.mark.parametrize("name", ["matmul", "vector_add"])
def test_json(name: str, bless: bool) -> None:
    text = str(example(name).asm["plan-json"])
    assert json.loads(text)["kernels"][0]["processor"] == CPU
    compare(FOLDER / f"{name}.plan.json", text, bless=bless)


def test_the_command() -> None:
    shown = CliRunner().invoke(cli, ["compile", str(KERNEL), "--emit=plan", f"--cpu={CPU}"])
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith("kernel @scale for x86-64-v4, vectors of 64 bytes\n")


# --- values


def parts(value: Any) -> list[Any]:
    """Everything that a plan is made of; operations, values and types belong to the module."""
    if isinstance(value, tuple):
        return [value, *(part for item in value for part in parts(item))]
    if is_dataclass(value):
        return [value, *(part for field in fields(value) for part in parts(getattr(value, field.name)))]
    return [value]


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_in_a_plan_changes(name: str) -> None:
    (plan,) = plan_module(example(name).module("tileas"), TARGET)
    found = parts(plan)
    assert [part for part in found if isinstance(part, list | dict | set)] == []
    assert isinstance(hash(plan), int)
    for part in found:
        if is_dataclass(part):
            with pytest.raises((FrozenInstanceError, TypeError)):
                setattr(part, fields(part)[0].name, None)


@pytest.mark.parametrize("name", EXAMPLES)
def test_equal_modules_have_equal_plans(name: str) -> None:
    module = example(name).module("tileas")
    assert plan_module(module, TARGET) == plan_module(module, TARGET)
    again = tilewright.compile(str(example(name).asm["tileas"]), options=CompileOptions(cpu=CPU))
    assert again.asm["plan"] == example(name).asm["plan"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_planning_writes_no_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("an operation of LLVM was written")

    module = example(name).module("tileas")
    monkeypatch.setattr(LlvmBuilder, "_place", fail)
    assert plan_module(module, TARGET)


def test_a_factor_whose_array_is_written_is_read_as_it_was() -> None:
    """Its tile lies in memory by rows, but in the array as instructions want it: the array is not what was loaded."""
    views = ""
    for name, rows, strides in (("a", 4, "16,1"), ("b", 16, "1,16"), ("c", 4, "16,1")):
        view = f"tensor_view<{rows}x16xf32, strides=[{strides}]>"
        views += (
            f"%{name}v = make_tensor_view %{name}, shape = [{rows}, 16], strides = [{strides}] : {view}\n"
        )
        views += f"%{name}p = make_partition_view %{name}v : {_part(rows, strides)}\n"
    low, square = "tile<4x16xf32>", "tile<16x16xf32>"
    body = f"""
      %zero = constant <i32: 0> : tile<i32>
      {views}
      %at, %ar = load_view_tko weak %ap[%zero, %zero] : {_part(4, "16,1")}, tile<i32> -> {low}, token
      %bt, %br = load_view_tko weak %bp[%zero, %zero] : {_part(16, "1,16")}, tile<i32> -> {square}, token
      %seven = constant <f32: 7.0> : {square}
      %s = store_view_tko weak %seven, %bp[%zero, %zero] token = %br
        : {square}, {_part(16, "1,16")}, tile<i32> -> token
      %turned = permute %bt [1, 0] : {square} -> {square}
      %nothing = constant <f32: 0.0> : {low}
      %d = mmaf %at, %turned, %nothing : {low}, {square}, {low}
      %e = store_view_tko weak %d, %cp[%zero, %zero] token = %s : {low}, {_part(4, "16,1")}, tile<i32> -> token
    """
    random = np.random.default_rng(0)
    a, b = (random.integers(-9, 9, (rows, 16)).astype(np.float32) for rows in (4, 16))
    pointers = ", ".join(f"%{name}: tile<ptr<f32>>" for name in "abc")
    found = both(kernel(body, pointers), [a, b, np.zeros_like(a)])
    np.testing.assert_array_equal(np.asarray(found[2]), a @ b)


@pytest.mark.parametrize(
    ("where", "token", "early"),
    [
        ("%ap[%one]", "token = %loaded", False),  # another tile of the view
        ("%ap[%zero]", "token = %loaded", True),
        ("%bp[%zero]", "", True),  # callers may pass one array for both
    ],
)
def test_loads_are_early_if_what_comes_next_may_write_there(where: str, token: str, early: bool) -> None:
    view, tile = "tensor_view<64xf32, strides=[1]>", "tile<16xf32>"
    part = f"partition_view<tile=(16), {view}>"
    body = "%zero = constant <i32: 0> : tile<i32>\n%one = constant <i32: 1> : tile<i32>\n"
    for name in "ab":
        body += f"%{name}v = make_tensor_view %{name}, shape = [64], strides = [1] : {view}\n"
        body += f"%{name}p = make_partition_view %{name}v : {part}\n"
    body += f"""
      %x, %loaded = load_view_tko weak %ap[%zero] : {part}, tile<i32> -> {tile}, token
      %seven = constant <f32: 7.0> : {tile}
      %s = store_view_tko weak %seven, {where} {token} : {tile}, {part}, tile<i32> -> token
      %y = addf %x, %seven : {tile}
      %e = store_view_tko weak %y, %bp[%zero] : {tile}, {part}, tile<i32> -> token
    """
    made = tilewright.compile(
        kernel(body, "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>"), options=CompileOptions(cpu=CPU)
    )
    (plan,) = plan_module(made.module("tileas"), TARGET)
    assert bool(list(early_loads(plan.blocks[0].block, {}, TokenAnalysis()))) == early


def _part(rows: int, strides: str) -> str:
    return f"partition_view<tile=({rows}x16), tensor_view<{rows}x16xf32, strides=[{strides}]>>"


# --- the emitter goes by the plan


def emitted(module: Operation, plan: KernelPlan) -> str:
    """The LLVM IR that a plan becomes."""
    return translate(emit_module(module, TARGET, [plan]).module)


def changed(plan: KernelPlan, change: Callable[[Step], Step]) -> KernelPlan:
    """A plan with other steps."""
    blocks = [BlockPlan(block.block, tuple(map(change, block.steps))) for block in plan.blocks]
    return replace(plan, blocks=tuple(blocks))


def with_form(change: Callable[[NestForm], NestForm]) -> Callable[[Step], Step]:
    """Steps whose passes have another form."""
    return lambda step: replace(step, form=change(step.form)) if isinstance(step, NestStep) else step


def with_product(change: Callable[[ProductPlan], ProductPlan]) -> Callable[[Step], Step]:
    """Steps whose products are computed in another way."""

    def changed_step(step: Step) -> Step:
        if isinstance(step, SingleStep) and isinstance(step.detail, ProductPlan):
            return replace(step, detail=change(step.detail))
        return step

    return changed_step


def changed_code(name: str, change: Callable[[Step], Step]) -> tuple[str, str]:
    """The code of a plan, and of the plan after a change."""
    module = example(name).module("tileas")
    (plan,) = plan_module(module, TARGET)
    return emitted(module, plan), emitted(module, changed(plan, change))


def test_vector_length() -> None:
    short = Vectors(2, 1)
    before, after = changed_code(
        "vector_add", with_form(lambda form: replace(form, plain=short, masked=short))
    )
    assert "fadd <8 x float>" in before
    assert "<2 x float>" not in before
    assert "fadd <2 x float>" in after
    assert "<8 x float>" not in after


def test_masks() -> None:
    def without(step: Step) -> Step:
        if not isinstance(step, NestStep):
            return step
        return replace(step, versions=replace(step.versions, edges=(), contiguous=()))

    before, after = changed_code("softmax", without)
    assert "@llvm.masked.load" in before
    assert "@llvm.masked" not in after


def test_limits() -> None:
    """Tiles all of whose elements are said to exist are not masked, in whatever version."""
    module = example("softmax").module("tileas")
    (plan,) = plan_module(module, TARGET)
    inside = [
        replace(access, tile=replace(access.tile, limits=access.tile.shape, required=()))
        for access in plan.accesses
        if isinstance(access, TilePlan)
    ]
    assert len(inside) == len(plan.accesses)
    assert "@llvm.masked.load" in emitted(module, plan)
    assert "@llvm.masked" not in emitted(module, replace(plan, accesses=tuple(inside)))


@pytest.mark.parametrize("name", [*EXAMPLES, "overlap"])
def test_emission_asks_no_rule_of_addresses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the rules answered stands in the plan; all of them go through facts, constants, or formulas."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a rule of addresses was asked again")

    module = overlapping() if name == "overlap" else example(name).module("tileas")
    plans = plan_module(module, TARGET)
    text = translate(emit_module(module, TARGET, plans).module)
    for owner, rule in (
        (PositionFacts, "scalar"),
        (PositionFacts, "combine"),
        (Offsets, "dependences"),
        (Offsets, "stride"),
        (FactsOnDemand, "facts"),
    ):
        monkeypatch.setattr(owner, rule, fail)
    assert translate(emit_module(module, TARGET, plans).module) == text
    with pytest.raises(AssertionError, match="asked again"):
        plan_module(module, TARGET)


def overlapping() -> Operation:
    """A kernel that copies from one array to another through pointers: nobody knows whether the arrays overlap."""
    body = """
      %row = iota : tile<64xi32>
      %s = reshape %n : tile<i32> -> tile<1xi32>
      %start = broadcast %s : tile<1xi32> -> tile<64xi32>
      %offsets = addi %start, %row : tile<64xi32>
    """
    for name in "ab":
        body += f"""
      %{name}1 = reshape %{name} : tile<ptr<f32>> -> tile<1xptr<f32>>
      %{name}2 = broadcast %{name}1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
      %{name}3 = offset %{name}2, %offsets : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    """
    body += """
      %x, %t = load_ptr_tko weak %a3 : tile<64xptr<f32>> -> tile<64xf32>, token
      %u = store_ptr_tko weak %b3, %x token = %t : tile<64xptr<f32>>, tile<64xf32> -> token
    """
    source = kernel(body, "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>")
    return tilewright.compile(source, options=CompileOptions(cpu=CPU)).module("tileas")


def test_groups_of_long_reductions() -> None:
    """A row of 64 iterations is combined one after the other, a longer one in groups: a loop around the loop."""

    def planned(columns: int) -> tuple[Operation, KernelPlan]:
        tile = f"tile<1x{columns}xf32>"
        view = f"tensor_view<1x{columns}xf32, strides=[{columns},1]>"
        part = f"partition_view<tile=(1x{columns}), {view}>"
        body = f"""
          %zero = constant <i32: 0> : tile<i32>
          %av = make_tensor_view %a, shape = [1, {columns}], strides = [{columns}, 1] : {view}
          %ap = make_partition_view %av : {part}
          %x, %t = load_view_tko weak %ap[%zero, %zero] : {part}, tile<i32> -> {tile}, token
          %sum = reduce %x dim=1 identities=[0.0 : f32] : {tile} -> tile<1xf32> (%l: tile<f32>, %r: tile<f32>) {{
            %s = addf %l, %r : tile<f32>
            yield %s : tile<f32>
          }}
          %bs = reshape %b : tile<ptr<f32>> -> tile<1xptr<f32>>
          %u = store_ptr_tko weak %bs, %sum : tile<1xptr<f32>>, tile<1xf32> -> token
        """
        source = kernel(body, "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>")
        module = tilewright.compile(source, options=CompileOptions(cpu=CPU)).module("tileas")
        (plan,) = plan_module(module, TARGET)
        return module, plan

    def groups(plan: KernelPlan) -> set[int]:
        return {step.form.group for step in plan.blocks[0].steps if isinstance(step, NestStep)}

    step = 16 * TARGET.unroll
    assert groups(planned(64 * step)[1]) == {0}
    module, plan = planned(128 * step)
    assert groups(plan) == {0, 64}
    together = changed(plan, with_form(lambda form: replace(form, group=0)))
    assert emitted(module, plan).count("!llvm.loop") > emitted(module, together).count("!llvm.loop")


def test_order_of_steps() -> None:
    module = example("softmax").module("tileas")
    (plan,) = plan_module(module, TARGET)
    (block,) = plan.blocks
    nests = [step for step in block.steps if isinstance(step, NestStep)]
    assert len(nests) == 3
    steps = tuple(step for step in block.steps if step is not nests[2])
    less = replace(plan, blocks=(replace(block, steps=steps),))
    assert "fdiv" in emitted(module, plan)
    assert "fdiv" not in emitted(module, less)


def test_memory() -> None:
    """The first tile moves from the stack to scratch memory."""
    module = example("softmax").module("tileas")
    (plan,) = plan_module(module, TARGET)
    first, *rest = plan.slots
    moved = replace(first, offset=1 << 20)
    tiles = tuple(replace(tile, slot=moved) if tile.slot is first else tile for tile in plan.tiles)
    other = replace(plan, slots=(moved, *rest), tiles=tiles)
    assert str(1 << 20) not in emitted(module, plan)
    assert f"i32 {1 << 20}" in emitted(module, other)


def test_packing() -> None:
    packed = with_product(
        lambda plan: replace(plan, left=replace(plan.left, source=FactorSource.PACKED, is_masked=True))
    )
    before, after = changed_code("matmul", packed)
    assert after.count("!llvm.loop") > before.count("!llvm.loop")  # one more loop, which packs without masks
    squares = with_product(lambda plan: replace(plan, right=replace(plan.right, packing=Packing.SQUARES)))
    before, after = changed_code("matmul", squares)
    assert after.count("shufflevector") > before.count("shufflevector")


def test_blocks_in_registers() -> None:
    """Four rows in the micro-kernel are four products and sums for each word; two rows are two."""
    low = with_product(lambda plan: replace(plan, block=replace(plan.block, height=2, unroll=1)))
    before, after = changed_code("matmul", low)
    assert before.count("@llvm.fmuladd.v16f32(") == 4 * 2 + 1
    assert after.count("@llvm.fmuladd.v16f32(") == 2 + 1


HALVES = """
cuda_tile.module @m {{
 entry @k(%p: tile<ptr<f4E2M1FN>>, %q: tile<ptr<f4E2M1FN>>, %n: tile<i32>) {{
  %zero = constant <i32: 0> : tile<i32>
  %factor = constant <i32: {factor}> : tile<i32>
  %narrow = muli %n, %factor : tile<i32>
  %stride = exti %narrow signed : tile<i32> -> tile<i64>
  %from = make_tensor_view %p, shape = [8, 64], strides = [%stride, 1] : tile<i64>
    -> tensor_view<8x64xf4E2M1FN, strides=[?,1]>
  %to = make_tensor_view %q, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf4E2M1FN, strides=[64,1]>
  %a = make_partition_view %from : partition_view<tile=(8x64), tensor_view<8x64xf4E2M1FN, strides=[?,1]>>
  %b = make_partition_view %to : partition_view<tile=(8x64), tensor_view<8x64xf4E2M1FN, strides=[64,1]>>
  %x, %t = load_view_tko weak %a[%zero, %zero]
    : partition_view<tile=(8x64), tensor_view<8x64xf4E2M1FN, strides=[?,1]>>, tile<i32> -> tile<8x64xf4E2M1FN>, token
  %u = store_view_tko weak %x, %b[%zero, %zero]
    : tile<8x64xf4E2M1FN>, partition_view<tile=(8x64), tensor_view<8x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> token
  return
 }}
}}
"""


@pytest.mark.parametrize(("factor", "tests"), [(2, False), (6, False), (3, True)])
def test_facts_say_which_rows_begin_with_bytes(factor: int, tests: bool) -> None:
    plan = str(tilewright.compile(HALVES.format(factor=factor)).asm["plan"])
    assert ("version without masks" in plan) == tests


def test_facts_name_the_operations_that_nests_rearrange() -> None:
    """Planning reads the table of facts, and the emitter tables of its own."""
    assert shape.EVALUATORS.keys() | transpose.EVALUATORS.keys() == operation_table.REARRANGING


@pytest.mark.parametrize(
    ("name", "costs"),
    [
        ("layer_norm", {"roots": 1}),
        ("softmax", {"stack_bytes": 0}),
        ("vector_add", {"light_parts": 1}),
        ("matmul", {"micro_kernel": MicroKernel(2, 1, 1)}),
    ],
)
def test_costs_are_handed_in(name: str, costs: dict[str, Any]) -> None:
    """Planning takes the numbers that differ between processors from a table."""
    module = example(name).module("tileas")
    (plan,) = plan_module(module, TARGET)
    assert make_plan(plan.function, costs_of(TARGET)) == plan
    assert make_plan(plan.function, replace(costs_of(TARGET), **costs)) != plan
