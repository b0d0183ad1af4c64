"""The operations before which a kernel can stop, each with the statements that begin there.

Frontends move operations: constants to the top, what does not change out of loops. Such operations are no
stops, so the stops of a kernel follow the order of its text. A statement that has no operations, such as
``largest = now``, begins at the first operation of the statement that follows.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from tilewright.debugger.source import (
    CallContext,
    CodePosition,
    SourceFile,
    SourceFiles,
    bodies,
    code_position,
    node_position,
)
from tilewright.dialects.cuda_tile.ops import control, memory, tile as tiles, view as views
from tilewright.interp.idle import executed_operations
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record

LOOPS = (control.ForOp, control.LoopOp)
_SILENT = (
    tiles.ConstantOp,
    control.AssumeOp,
    memory.MakeTokenOp,
    memory.JoinTokensOp,
    views.MakeTensorViewOp,
    views.MakePartitionViewOp,
    control.YieldOp,
)
"""Operations that are no steps of a program: frontends make them where they like."""
_PYTHON_LOOPS = ast.For | ast.While


class StatementPlace(Record, frozen=True):
    """A statement of a kernel, in a function that was reached by the calls ``context``.

    ``statement`` is None in files that are not Python; then the place is a line.
    """

    file: str
    line: int
    context: CallContext = ()
    statement: ast.stmt | None = None

    @property
    def outer(self) -> Iterator[CodePosition]:
        """Yield the positions of the calls that lead here, the outermost call first."""
        return CodePosition((self.file, self.line, 1), self.context).outer


class StopPlan:
    """The stops of an entry. ``at`` maps operations to the statements that begin there, in the order in which
    they begin.
    """

    def __init__(self, entry: Operation, files: SourceFiles) -> None:
        self.at: dict[Operation, list[StatementPlace]] = {}
        self.positions: dict[Operation, CodePosition] = {}
        self._files = files
        self._beginnings: dict[StatementPlace, list[Operation]] = defaultdict(list)
        blocks: dict[Block, list[Operation]] = defaultdict(list)
        for op in executed_operations(entry):
            found = code_position(op.location)
            if found is not None:
                self.positions[op] = found
            assert op.parent is not None, "operations of an entry are in blocks"
            blocks[op.parent].append(op)
        self._loops = self._loops_by_position(blocks)
        for ops in blocks.values():
            self._add_block(ops)
        self._add_silent_statements(entry)

    def place(self, position: CodePosition) -> StatementPlace | None:
        """Return the statement at a position, with the calls that lead there. In a file without Python
        functions this is the line alone. Return None outside of the functions of a Python file, and in the
        head of a function.
        """
        source = self._files.of(position.file)
        if not source.functions:
            return StatementPlace(position.file, position.line, position.context)
        found = source.statement_at(position.position)
        return None if found is None else StatementPlace(position.file, found.lineno, position.context, found)

    def chain(self, op: Operation) -> list[StatementPlace]:
        """Return the statements that an operation is part of: the statement of each call that leads to it,
        the outermost call first, and its own statement last. Return an empty list if one of them is unknown.
        """
        position = self.positions.get(op)
        if position is None:
            return []
        found = [self.place(one) for one in (*position.outer, position)]
        return [one for one in found if one is not None] if None not in found else []

    def lines(self, file: str) -> set[int]:
        """Return the lines of a file at which the entry can stop."""
        return {place.line for places in self.at.values() for place in places if place.file == file}

    @property
    def places(self) -> Iterator[StatementPlace]:
        """Yield each statement at which the entry can stop."""
        return iter(self._beginnings)

    def loop_at(self, place: StatementPlace) -> Sequence[Operation]:
        """Return the loops of the IR that the loop statement `place` became. Return an empty sequence if the
        loop was unrolled, or if `place` is no loop.
        """
        if place.statement is None:
            return ()
        position = CodePosition(node_position(place.file, place.statement), place.context)
        return self._loops.get(position, ())

    def _loops_by_position(self, blocks: dict[Block, list[Operation]]) -> dict[CodePosition, list[Operation]]:
        found: dict[CodePosition, list[Operation]] = defaultdict(list)
        for ops in blocks.values():
            for op in ops:
                if isinstance(op, LOOPS) and op in self.positions:
                    found[self.positions[op]].append(op)
        return found

    def _add_block(self, ops: Sequence[Operation]) -> None:
        """Add the stops of the operations of a block, in order: before an operation, each statement of its
        chain that the operation before is not part of. Silent operations, and operations that were moved out
        of a loop, have no stops.
        """
        before: list[StatementPlace] = []
        for op in ops:
            if isinstance(op, _SILENT):
                continue
            chain = self.chain(op)
            if not chain or self._is_moved(op, chain):
                continue
            same = 0
            while same < min(len(chain), len(before)) and chain[same] == before[same]:
                same += 1
            if same < len(chain):
                self.at[op] = chain[same:]
                for place in chain[same:]:
                    self._beginnings[place].append(op)
            before = chain

    def _is_moved(self, op: Operation, chain: Sequence[StatementPlace]) -> bool:
        """Return whether an operation is outside of a loop of the IR that its statement is inside of."""
        ancestors = set(op.ancestors())
        for place in chain:
            for loop in self._around(place):
                found = self.loop_at(loop)
                if found and ancestors.isdisjoint(found):
                    return True
        return False

    def _around(self, place: StatementPlace) -> Iterator[StatementPlace]:
        """Yield the loops of the program around a statement, in its function, the outermost loop first."""
        function = self._files.of(place.file).function_at(place.line)
        body: Sequence[ast.stmt] = function.body if function else ()
        while inside := next((one for one in body if _spans(one, place)), None):
            if inside is place.statement:
                return
            if isinstance(inside, _PYTHON_LOOPS):
                yield place.replace(line=inside.lineno, statement=inside)
            body = [inner for block in bodies(inside) for inner in block]

    def _add_silent_statements(self, entry: Operation) -> None:
        """Add the assignments that have no operations to the stops of the statements that follow them; an
        assignment at the end of the kernel gets a stop at its last operation.
        """
        last = entry.regions[0].block.last
        for file, context in dict.fromkeys((place.file, place.context) for place in self._beginnings):
            source = self._files.of(file)
            lines = [one.line for one in self._beginnings if (one.file, one.context) == (file, context)]
            function = source.function_at(lines[0]) if source.functions else None
            if function is not None:
                ends = [last] if last is not None and not context else []
                self._add_silent(source, context, function.body, ends)

    def _add_silent(
        self, source: SourceFile, context: CallContext, body: Sequence[ast.stmt], ends: Sequence[Operation]
    ) -> None:
        """Add the assignments in `body`, and in the statements inside it, that have no operations: each
        begins where the next statement with operations begins, or without one at the operations ``ends``,
        which follow the body.
        """
        following, anchor = list(ends), None
        for statement in reversed(body):
            place = StatementPlace(source.name, statement.lineno, context, statement)
            inside = [inner for block in bodies(statement) for inner in block]
            if inside:
                loops = self.loop_at(place)
                for block in bodies(statement):
                    if self._begins_in(block, place):
                        self._add_silent(source, context, block, [_end(loop) for loop in loops])
            if not self._beginnings.get(place) and isinstance(
                statement, ast.Assign | ast.AugAssign | ast.AnnAssign
            ):
                for op in following:
                    at = self.at.setdefault(op, [])
                    at.insert(at.index(anchor) if anchor in at else 0, place)
                    self._beginnings[place].append(op)
            begins = [op for op in self._beginnings.get(place, ()) if not isinstance(op, control.ContinueOp)]
            if begins:
                following, anchor = begins, place

    def _begins_in(self, body: Sequence[ast.stmt], place: StatementPlace) -> bool:
        """Return whether a statement of a body, or a statement inside it, has operations of its own.
        ``place`` has the file and the calls of the body.
        """
        return any(
            self._beginnings.get(place.replace(line=one.lineno, statement=one))
            or any(self._begins_in(block, place) for block in bodies(one))
            for one in body
        )


def _end(loop: Operation) -> Operation:
    last = loop.regions[0].block.last
    assert last is not None, "the body of a loop has an end"
    return last


def _spans(statement: ast.stmt, place: StatementPlace) -> bool:
    return statement.lineno <= place.line <= (statement.end_lineno or statement.lineno)
