"""Text, bytecode and text again for every optional field of every op in every version, there and not there.

What the samples cover is measured, not believed: a field that is never (or always) there fails the test.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bytecode.writer_support import CONTEXT, as_read_back, uses_token_of_old_print
from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.dialects.cuda_tile.version import V13_1, V13_4, VERSIONS, Version
from tilewright.ir.declaration.fields import Arity, AttributeField, OperandField
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.testing import enclosing_module, sample_operations

State = tuple[str, bool]
"""The name of an optional field, and whether it is there."""
MAXIMUM_SAMPLES = (3, 12, 40)

NO_RANK = "tiles of views have at least one dimension"
IMPOSSIBLE: dict[tuple[str, str, bool], str] = {
    ("entry", "res_attrs", True): "kernels have no results",
    ("return", "operands", True): "kernels have no results",
    ("join_tokens", "tokens", False): "at least two tokens are joined",
    ("reduce", "operands", False): "something is reduced",
    ("scan", "operands", False): "something is scanned",
    ("extract", "indices", False): "no sample has it: see `WITHOUT_RANK`",
    ("insert", "indices", False): "no sample has it: see `WITHOUT_RANK`",
    ("load_view_tko", "index", False): NO_RANK,
    ("store_view_tko", "index", False): NO_RANK,
    ("atomic_red_view_tko", "index", False): NO_RANK,
    ("multimem_load_reduce_view_tko", "index", False): NO_RANK,
    ("multimem_reduce_view_tko", "index", False): NO_RANK,
    ("multimem_store_view_tko", "index", False): NO_RANK,
}
"""States that no sample has, and why."""

WITHOUT_RANK = """cuda_tile.module @kernels {{
  entry @k() {{
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    {line}
    return
  }}
}}"""


def optional_fields(op_class: type[TileOp]) -> Iterator[AttributeField | OperandField]:
    """Fields whose absence says something."""
    kind = op_class.op_kind
    yield from (field for field in kind.attributes if field.optional)
    yield from (field for field in kind.operands if field.arity is not Arity.ONE)


def wanted(op_class: type[TileOp], version: Version) -> set[State]:
    """The states that a version can hold."""
    found: set[State] = set()
    for field in optional_fields(op_class):
        available = (field.since or op_class.since) <= version
        found |= {(field.name, present) for present in ((False, True) if available else (False,))}
    mnemonic = op_class.op_kind.mnemonic
    return {(name, present) for name, present in found if (mnemonic, name, present) not in IMPOSSIBLE}


def states(op: Operation, op_class: type[TileOp]) -> set[State]:
    """The states of one operation."""
    found: set[State] = set()
    for field in optional_fields(op_class):
        if isinstance(field, AttributeField):
            found.add((field.name, field.ir_name in op.held_attributes))
        else:
            found.add((field.name, bool(op.kind.field_values(op, field.name))))
    return found


def check_round_trip(module: ModuleOp, version: Version) -> None:
    """Text to a module, bytecode, a module, and the same text."""
    parsed = parse_module(CONTEXT, str(module))
    assert isinstance(parsed, ModuleOp)
    assert difference(parsed, module) is None
    expected = as_read_back(parsed, version)
    read = read_bytecode(write_bytecode(parsed, version), CONTEXT)
    assert difference(expected, read) is None
    assert str(read) == str(expected)


@pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda op_class: op_class.op_kind.mnemonic)
def test_every_optional_field_in_every_version(op_class: type[TileOp]) -> None:
    for version in VERSIONS:
        if op_class.since > version:
            continue
        missing, seen = wanted(op_class, version), set[State]()
        for count in MAXIMUM_SAMPLES:
            for op in sample_operations(op_class, count, version):
                new = states(op, op_class) - seen
                module = enclosing_module(op)
                if (new or not seen) and not uses_token_of_old_print(module, version):
                    check_round_trip(module, version)
                    seen |= new
            if missing <= seen:
                break
        assert missing <= seen, f"{version}: {sorted(missing - seen)}"


@pytest.mark.parametrize(
    ("line", "since"),
    [
        ("%0 = extract %cst_1_i32[] : tile<i32> -> tile<i32>", V13_1),
        ("%0 = insert %cst_1_i32, %cst_1_i32[] : tile<i32>, tile<i32>", V13_4),
    ],
)
def test_tiles_without_dimensions(line: str, since: Version) -> None:
    module = parse_module(CONTEXT, WITHOUT_RANK.format(line=line))
    assert isinstance(module, ModuleOp)
    for version in VERSIONS:
        if since <= version:
            check_round_trip(module, version)


def test_impossible_states_name_fields_that_exist() -> None:
    fields = {(op.op_kind.mnemonic, field.name) for op in OPERATIONS for field in optional_fields(op)}
    assert {(op, name) for op, name, _ in IMPOSSIBLE} <= fields
