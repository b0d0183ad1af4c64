"""Differences of modules: nothing where only names, order or places differ; the operation where something does."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.driver.diff.comparison import ChangedPart, ChangeKind, ModuleDiff
from tilewright.driver.diff.inputs import diff
from tilewright.driver.diff.options import DiffOptions
from tilewright.driver.diff.report import diff_object, diff_text, summary
from tilewright.driver.sources import load
from tilewright.driver.startup import context
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import StringAttr, UnitAttr
from tilewright.ir.declaration.traits import SymbolTable
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.operation import Operation
from tilewright.testing.strategies import modules

UNNAMED = DiffOptions(module_name=False)

KERNEL = """
cuda_tile.module @m {
  entry @k(%a: tile<f32>, %b: tile<f32>) {
    %0 = addf %a, %b rounding<nearest_even> : tile<f32>
    %1 = mulf %0, %b rounding<nearest_even> : tile<f32>
    print_tko "%f", %1 : tile<f32> -> token
    return
  }
}
"""


def compared(a: Operation, b: Operation, options: DiffOptions | None = None) -> ModuleDiff:
    return ModuleDiff(a, b, options or DiffOptions())


def shuffled(module: Operation, seed: int) -> Operation:
    """The same program: other locations, attributes and symbols in another order."""
    chance = random.Random(seed)
    copy = module.clone()
    for number, op in enumerate(copy.walk()):
        op.location = FileLineColLocation("elsewhere.py", number + 1, chance.randint(1, 80))
        entries = list(op.attributes.items())
        chance.shuffle(entries)
        op.attributes.clear()
        op.attributes.update(entries)
        if op.has_trait(SymbolTable):
            inner = op.regions[0].block.ops
            chance.shuffle(inner)
            for symbol in inner:
                op.regions[0].block.append(symbol.detach())
    return copy


class TestTheSame:
    @settings(max_examples=30)
    @given(module=modules(), seed=st.integers(0, 1 << 30))
    def test_names_order_and_places_do_not_count(self, module: Operation, seed: int) -> None:
        other = shuffled(module, seed)
        assert compared(module, other).changes == []
        assert compared(other, module).changes == []

    @settings(max_examples=30)
    @given(module=modules())
    def test_text_and_bytecode_of_a_module(self, module: Operation) -> None:
        from_text = load(str(module))
        from_bytecode = read_bytecode(write_bytecode(module, LATEST), context())
        assert compared(module, from_text).changes == []
        assert compared(from_text, from_bytecode, UNNAMED).changes == []

    def test_a_module_around_a_module(self) -> None:
        wrapped = load("module {" + KERNEL + "}")
        assert not compared(load(KERNEL), wrapped)
        assert not compared(wrapped, load(KERNEL))

    def test_the_text_is_empty(self) -> None:
        found = diff(KERNEL, KERNEL)
        assert str(found) == ""
        assert summary(found) == "the same"
        assert diff_object(found)["same"] is True


def mark(op: Operation, chance: random.Random) -> Operation | None:
    op.attributes["test.mark"] = UnitAttr()
    return op


def unmark_name(op: Operation, chance: random.Random) -> Operation | None:
    if "sym_name" not in op.held_attributes:
        return None
    op.attributes["sym_name"] = StringAttr("renamed")
    return op


def rewire(op: Operation, chance: random.Random) -> Operation | None:
    for number, operand in enumerate(op.operands):
        others = [v for v in op.operands if v is not operand and v.type is operand.type]
        if others:
            op.set_operand(number, chance.choice(others))
            return op
    return None


def remove(op: Operation, chance: random.Random) -> Operation | None:
    if op.has_uses or op.kind.is_terminator or op.parent is None or op.parent_op is None:
        return None
    op.erase()
    return op


def repeat(op: Operation, chance: random.Random) -> Operation | None:
    if op.kind.is_terminator or op.parent is None:
        return None
    copy = op.clone()
    copy.move_after(op)
    return copy


Mutation = Callable[[Operation, random.Random], Operation | None]
MUTATIONS: dict[Mutation, set[ChangeKind]] = {
    mark: {ChangeKind.CHANGED},
    unmark_name: {ChangeKind.CHANGED},
    rewire: {ChangeKind.CHANGED},
    remove: {ChangeKind.REMOVED},
    repeat: {ChangeKind.ADDED},
}


class TestMutations:
    @pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
    @settings(max_examples=25)
    @given(module=modules(), seed=st.integers(0, 1 << 30))
    def test_the_operation_is_named(self, mutate: Mutation, module: Operation, seed: int) -> None:
        chance = random.Random(seed)
        copy = module.clone()
        ops = list(copy.walk())
        chance.shuffle(ops)
        touched = next((t for op in ops if (t := mutate(op, chance)) is not None), None)
        if touched is None:
            return
        found = compared(module, copy)
        assert {c.kind for c in found.changes if c.operation.name == touched.name} >= MUTATIONS[mutate]
        assert touched.name in diff_text(found) or touched.name.partition(".")[2] in diff_text(found)

    @settings(max_examples=40)
    @given(first=modules(), second=modules())
    def test_unrelated_modules(self, first: Operation, second: Operation) -> None:
        """Every operation is in a row once on each side, whatever the modules are."""
        found = compared(first, second)
        rows = [row for s in found.sequences() for row in s.rows]
        for side, root in (("a", first), ("b", second)):
            seen = [op for row in rows if (op := getattr(row, side)) is not None]
            assert len(seen) == len(set(seen))
            alone = {c.operation for c in found.changes if c.kind in ("added", "removed")}
            inside = {inner for op in alone for inner in op.walk()}
            assert set(root.walk()) <= set(seen) | inside
        assert bool(found.changes) == bool(str(found))


class TestKinds:
    def test_an_attribute(self) -> None:
        found = diff(
            KERNEL, KERNEL.replace("mulf %0, %b rounding<nearest_even>", "mulf %0, %b rounding<zero>")
        )
        (change,) = found.changes
        (detail,) = change.details
        assert (change.kind, change.operation.name, detail.part) == ("changed", "cuda_tile.mulf", "attribute")
        assert detail.label == "rounding_mode"
        assert (
            "! 'cuda_tile.mulf' attribute 'rounding_mode': #cuda_tile.rounding<nearest_even> -> "
            "#cuda_tile.rounding<zero>" in str(found)
        )

    def test_an_insertion_rewires_only_its_users(self) -> None:
        text = KERNEL.replace("%1 = mulf %0", "%n = negf %0 : tile<f32>\n %1 = mulf %n")
        found = diff(KERNEL, text)
        kinds = [(c.kind.value, c.operation.name) for c in found.changes]
        assert kinds == [("added", "cuda_tile.negf"), ("changed", "cuda_tile.mulf")]
        assert "+ %new.1 = negf %0" in str(found)
        assert "operand #0: %0 -> %new.1" in str(found)

    def test_a_signature(self) -> None:
        found = diff(KERNEL, KERNEL.replace("%b: tile<f32>) {", "%b: tile<f32>, %c: tile<i32>) {"))
        (change,) = found.changes
        assert [detail.part for detail in change.details] == [ChangedPart.SIGNATURE]
        assert change.operation.name == "cuda_tile.entry"

    def test_a_renamed_kernel(self) -> None:
        (change,) = diff(KERNEL, KERNEL.replace("@k", "@other")).changes
        assert [(d.label, str(d.old), str(d.new)) for d in change.details] == [("sym_name", '"k"', '"other"')]

    def test_a_kernel_more(self) -> None:
        text = KERNEL.replace("  entry", "  entry @extra() { return }\n  entry")
        (change,) = diff(KERNEL, text).changes
        assert (change.kind, change.b is not None) == (ChangeKind.ADDED, True)
        assert "+ entry @extra() {\n+   return\n+ }" in str(diff(KERNEL, text))

    def test_a_move(self) -> None:
        lines = KERNEL.replace("%1 = mulf %0", "%1 = mulf %a").splitlines()
        lines[3], lines[4] = lines[4], lines[3]
        before, after = KERNEL.replace("%1 = mulf %0", "%1 = mulf %a"), "\n".join(lines)
        found = diff(before, after)
        assert {c.kind for c in found.changes} == {ChangeKind.MOVED}
        assert summary(found) == "1 moved"

    def test_locations_count_on_request(self) -> None:
        placed = KERNEL.replace("    return", '    return loc("kernel.py":3:1)')
        assert not diff(KERNEL, placed)
        (change,) = diff(KERNEL, placed, locations=True).changes
        assert [detail.part for detail in change.details] == [ChangedPart.LOCATION]

    def test_hints_can_be_ignored(self) -> None:
        hinted = KERNEL.replace(
            "%b: tile<f32>) {", "%b: tile<f32>) optimization_hints=<sm_100 = {occupancy = 2}> {"
        )
        (change,) = diff(KERNEL, hinted).changes
        assert [detail.label for detail in change.details] == ["optimization_hints"]
        assert not diff(KERNEL, hinted, ignore_hints=True)

    def test_branches_of_other_dialects(self) -> None:
        text = "func.func @f(%c: i1) {\n cf.cond_br %c, ^a, ^b\n^a:\n return\n^b:\n cf.br ^a\n}"
        found = diff(text, text.replace("%c, ^a, ^b", "%c, ^b, ^b"))
        assert [d.part for c in found.changes for d in c.details] == [ChangedPart.SUCCESSOR]
        assert "successor #0: ^bb1 -> ^bb2" in str(found)

    def test_a_block_more(self) -> None:
        text = "func.func @f() {\n return\n}"
        found = diff(text, "func.func @f() {\n cf.br ^a\n^a:\n return\n}")
        assert found
        assert ChangedPart.BLOCKS in {d.part for c in found.changes for d in c.details}

    def test_regions_against_none(self) -> None:
        ctx = context(allow_unregistered=True)
        kind = ctx.unregistered_kind("test.op")
        block = Block()
        block.append(Operation.from_parts(kind))
        a, b = Operation.from_parts(kind), Operation.from_parts(kind, regions=[Region([block])])
        found = compared(a, b)
        assert [(c.kind.value, [d.part for d in c.details]) for c in found.changes] == [
            ("changed", [ChangedPart.REGIONS]),
            ("added", []),
        ]


class TestJson:
    def test_keys(self) -> None:
        found = diff_object(diff(KERNEL, KERNEL.replace("%0, %b rounding", "%a, %b rounding")))
        assert found.keys() == {"schema", "same", "a", "b", "counts", "changes"}
        (change,) = found["changes"]
        assert change["kind"] == "changed"
        assert change["a"]["path"].startswith("cuda_tile.module @m > cuda_tile.entry @k > [1]")
        assert change["details"] == [{"part": "operand", "label": "#0", "old": "%0", "new": "%arg0"}]


def test_depth_is_no_limit() -> None:
    kind = context(allow_unregistered=True).unregistered_kind("test.nest")

    def nest(leaf: dict[str, Any]) -> Operation:
        op = Operation.from_parts(kind, attributes=leaf)
        for _ in range(5000):
            block = Block()
            block.append(op)
            op = Operation.from_parts(kind, regions=[Region([block])])
        return op

    assert not compared(nest({}), nest({}))
    (change,) = compared(nest({}), nest({"x": UnitAttr()})).changes
    assert [detail.label for detail in change.details] == ["x"]
