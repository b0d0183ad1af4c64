"""`simplify-carried-values`: loops carry what changes and is used, and nothing else.

A carried value that no iteration changes is the initial value.  A carried value is removed if only the next iteration
receives it and the result of the loop is unused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.cuda_tile.ops.control import ContinueOp, ForOp, LoopOp
from tilewright.ir import block as ir_block, builder
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.passes.pass_ import Pass, PassState


def simplify_carried_values(root: Operation) -> int:
    """Simplify the loops inside an operation, inner ones first; return the number of carried values that were
    replaced or dropped.
    """
    loops = [op for op in root.walk() if isinstance(op, ForOp | LoopOp) and op is not root]
    return sum(_simplify(loop) for loop in reversed(loops))


@dataclass(frozen=True)
class CarriedValues:
    """The carried values of a loop: its operands ``loop.init_values``, the ``arguments`` of an iteration
    without the counter, and the terminators ``continues``, whose operands are passed to the next iteration. A
    position is an index into each of these.
    """

    loop: ForOp | LoopOp
    arguments: Sequence[Value]
    continues: Sequence[ContinueOp]

    def result(self, position: int) -> Value | None:
        """Return the result of the loop for a carried value; None for a `loop`, whose results are the
        operands of `break`, not carried values.
        """
        return self.loop.results[position] if isinstance(self.loop, ForOp) else None

    def is_constant(self, position: int) -> bool:
        """Return whether every iteration passes on the carried value unchanged, or the initial value; True if
        there is no `continue`.
        """
        same = self.loop.init_values[position], self.arguments[position]
        return all(op.operands[position] in same for op in self.continues)

    def is_used(self, position: int) -> bool:
        """Return whether a carried value has another use than being passed unchanged to the next iteration,
        in its own position: a use in the body, or a use of the result of a `for`.
        """
        result, argument = self.result(position), self.arguments[position]
        handed_on = {(op, position) for op in self.continues}
        used_inside = any(use not in handed_on for use in argument.operand_uses())
        return used_inside or (result is not None and result.has_uses)


def carried_values(loop: ForOp | LoopOp) -> CarriedValues:
    """Return the values that a loop carries; the counter of a `for` is not among them."""
    arguments = loop.body.block.arguments[1:] if isinstance(loop, ForOp) else loop.body.block.arguments
    return CarriedValues(loop, arguments, _continues(loop))


def _simplify(loop: ForOp | LoopOp) -> int:
    carried = carried_values(loop)
    positions = range(len(carried.arguments))
    replaced = sum(_replace(carried, at) for at in positions if carried.is_constant(at))
    kept = [at for at in positions if carried.is_used(at)]
    if len(kept) < len(positions):
        _keep(carried, kept)
    return replaced + len(positions) - len(kept)


def _continues(loop: Operation) -> list[ContinueOp]:
    """Return the `continue` operations that belong to a loop itself and not to a loop inside of it."""
    found = [op for op in loop.walk() if isinstance(op, ContinueOp)]
    return [op for op in found if next(o for o in op.ancestors() if isinstance(o, ForOp | LoopOp)) is loop]


def _replace(carried: CarriedValues, position: int) -> bool:
    """Replace the uses of a carried value, and of its result, with its initial value; return False and change
    nothing if it was not used (`CarriedValues.is_used`). The loop still carries the value.
    """
    if not carried.is_used(position):
        return False
    start, result = carried.loop.init_values[position], carried.result(position)
    carried.arguments[position].replace_all_uses_with(start)
    if result is not None:
        result.replace_all_uses_with(start)
    return True


def _keep(carried: CarriedValues, kept: Sequence[int]) -> None:
    """Replace a loop with a loop that carries only the values at the positions `kept`. All other carried
    values must be unused (`CarriedValues.is_used`): the next iteration may receive them at their own
    positions, and a result of a `for` must have no uses.
    """
    loop = carried.loop
    inits = loop.init_values
    for op in carried.continues:
        op.set_operands([op.operands[at] for at in kept])
    for at in reversed(range(len(inits))):
        if at not in kept:
            loop.body.block.erase_argument(carried.arguments[at].index)
    results = [loop.results[at] for at in kept] if isinstance(loop, ForOp) else list(loop.results)
    slim = rebuilt(loop, [inits[at] for at in kept], [result.type for result in results])
    for old, new in zip(results, slim.results, strict=True):
        old.replace_all_uses_with(new)
    loop.erase()


def rebuilt(loop: ForOp | LoopOp, inits: Sequence[Value], results: Sequence[Type]) -> Operation:
    """Insert a new loop before ``loop``, with other initial values and result types, and return it. The body
    of ``loop`` is moved into it; the bounds are the same. ``loop`` stays, without its body.
    """
    bounds = loop.operands[: len(loop.operands) - len(loop.init_values)]
    made = Operation.from_parts(
        loop.kind,
        (*bounds, *inits),
        results,
        dict(loop.attributes),
        [ir_block.Region()],
        location=loop.location,
    )
    builder.InsertionPoint.before(loop).insert(made).regions[0].take_blocks(loop.body)
    return made


@dataclass(frozen=True)
class SimplifyCarriedValues(Pass):
    """Lets loops carry only values that change and are used.

    A carried value that no iteration changes is replaced by its initial value.  A carried value is removed if only the
    next iteration receives it and the result of the loop is unused.
    """

    name: ClassVar[str] = "simplify-carried-values"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-simplified", simplify_carried_values(op))
