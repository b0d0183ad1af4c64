"""How the body of a reduction or scan combines elements, lane by lane, and what changes nothing in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.ir.block import Block
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType
from tilewright.ir.diagnostic import failure
from tilewright.ir.value import Value
from tilewright.targets import codes
from tilewright.targets.cpu import elementwise
from tilewright.targets.cpu.buffer import spread
from tilewright.targets.cpu.code import Code
from tilewright.targets.cpu.elements import element_of, register_type
from tilewright.targets.cpu.nest import Combine

if TYPE_CHECKING:
    from tilewright.targets.cpu.function import KernelEmitter


def combiner(emit: KernelEmitter, op: Any) -> Combine:
    """The body of an operation as a function of lanes; scalars from outside are the same for all lanes."""
    (block,) = op.body.blocks

    def combine(code: Code, left: Sequence[Value], right: Sequence[Value]) -> list[Value]:
        lanes = _lanes(left[0])
        return [spread(code, value, lanes) for value in body_values(emit, block, (*left, *right), lanes)]

    return combine


def body_values(emit: KernelEmitter, block: Block, given: Sequence[Value], lanes: int) -> list[Value]:
    """What a body yields for lanes; values that all lanes share may be single elements."""
    held: dict[Value, Value] = dict(zip(block.arguments, given, strict=True))
    ops = list(block)
    for inner in ops[:-1]:
        operands = [held[value] if value in held else emit.scalars[value] for value in inner.operands]
        held[inner.results[0]] = _applied(emit, inner, operands, lanes)
    return [held[value] if value in held else emit.scalars[value] for value in ops[-1].operands]


def _applied(emit: KernelEmitter, op: Any, operands: Sequence[Value], lanes: int) -> Value:
    if op.__class__ in elementwise.RULES:
        return elementwise.apply(emit.code, op, operands, lanes)
    evaluate = emit.evaluators.get(op.__class__)
    if evaluate is None or op.operands:
        raise failure(
            codes.NO_CPU_FORM,
            f"operation '{op.kind.name}' has no form on the CPU inside of '{op.parent_op.kind.name}'",
            op.location,
            hint="compute it in front, or choose between two values with a select",
        )
    return evaluate(emit.point(lanes, masked=False), op, 0, ())


def _lanes(value: Value) -> int:
    return value.type.shape[0] if isinstance(value.type, VectorType) else 1


IDENTITIES: dict[str, Any] = {
    "addf": -0.0,
    "mulf": 1.0,
    "maximumf": float("-inf"),
    "minimumf": float("inf"),
    "maxnumf": float("nan"),
    "minnumf": float("nan"),
    "addi": 0,
    "muli": 1,
    "ori": 0,
    "xori": 0,
    "andi": -1,
    "maxui": 0,
    "minui": -1,
}
"""What changes nothing when an operation combines it with something."""


def identities(code: Code, op: Any) -> tuple[Value, ...] | None:
    """Where partial results begin, if the body combines each input by one operation that has an identity.

    Such operations commute: only with them partial results may be kept for every few elements.
    """
    (block,) = op.body.blocks
    count = len(op.inputs)
    yielded = list(block)[-1].operands
    found: list[Value] = []
    for at, value in enumerate(op.inputs):
        pair = {block.arguments[at], block.arguments[count + at]}
        made: Any = yielded[at].owner
        element = register_type(element_of(value.type))
        if isinstance(made, Block):
            return None
        number = _identity(made.kind.mnemonic, element)
        if number is None or set(made.operands) != pair:
            return None
        found.append(_number(code, number, element))
    return tuple(found)


def _number(code: Code, number: Any, element: Any) -> Value:
    return code.float(number, element) if isinstance(element, FloatType) else code.integer(number, element)


def _identity(mnemonic: str, element: Any) -> Any:
    if isinstance(element, IntegerType) and mnemonic in ("maxsi", "minsi"):
        least = -(1 << (element.width - 1))
        return least if mnemonic == "maxsi" else -least - 1
    number = IDENTITIES.get(mnemonic)
    return number if isinstance(element, FloatType) == isinstance(number, float) else None
