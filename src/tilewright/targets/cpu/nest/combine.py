"""How the body of a reduction or scan combines elements, lane by lane, and its identity elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.llvm.ops.arithmetic import SelectOp
from tilewright.dialects.nv_tileas.ops_tile import ReduceOp, ScanOp
from tilewright.dialects.scf.ops_loop import IfOp
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets import codes
from tilewright.targets.cpu.facts.identities import identity_of
from tilewright.targets.cpu.memory.buffer import spread
from tilewright.targets.cpu.nest import elementwise, nest as nest_nest
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.plan.model import CombinationOrder, Combining
from tilewright.targets.elements.element_types import element_of, is_tile, register_type
from tilewright.targets.elements.lanes import constant_value
from tilewright.targets.elements.rounding import KEPT_IN, NarrowFormats, step
from tilewright.targets.llvm.code import LlvmBuilder

Aggregate = ReduceOp | ScanOp
"""Operations whose body combines elements along an axis."""


@dataclass(frozen=True)
class Combination:
    """The way the region of an operation combines partial results of its inputs: `combine` emits the
    combination of two partial results of each input. ``identities`` has the identity element of each input;
    it is None if the order of elements matters. ``narrow`` has, for each input, the format to which its
    result is rounded at the end if partial results are kept in a wider format, else None.
    """

    combine: nest_nest.Combine
    identities: tuple[Value, ...] | None
    """The identity element for each input; None if an input has no identity: then the order of elements
    matters.
    """
    narrow: NarrowFormats


def combination(emit: BlockCode, op: Aggregate, plan: Combining) -> Combination:
    """Return the function that emits the combination of elements by the body of `op`, and the identity
    elements, as planned in `plan`. There are no identity elements if neighbours are combined in order.
    """
    if plan.order is CombinationOrder.NEIGHBOURS:
        return Combination(_by_body(emit, op), None, plan.narrow)
    combine = _each_alone(emit, plan.own, plan.narrow) if any(plan.narrow) else _by_body(emit, op)
    return Combination(combine, _identities(emit.code, plan.own, plan.narrow), plan.narrow)


def _by_body(emit: BlockCode, op: Aggregate) -> nest_nest.Combine:
    """Return a function that emits the body of `op` for the lanes of two partial results of each input. A
    result that all lanes share is broadcast.
    """
    (block,) = op.body.blocks

    def combine(code: LlvmBuilder, left: Sequence[Value], right: Sequence[Value]) -> list[Value]:
        lanes = _lanes(left[0])
        return [spread(code, value, lanes) for value in body_values(emit, block, (*left, *right), lanes)]

    return combine


def _each_alone(emit: BlockCode, own: Sequence[Operation], narrow: NarrowFormats) -> nest_nest.Combine:
    """Return a function that combines the partial results of each input by its operation in `own`; narrow
    floats use their wider format.
    """

    def combine(code: LlvmBuilder, left: Sequence[Value], right: Sequence[Value]) -> list[Value]:
        return [
            _applied(emit, op, pair, _lanes(pair[0])) if to is None else step(code, op, *pair)
            for op, to, pair in zip(own, narrow, zip(left, right, strict=True), strict=True)
        ]

    return combine


def body_values(emit: BlockCode, block: ir_block.Block, given: Sequence[Value], lanes: int) -> list[Value]:
    """Return the values that the body `block` yields for `lanes` lanes if its arguments are `given`. Values
    that all lanes share may be scalars.
    """
    return _yielded(emit, block, dict(zip(block.arguments, given, strict=True)), lanes)


def _yielded(emit: BlockCode, block: ir_block.Block, held: dict[Value, Value], lanes: int) -> list[Value]:
    """Emit the operations of `block` that its yielded values need, for `lanes` lanes, and return these
    values; values that all lanes share may be scalars. ``held`` maps the values of the body to the values
    computed so far, and gets the new ones.
    """
    *_, last = block
    for op in _needed(block):
        operands = [held[value] if value in held else emit.scalars[value] for value in op.operands]
        if isinstance(op, IfOp):
            made = _chosen(emit, op, operands[0], held, lanes)
        else:
            made = [_applied(emit, op, operands, lanes)]
        held.update(zip(op.results, made, strict=True))
    return [held[value] if value in held else emit.scalars[value] for value in last.operands]


def _needed(block: ir_block.Block) -> list[Operation]:
    """Return the operations on which the yielded values of a block depend, in order."""
    *ops, last = block
    needed, found = set(last.operands), list[Operation]()
    for op in reversed(ops):
        if any(result in needed for result in op.results):
            found.append(op)
            needed.update(operand for inner in op.walk() for operand in inner.operands)
    return found[::-1]


def _chosen(emit: BlockCode, op: IfOp, condition: Value, held: dict[Value, Value], lanes: int) -> list[Value]:
    """Emit the branches of an `if` inside of a body, both for all lanes, as nothing in them has an effect or
    stops, and return its results, selected by `condition`. ``held`` maps the values of the body that were
    computed so far, and gets the values of the branches.
    """
    yes, no = (_yielded(emit, region.blocks[0], held, lanes) for region in op.regions)
    return [_select(emit.code, condition, *pair) for pair in zip(yes, no, strict=True)]


def _select(code: LlvmBuilder, condition: Value, yes: Value, no: Value) -> Value:
    lanes = max(map(_lanes, (condition, yes, no)))
    yes, no = spread(code, yes, lanes), spread(code, no, lanes)
    return code(SelectOp, condition, yes, no, type=yes.type)


def _applied(emit: BlockCode, op: Operation, operands: Sequence[Value], lanes: int) -> Value:
    if op.__class__ in elementwise.RULES:
        return elementwise.apply(emit.code, op, operands, lanes)
    if op.__class__ not in emit.evaluators or op.operands or is_tile(op.results[0].type):
        raise diagnostic.failure(
            codes.NO_CPU_FORM,
            f"operation '{op.kind.name}' has no form on the CPU inside '{_around(op)}'",
            op.location,
            hint="compute it before, or combine elements one by one",
        )
    return emit.point(lanes, masked=False).computed(op.results[0], ())


def _around(op: Operation) -> str:
    """Return the name of the operation around `op`, for a message."""
    assert op.parent_op is not None
    return op.parent_op.name


def _lanes(value: Value) -> int:
    return value.type.shape[0] if isinstance(value.type, builtin_types.VectorType) else 1


def _identities(code: LlvmBuilder, own: Sequence[Operation], narrow: NarrowFormats) -> tuple[Value, ...]:
    """Return the identity element of each operation of `own` as a constant, in the type of its partial
    results.
    """
    found: list[Value] = []
    for op, to in zip(own, narrow, strict=True):
        element = element_of(op.results[0].type) if to is None else KEPT_IN[to]
        found.append(_number(code, identity_of(op.__class__, element), element))
    return tuple(found)


def _number(code: LlvmBuilder, number: Any, element: Any) -> Value:
    if isinstance(element, builtin_types.FloatType):
        return constant_value(code, builtin_attributes.float_attribute(number, element), element)
    return code.integer(number, register_type(element))
