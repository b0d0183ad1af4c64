"""The generators: everything they make is valid, and together they make everything that is legal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tilewright.dialects.cuda_tile.availability import type_since
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.constraints import TileOf
from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.cuda_tile.enums import (
    AtomicRMWMode,
    IntegerOverflow,
    MemoryOrderingSemantics,
    MemoryScope,
    MultimemReductionKind,
    RoundingMode,
)
from tilewright.dialects.cuda_tile.ops import (
    conversion as ops_conversion,
    float as ops_float,
    integer as ops_integer,
    memory as ops_memory,
)
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.dialects.cuda_tile.version import LATEST, V13_1, VERSIONS, Version
from tilewright.ir.builtin_types import f4E2M1FN, f8E8M0FNU, i1, i64
from tilewright.ir.declaration.attribute_kind import EnumKind
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.fields import Arity
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.testing import enclosing_module, modules, operations, sample_modules, sample_operations

IDS = [op_class.op_kind.name for op_class in OPERATIONS]
every_operation = pytest.mark.parametrize("op_class", OPERATIONS, ids=IDS)

M, Order, S = RoundingMode, MemoryOrderingSemantics, MemoryScope
IEEE = {M.NEAREST_EVEN, M.ZERO, M.NEGATIVE_INF, M.POSITIVE_INF}
LEGAL_CASES: dict[tuple[type[Operation], str], set[Any]] = {
    **{
        (op_class, "rounding_mode"): IEEE
        for op_class in (ops_float.AddFOp, ops_float.SubFOp, ops_float.MulFOp, ops_float.FmaOp)
    },
    (ops_float.DivFOp, "rounding_mode"): IEEE | {M.APPROX, M.FULL},
    (ops_float.SqrtOp, "rounding_mode"): IEEE | {M.APPROX},
    (ops_float.ExpOp, "rounding_mode"): {M.APPROX, M.FULL},
    (ops_float.TanHOp, "rounding_mode"): {M.APPROX, M.FULL},
    (ops_conversion.IToFOp, "rounding_mode"): {M.NEAREST_EVEN},
    (ops_conversion.FToIOp, "rounding_mode"): {M.NEAREST_INT_TO_ZERO},
    (ops_conversion.FToFOp, "rounding_mode"): IEEE | {M.NEAREST_AWAY},
    (ops_integer.DivIOp, "rounding"): {M.ZERO, M.NEGATIVE_INF, M.POSITIVE_INF},
    (ops_integer.NegIOp, "overflow"): set(IntegerOverflow) - {IntegerOverflow.NO_UNSIGNED_WRAP},
    (ops_memory.AtomicRedViewTkoOp, "mode"): set(AtomicRMWMode) - {AtomicRMWMode.XCHG},
    (ops_memory.AtomicRedViewTkoOp, "memory_scope"): {S.TL_BLK, S.DEVICE},
    (ops_memory.AtomicRedViewTkoOp, "memory_ordering_semantics"): {Order.RELAXED},
    (ops_memory.MultimemReduceViewTkoOp, "memory_ordering_semantics"): {Order.RELAXED, Order.RELEASE},
    **{
        (op_class, "memory_ordering_semantics"): {Order.WEAK, Order.RELAXED, Order.ACQUIRE}
        for op_class in (
            ops_memory.LoadPtrTkoOp,
            ops_memory.LoadViewTkoOp,
            ops_memory.MultimemLoadReduceViewTkoOp,
        )
    },
    **{
        (op_class, "memory_ordering_semantics"): {Order.WEAK, Order.RELAXED, Order.RELEASE}
        for op_class in (
            ops_memory.StorePtrTkoOp,
            ops_memory.StoreViewTkoOp,
            ops_memory.MultimemStoreViewTkoOp,
        )
    },
    **{
        (op_class, "memory_ordering_semantics"): {Order.RELAXED, Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL}
        for op_class in (ops_memory.AtomicCASTkoOp, ops_memory.AtomicRMWTkoOp)
    },
    (ops_memory.MultimemLoadReduceViewTkoOp, "reduction"): set(MultimemReductionKind),
}
"""Enum cases that an operation's rules allow, where they are not all."""
REFUSED_ELEMENTS = {
    (ops_conversion.IToFOp, "to"): {f8E8M0FNU},
    (ops_conversion.ExtIOp, "from"): {i64},
    (ops_conversion.ExtIOp, "to"): {i1},
    (ops_conversion.TruncIOp, "from"): {i1},
    (ops_conversion.TruncIOp, "to"): {i64},
    (ops_conversion.PackOp, "source"): None,
    (ops_conversion.UnpackOp, "result"): None,
    (ops_memory.LoadPtrTkoOp, "padding_value"): None,
}
"""Element types that a constraint admits and a rule refuses; None: the rule relates several operands."""
NEVER_PRESENT = {("cuda_tile.entry", "res_attrs")}
"""A kernel has no results, so their attributes are always absent."""


@every_operation
@settings(max_examples=8)
@given(data=st.data())
def test_hypothesis_instances_are_valid(op_class: type[TileOp], data: st.DataObject) -> None:
    op = data.draw(operations(op_class))
    assert type(op) is op_class
    assert verify(enclosing_module(op)) == []


@settings(max_examples=25)
@given(module=modules())
def test_hypothesis_modules_are_valid(module: Operation) -> None:
    assert verify(module) == []


@every_operation
def test_everything_legal_is_generated(op_class: type[TileOp]) -> None:
    instances = sample_operations(op_class, 250, LATEST, seed="coverage")
    assert all(verify(enclosing_module(op)) == [] for op in instances)
    _check_attributes(op_class, instances)
    _check_optional_operands(op_class, instances)
    _check_elements(op_class, instances)


def _check_attributes(op_class: type[TileOp], instances: list[Operation]) -> None:
    for field in op_class.op_kind.attributes:
        seen = {getattr(op, field.python_name) for op in instances if field.ir_name in op.attributes}
        if field.optional and (op_class.op_kind.name, field.name) not in NEVER_PRESENT:
            presence = {field.ir_name in op.attributes for op in instances}
            assert presence == {False, True}, field.name
        if isinstance(field.kind, EnumKind):
            legal = LEGAL_CASES.get((op_class, field.name), set(field.kind.attribute_class.enumeration))
            assert seen == legal, field.name


def _check_optional_operands(op_class: type[TileOp], instances: list[Operation]) -> None:
    for number, field in enumerate(op_class.op_kind.operands):
        if field.arity is Arity.OPTIONAL:
            assert {op.kind.operand_sizes(op)[number] for op in instances} == {0, 1}, field.name


def _check_elements(op_class: type[TileOp], instances: list[Operation]) -> None:
    seen: dict[str, set[Any]] = defaultdict(set)
    for op in instances:
        for name, value in _fields(op):
            if isinstance(value.type, TileType):
                seen[name].add(value.type.element_type)
    for field in (*op_class.op_kind.operands, *op_class.op_kind.results):
        constraint = (
            field.constraint.bound if isinstance(field.constraint, TypeVariable) else field.constraint
        )
        refused = REFUSED_ELEMENTS.get((op_class, field.name), set[Any]())
        if isinstance(constraint, TileOf) and refused is not None:
            assert seen[field.name] == set(constraint.elements) - refused - _scalarless(constraint), (
                field.name
            )


def _scalarless(constraint: TileOf) -> set[Any]:
    return {f4E2M1FN} if constraint.rank == 0 else set()


def _fields(op: Operation) -> Iterator[tuple[str, Any]]:
    for field in (*op.kind.operands, *op.kind.results):
        for value in op.kind.field_values(op, field.name):
            yield field.name, value


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_nothing_younger_than_the_version_is_generated(version: Version) -> None:
    modules_made = sample_modules(30, version)
    for op_class in OPERATIONS:
        if op_class.since <= version:
            modules_made += [enclosing_module(op) for op in sample_operations(op_class, 5, version)]
    for module in modules_made:
        for op in module.walk():
            _check_age(op, version)


def _check_age(op: Any, version: Version) -> None:
    assert op.since <= version
    for value in (*op.operands, *op.results):
        assert type_since(value.type) <= version
    for field in op.kind.attributes:
        value = op.attributes.get(field.ir_name)
        young = field.since is not None and field.since > version
        assert value is None or not young or value is field.default, (op.name, field.name)
        since = getattr(value, "case_since", {}).get(getattr(value, "value", None), V13_1)
        assert since <= version, (op.name, field.name)


def test_a_younger_operation_is_refused() -> None:
    with pytest.raises(ValueError, match="came with version"):
        operations(ops_float.Atan2Op, V13_1)


def test_seeded_instances_are_always_the_same() -> None:
    from tests.dialects.cuda_tile.roundtrip import GENERIC

    texts = [[m.print(GENERIC) for m in sample_modules(5, seed=seed)] for seed in ("a", "a", "b")]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_versions_of_types_agree_with_the_bytecode() -> None:
    from tilewright.bytecode.reader.type_table import SCALAR_TAGS

    assert {tag.type: tag.since for tag in SCALAR_TAGS.values()} == {
        tag.type: type_since(tag.type) for tag in SCALAR_TAGS.values()
    }
