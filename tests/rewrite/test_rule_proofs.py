"""Every declarative rule of a dialect, proved with z3: what it makes of its own pattern refines it, for all inputs.

The operations of a pattern are built with all types and attributes of small lists that make them valid; the rule must
fire on each, or say that its result would not be valid, and what it made must be right.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice, permutations, product
from typing import Any

import pytest

from tests.support.symbolic import counterexample, z3
from tests.support.symbolic_tiles import EVALUATED, differs, unknown
from tilewright.dialects.arith.ops_conversion import ExtSIOp
from tilewright.dialects.arith.ops_integer import AddIOp, AndIOp, CmpIOp, ConstantOp, SubIOp
from tilewright.dialects.cuda_tile.enums import IntegerOverflow
from tilewright.dialects.cuda_tile.ops.conversion import ExtIOp, TruncIOp
from tilewright.dialects.cuda_tile.ops.tile import PermuteOp
from tilewright.dialects.cuda_tile.types import PointerType, TileType, tile_of
from tilewright.dialects.func.ops import FuncOp, ReturnOp
from tilewright.driver.startup import context, startup
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import StringAttr, TypeAttr
from tilewright.ir.builtin_types import FunctionType, IntegerType, f32, i1, i8, i16, i32, i64, index
from tilewright.ir.declaration.attribute_kind import DenseArrayKind, EnumKind
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ir.verifier import check_operation, verify
from tilewright.pdl.compiler.rewriters import can_infer
from tilewright.rewrite.greedy import GreedyConfig, apply_patterns_greedily
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import CannotCreate, create_operation
from tilewright.rewrite.rules import (
    AttributeVariable,
    Constant,
    IdentityRule,
    OpTerm,
    Variable,
    attribute,
    number_attribute,
    op_pattern,
    rule,
    terms,
    variables,
)

KNOWN = context(allow_unregistered=True)
INSTANCES = 12
"""So many are proved of each rule, drawn from all with a fixed seed."""

TYPES: dict[str, tuple[Type, ...]] = {
    "arith": (i1, IntegerType(4), i8, index),
    "cuda_tile": (
        *[TileType((2,), element) for element in (i8, i16, i32, i64, f32)],
        *[TileType((2,), PointerType(element)) for element in (i8, f32)],
        *[TileType(shape, i8) for shape in ((1, 1, 2), (1, 4, 2), (2, 4, 2), (4, 2, 2), (8, 2), (2, 2, 4))],
    ),
}
"""What values may be, by the dialect of the pattern."""
ORDERS = [*permutations(range(2)), *permutations(range(3))]


def rules() -> dict[str, IdentityRule]:
    """The declarative rules among the canonicalisations of all dialects."""
    hooks = [entry.load().canonicalization_patterns for entry in startup().dialects.values()]
    found = [p for hook in hooks if hook is not None for p in hook() if isinstance(p, IdentityRule)]
    return {f"{each.pattern.op_class.op_kind.dialect} {each.debug_name}": each for each in found}


RULES = rules()


def choices(term: Any, fields: Mapping[AttributeVariable, Any], types: tuple[Type, ...]) -> list[Any]:
    """What a variable, a constant, the result of an operation, or an attribute may be."""
    if isinstance(term, OpTerm) and can_infer(term.op_class.op_kind):
        return [None]
    if not isinstance(term, AttributeVariable):
        return [*types]
    kind = fields[term]
    if isinstance(kind, DenseArrayKind):
        return [kind.to_attribute(order) for order in ORDERS]
    cases = kind.attribute_class.enumeration if isinstance(kind, EnumKind) else kind.enumeration
    return [kind.to_attribute(case) for case in cases]


def instances(tried: IdentityRule) -> Iterator[Block]:
    """Blocks with the operations of a pattern, and an operation that uses the result."""
    types = TYPES[tried.pattern.op_class.op_kind.dialect]
    every = list(dict.fromkeys(t for t in terms(tried.pattern) if not isinstance(t, Attribute)))
    fields = {
        value: term.op_class.op_kind.attributes_by_ir_name[name].kind
        for term in every
        if isinstance(term, OpTerm)
        for name, value in term.attributes.items()
        if isinstance(value, AttributeVariable)
    }
    drawn = list(product(*[choices(term, fields, types) for term in every]))
    random.Random(1).shuffle(drawn)
    for chosen in drawn:
        block = built(tried.pattern, dict(zip(every, chosen, strict=True)))
        if block is not None:
            yield block


def built(pattern: OpTerm, chosen: Mapping[Any, Any]) -> Block | None:
    """A block for one choice of types and attributes; None if an operation is not valid."""
    block = Block([type for term, type in chosen.items() if isinstance(term, Variable)])
    known: dict[Any, Value] = dict(
        zip([t for t in chosen if isinstance(t, Variable)], block.arguments, strict=True)
    )
    try:
        value = _build(pattern, chosen, known, block)
    except (VerifyError, CannotCreate):
        return None
    return held(block, value)


def held(block: Block, value: Value) -> Block:
    """The block, with a use of the value at its end, inside of an operation."""
    block.append(Operation.from_parts(KNOWN.unregistered_kind("test.use"), [value]))
    Operation.from_parts(KNOWN.unregistered_kind("test.holder"), regions=[Region([block])])
    return block


def copied(block: Block) -> Operation:
    """A copy of the operation around a block."""
    assert block.parent is not None
    assert block.parent.parent is not None
    return block.parent.parent.clone()


def _build(term: Any, chosen: Mapping[Any, Any], known: dict[Any, Value], block: Block) -> Value:
    if term in known:
        return known[term]
    if isinstance(term, Constant):
        assert isinstance(term.wanted, int)
        value = number_attribute(term.wanted, chosen[term])
        assert value is not None
        made: Operation = ConstantOp(value)
    else:
        groups = [(_build(operand, chosen, known, block),) for operand in term.operands]
        given = {name: chosen.get(value, value) for name, value in term.attributes.items()}
        wanted = chosen[term]
        types = None if wanted is None else [wanted]
        made = create_operation(term.op_class.op_kind, groups, given, types, UNKNOWN)
    check_operation(made)
    known[term] = block.append(made).results[0]
    return known[term]


def rewritten(tried: IdentityRule, block: Block) -> Block | None:
    """What the rule makes of a block; None if it declines."""
    holder = copied(block)
    done = apply_patterns_greedily(holder, RewritePatternSet(KNOWN, [tried]), KNOWN, GreedyConfig(fold=False))
    assert verify(holder) == []
    return holder.regions[0].block if done.changed else None


# --- the meaning of a block


def as_function(block: Block) -> Operation:
    """A function of a block of scalars, whose last operation returns what it used."""
    holder = copied(block)
    body = holder.regions[0].block
    last = body.last
    assert last is not None
    values = tuple(last.operands)
    last.erase()
    body.append(ReturnOp(values))
    signature = FunctionType(tuple(a.type for a in body.arguments), tuple(value.type for value in values))
    region = Region()
    region.take_blocks(holder.regions[0])
    given = {"sym_name": StringAttr("f"), "function_type": TypeAttr(signature)}
    return Operation.from_parts(FuncOp.op_kind, attributes=given, regions=[region])


def tile_of_block(block: Block) -> Any:
    """The elements of the tile that the last operation of a block uses."""
    known: dict[Value, Any] = {a: unknown(tile_of(a), f"x{a.index}") for a in block.arguments}
    for op in block:
        if not op.results:
            return known[op.operands[0]]
        known[op.results[0]] = EVALUATED[type(op)](op, known[op.operands[0]])
    raise AssertionError("nothing is used")


def is_refined(before: Block, after: Block, dialect: str) -> bool:
    """Whether a block may take the place of another."""
    if dialect == "arith":
        return counterexample(as_function(before), as_function(after)) is None
    solver = z3.Solver()
    solver.add(differs(tile_of_block(before), tile_of_block(after)))
    return bool(solver.check() == z3.unsat)


def outcomes(tried: IdentityRule) -> list[bool]:
    """For some instances on which the rule fires, whether the result is right."""
    pairs = ((block, rewritten(tried, block)) for block in instances(tried))
    fired = ((before, after) for before, after in pairs if after is not None)
    dialect = tried.pattern.op_class.op_kind.dialect
    return [is_refined(before, after, dialect) for before, after in islice(fired, INSTANCES)]


@pytest.mark.parametrize("name", RULES)
def test_the_rule_is_right(name: str) -> None:
    found = outcomes(RULES[name])
    assert found
    assert all(found)


X, Y = variables("x y")
P, S = attribute("p"), attribute("s")
WRONG = {
    "a sum": rule("x + y == x - y", op_pattern(AddIOp, X, Y), op_pattern(SubIOp, X, Y)),
    "signs": rule(
        "the predicate of extended numbers",
        op_pattern(CmpIOp, op_pattern(ExtSIOp, X), op_pattern(ExtSIOp, Y), predicate=P),
        op_pattern(CmpIOp, Y, X, predicate=P),
    ),
    "extension": rule(
        "the sign of an extended number",
        op_pattern(ExtIOp, op_pattern(ExtIOp, X, signedness=P), signedness=S),
        op_pattern(ExtIOp, X, signedness=S),
    ),
    "promise": rule(
        "a promise out of nothing",
        op_pattern(TruncIOp, op_pattern(TruncIOp, X)),
        op_pattern(TruncIOp, X, overflow=IntegerOverflow.NO_SIGNED_WRAP),
    ),
    "order": rule(
        "permutations the other way round",
        op_pattern(PermuteOp, op_pattern(PermuteOp, X, permutation=P), permutation=S),
        op_pattern(PermuteOp, X, permutation=S),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rule_is_found(name: str) -> None:
    assert not all(outcomes(WRONG[name]))


def test_operands_that_do_not_fit_together_are_declined() -> None:
    """Bits of numbers that were extended from different types."""
    block = Block([IntegerType(4), i8])
    wide = [
        block.append(ExtSIOp(value, result_types=[IntegerType(16)])).results[0] for value in block.arguments
    ]
    bits = block.append(AndIOp(*wide)).results[0]
    assert rewritten(RULES["arith AndOfExtSI"], held(block, bits)) is None
