"""Prepares functions for the conversion: replaces branches between blocks by structured branches, and inlines
calls.

A function of `tt` has several blocks only if it returns early, so no branch leads back to an earlier block.
Each block is copied to each branch to it. The two sides of a conditional branch end at the first block that
both reach. Returns stay where they are. A called function with early returns becomes a `loop` with a `break`
for each return.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cf import ops as cf
from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.scf import ops_loop as scf
from tilewright.dialects.tt.ops import function as tt, reduction as tt_reduction
from tilewright.ir.attribute import Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.diagnostic import failure
from tilewright.ir.location import LazyLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering import codes

MOST_COPIES = 100_000
"""The maximum number of operations of a function after copying blocks."""
ValueMapping = dict[Value, Value]


class RegionStructurizer:
    """Replaces the blocks of one region by a single block with structured branches (`run`). Blocks that
    several branches lead to are copied. Raises `DiagnosticError` for loops, and for too many copies.
    """

    def __init__(self, region: Region) -> None:
        self.region = region
        self.reached: dict[Block, dict[Block, None]] = {}
        self.copies = 0

    def run(self) -> None:
        """Replace the blocks of the region by a single block; a region of one block is not changed. Raises
        `DiagnosticError` if a branch leads back, or if more than `MOST_COPIES` operations are copied.
        """
        entry = self.region.entry
        if entry is None or len(self.region.blocks) == 1:
            return
        self._find_reached()
        made = Block()
        for argument in entry.arguments:
            made.add_argument(argument.type, entry.argument_location(argument.index))
        mapping: ValueMapping = dict(zip(entry.arguments, made.arguments, strict=True))
        self._copy(entry, made, None, mapping)
        for block in list(self.region.blocks):
            for op in block:
                op.drop_all_references()
            self.region.remove(block)
        self.region.append(made)

    # --- reachability

    def _find_reached(self) -> None:
        """Set `reached`: for each block, the blocks that are reachable from it, itself first, in topological
        order. Raises `DiagnosticError` for a branch that leads back.
        """
        entry = self.region.entry
        assert entry is not None, "the caller asked"
        order = self._ordered(entry)
        rank = {block: at for at, block in enumerate(order)}
        for block in reversed(order):
            found = {block}
            for successor in block.successors:
                found.update(self.reached[successor])
            self.reached[block] = dict.fromkeys(sorted(found, key=rank.__getitem__))

    def _ordered(self, entry: Block) -> list[Block]:
        """Return the blocks in topological order, so that every branch leads forward. Raises
        `DiagnosticError` for a branch that leads back.
        """
        finished: dict[Block, None] = {}
        open_blocks: dict[Block, None] = {}
        pending: list[tuple[Block, bool]] = [(entry, False)]
        while pending:
            block, left = pending.pop()
            if left:
                del open_blocks[block]
                finished[block] = None
            elif block in open_blocks:
                raise self._refused(block)
            elif block not in finished:
                open_blocks[block] = None
                pending.append((block, True))
                pending += [(successor, False) for successor in block.successors if successor not in finished]
        return list(finished)[::-1]

    def _refused(self, block: Block) -> Exception:
        first = block.first
        assert first is not None, "blocks have terminators"
        return failure(
            codes.TRITON_JUMPS_BACK,
            "a jump leads back to an earlier block",
            first.location,
            hint="write the loop as `for` or `while`",
        )

    # --- copying

    def _copy(self, block: Block, into: Block, stop: Block | None, mapping: ValueMapping) -> None:
        """Copy the operations of a block, and of the blocks that follow it up to ``stop``, to the end of
        ``into``. ``mapping`` maps values to their copies.
        """
        while True:
            last = block.last
            assert last is not None, "blocks have terminators"
            for op in block.ops[:-1]:
                self._count(op)
                into.append(op.clone(mapping))
            following: Block | None = None
            match last:
                case cf.BranchOp():
                    following = self._follow(last.dest, last.destOperands, into, stop, mapping, last)
                case cf.CondBranchOp():
                    following = self._branch(last, into, stop, mapping)
                case _:
                    into.append(last.clone(mapping))
            if following is None:
                return
            block = following

    def _count(self, op: Operation) -> None:
        self.copies += 1
        if self.copies > MOST_COPIES:
            raise failure(
                codes.TRITON_JUMPS_BACK,
                "the branches of a function cannot be nested without copying too much",
                op.location,
                hint="return from fewer places",
            )

    def _follow(
        self,
        target: Block,
        operands: Sequence[Value],
        into: Block,
        stop: Block | None,
        mapping: ValueMapping,
        jump: Operation,
    ) -> Block | None:
        """Return the block to continue with after the branch `jump` to `target`; in ``mapping`` its arguments
        are mapped to `operands`. If `target` is `stop`, append the `yield` of the operands to ``into`` and
        return None.
        """
        values = [mapping.get(value, value) for value in operands]
        if target is stop:
            into.append(scf.YieldOp(tuple(values), location=jump.lazy_location))
            return None
        mapping.update(zip(target.arguments, values, strict=True))
        return target

    def _branch(
        self, jump: cf.CondBranchOp, into: Block, stop: Block | None, mapping: ValueMapping
    ) -> Block | None:
        """Append to `into` an `if` for the conditional branch `jump`, with the blocks up to ``stop`` copied
        into it. Return the block to continue with after it, or None if nothing follows. ``mapping`` maps
        values to their copies.
        """
        sides = [(jump.trueDest, jump.trueDestOperands), (jump.falseDest, jump.falseDestOperands)]
        merge = self._merge(sides[0][0], sides[1][0], stop)
        condition = mapping.get(jump.condition) or jump.condition
        if merge is None:
            return self._leave(sides, condition, into, mapping, jump)
        bodies = [self._side(target, values, merge, mapping, jump) for target, values in sides]
        types = [argument.type for argument in merge.arguments]
        made = _branch_op(condition, bodies, types, jump.lazy_location)
        into.append(made)
        if merge is stop:
            into.append(scf.YieldOp(made.results, location=jump.lazy_location))
            return None
        mapping.update(zip(merge.arguments, made.results, strict=True))
        return merge

    def _merge(self, left: Block, right: Block, stop: Block | None) -> Block | None:
        """Return the first block that both `left` and `right` reach. If there is none, return `stop` if one
        of them reaches it, else None.
        """
        behind = self.reached[right]
        common = next((block for block in self.reached[left] if block in behind), None)
        if common is not None or stop is None:
            return common
        return stop if stop in self.reached[left] or stop in behind else None

    def _side(
        self,
        target: Block,
        operands: Sequence[Value],
        stop: Block | None,
        mapping: ValueMapping,
        jump: Operation,
    ) -> Block:
        body, inner = Block(), dict(mapping)
        following = self._follow(target, operands, body, stop, inner, jump)
        if following is not None:
            self._copy(following, body, stop, inner)
        return body

    def _leave(
        self,
        sides: Sequence[tuple[Block, Sequence[Value]]],
        condition: Value,
        into: Block,
        mapping: ValueMapping,
        jump: Operation,
    ) -> Block | None:
        """Append an `if` for a conditional branch both of whose sides return: the side that reaches fewer
        blocks is copied into it. Return the block of the other side, never None, which continues after the
        `if`; in `mapping` its arguments are mapped to the operands of the branch.
        """
        shorter = min(range(2), key=lambda at: len(self.reached[sides[at][0]]))
        left, values = sides[shorter]
        returning = self._side(left, values, None, mapping, jump)
        going_on = Block()
        going_on.append(scf.YieldOp((), location=jump.lazy_location))
        bodies = [returning, going_on] if shorter == 0 else [going_on, returning]
        into.append(_branch_op(condition, bodies, [], jump.lazy_location))
        target, operands = sides[1 - shorter]
        return self._follow(target, operands, into, None, mapping, jump)


def _branch_op(
    condition: Value, bodies: Sequence[Block], types: Sequence[Any], location: Location | LazyLocation
) -> Operation:
    return scf.IfOp(
        condition,
        thenRegion=Region([bodies[0]]),
        elseRegion=Region([bodies[1]]),
        result_types=types,
        location=location,
    )


# --- calls


def inline_calls(functions: Sequence[Any]) -> None:
    """Replace every call in `functions` by the body of the called function. Raises `DiagnosticError` for a
    recursive function, and for one without a body in `functions`.
    """
    known = {function.sym_name: function for function in functions}
    done: set[str] = set()
    for function in functions:
        _inline_into(function, known, done, [])


def _inline_into(function: Any, known: dict[str, Any], done: set[str], around: list[str]) -> None:
    if function.sym_name in done:
        return
    for call in [op for op in function.walk() if isinstance(op, tt.CallOp)]:
        callee = known.get(call.callee)
        if callee is None or not callee.body.blocks:
            raise failure(
                codes.TRITON_CALL,
                f"the called function '@{call.callee}' has no body in this module",
                call.location,
                hint="put the function and its caller into one module",
            )
        if call.callee in (*around, function.sym_name):
            raise failure(
                codes.TRITON_CALL,
                f"'@{call.callee}' calls itself",
                call.location,
                hint="write a loop: a kernel has no stack for recursion",
            )
        _inline_into(callee, known, done, [*around, function.sym_name])
        _inline(call, callee)
    done.add(function.sym_name)


def _inline(call: Any, callee: Any) -> None:
    body: Block = callee.body.block
    mapping: ValueMapping = dict(zip(body.arguments, call.operands, strict=True))
    returns = [op for op in callee.walk() if isinstance(op, tt.ReturnOp)]
    if len(returns) == 1 and returns[0] is body.last:
        for op in body.ops[:-1]:
            call.parent.insert_before(call, op.clone(mapping))
        results = [mapping.get(value, value) for value in returns[0].operands]
    else:
        results = list(_as_loop(call, body, mapping).results)
    call.replace_all_uses_with(results)
    call.erase()


def _as_loop(call: Operation, body: Block, mapping: ValueMapping) -> Operation:
    """Insert a `loop` with the body of the called function before a call, and return it. It runs once; each
    return is a `break`.
    """
    inner = Block()
    for op in body.ops:
        inner.append(op.clone(mapping))
    loop = _loop_of(inner, call.result_types, call, tt.ReturnOp)
    assert call.parent is not None, "the call stands in a block"
    return call.parent.insert_before(call, loop)


def _loop_of(body: Block, types: Sequence[Type], where: Operation, ending: type[Operation]) -> control.LoopOp:
    """Return a new `loop` with the given body and result types, at the location of ``where``, in which each
    operation of class `ending` is replaced by a `break`. The `loop` is not inserted.
    """
    loop = control.LoopOp((), body=Region([body]), result_types=types, location=where.lazy_location)
    for op in [op for op in loop.walk() if isinstance(op, ending)]:
        assert op.parent is not None, "it stands in the loop"
        op.parent.insert_before(op, control.BreakOp(op.operands, location=op.lazy_location))
        op.erase()
    return loop


# --- functions of elements


def structure_function_of_elements(op: tt_reduction.MapElementwiseOp) -> None:
    """Restructure the function of a `map_elementwise` into one block that ends in its only return. Raises
    `DiagnosticError` if a branch leads back, or if more than `MOST_COPIES` operations are copied.
    """
    region: Region = op.scalarOp
    RegionStructurizer(region).run()
    returns = [inner for inner in op.walk() if isinstance(inner, tt_reduction.MapElementwiseReturnOp)]
    if len(returns) == 1 and returns[0] is region.block.last:
        return
    outer, body = region.block, Block()
    types = [value.type for value in returns[0].operands]
    for inner in outer.ops:
        body.append(inner.detach())
    loop = outer.append(_loop_of(body, types, op, tt_reduction.MapElementwiseReturnOp))
    outer.append(tt_reduction.MapElementwiseReturnOp(loop.results, location=op.lazy_location))


def structure_functions(functions: Sequence[Any]) -> None:
    """Restructure each function, and the functions of `map_elementwise`, into one block, and inline all
    calls, in place. Raises `DiagnosticError` if a branch leads back, if more than `MOST_COPIES` operations
    are copied, and for a recursive function or a call of a function without a body.
    """
    for function in functions:
        RegionStructurizer(function.body).run()
        for op in [op for op in function.walk() if isinstance(op, tt_reduction.MapElementwiseOp)]:
            structure_function_of_elements(op)
    inline_calls(functions)
