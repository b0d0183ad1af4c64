"""Sparse conditional constant propagation (Wegman and Zadeck) across operations, blocks and regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.context import Context
from tilewright.ir.interfaces.control_flow import BranchOpInterface, RegionBranchOpInterface, constant_value
from tilewright.ir.interfaces.effects import is_trivially_dead
from tilewright.ir.interfaces.interface import concept
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.folding import constant_hook, constant_region


@dataclass(frozen=True, slots=True)
class KnownConstant:
    """A value that is always the same constant. ``dialect`` is the dialect whose constant operation can make
    it.
    """

    value: Attribute
    dialect: str


State = KnownConstant | None
"""A constant, or None for a value that varies; values that were not reached have no state."""


@dataclass(frozen=True)
class SCCP(Pass):
    """Replaces values that are always the same constant, in code that can be reached, with constant
    operations. It follows branches between blocks and edges between regions, except those that constant
    conditions exclude; so it finds constants that folding one operation at a time does not. Code that is
    never reached is not removed; `canonicalize` does that. Arguments of functions are unknown.
    """

    name: ClassVar[str] = "sccp"

    def run(self, op: Operation, state: PassState) -> None:
        analysis = _Analysis(state.context)
        analysis.start(op)
        replaced = _Replacement(state.context, analysis).run(op)
        state.count("num-replaced", replaced)
        if not replaced:
            state.preserve_all()


class _Analysis:
    """The states of values, computed from the entry blocks of an operation's regions up to a fixed point."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.values: dict[Value, State] = {}
        self.live: set[Block] = set()
        self.pending: list[Operation] = []
        self.queued: set[Operation] = set()

    def start(self, root: Operation) -> None:
        """Enter the regions of the root with unknown arguments, and iterate until nothing changes."""
        self._enter_unknown(root)
        while self.pending:
            op = self.pending.pop()
            self.queued.discard(op)
            if op.parent in self.live:
                self._visit(op)

    def _queue(self, op: Operation) -> None:
        if op not in self.queued:
            self.queued.add(op)
            self.pending.append(op)

    def join(self, value: Value, state: State) -> None:
        """Join ``state`` into the state of a value, and visit its users again if it changed. A value that
        gets two different constants varies (None).
        """
        if value in self.values:
            held = self.values[value]
            if held is None or held == state:
                return
            state = None if state is None or held.value is not state.value else held
            if state is held:
                return
        self.values[value] = state
        for user in value.uses:
            self._queue(user)

    def _pass(self, source: Value, target: Value) -> None:
        """Join the state of ``source`` into the state of ``target``, if ``source`` has been reached."""
        if source in self.values:
            self.join(target, self.values[source])

    def _reach(self, block: Block) -> None:
        if block not in self.live:
            self.live.add(block)
            for op in reversed(block.ops):
                self._queue(op)

    def _enter_unknown(self, op: Operation) -> None:
        """Mark the entry block of each region of an operation as reachable, with unknown arguments."""
        for region in op.regions:
            if region.blocks:
                entry = region.blocks[0]
                for argument in entry.arguments:
                    self.join(argument, None)
                self._reach(entry)

    def _visit(self, op: Operation) -> None:
        states = [self.values.get(operand, False) for operand in op.operands]
        constants = [state.value if isinstance(state, KnownConstant) else None for state in states]
        complete = False not in states
        edges = concept(op, RegionBranchOpInterface)
        if edges is not None:
            if complete:
                self._region_edges(op, edges, None, constants)
        elif op.kind.is_terminator:
            self._terminator(op, constants)
        elif op.regions:
            self._enter_unknown(op)
            self._vary(op)
        elif complete:
            self._fold(op, states, constants)

    def _vary(self, op: Operation) -> None:
        for result in op.results:
            self.join(result, None)

    # --- control

    def _terminator(self, op: Operation, constants: Sequence[Attribute | None]) -> None:
        around = op.parent_op
        edges = concept(around, RegionBranchOpInterface) if around is not None else None
        if op.successors:
            self._branch(op, constants)
        elif edges is not None and around is not None and op.parent is not None:
            if any(operand not in self.values for operand in op.operands):
                return  # the condition of a loop may be among them
            self._region_edges(around, edges, op.parent.parent, constants)

    def _branch(self, op: Operation, constants: Sequence[Attribute | None]) -> None:
        branch = concept(op, BranchOpInterface)
        if branch is not None and any(self._unreached(op, branch)):
            return
        chosen = branch.known_successor(op, constants) if branch is not None else None
        for index, block in enumerate(op.successors):
            if chosen is not None and block is not chosen:
                continue
            places = branch.successor_operands(op, index) if branch is not None else ()
            if branch is None:
                for argument in block.arguments:
                    self.join(argument, None)
            for argument, place in zip(block.arguments, places, strict=False):
                self._pass(op.operands[place], argument)
            self._reach(block)

    def _unreached(self, op: Operation, branch: BranchOpInterface) -> list[bool]:
        """Return, for each operand of a branch that is not forwarded to a successor (such as its condition),
        whether it has no state yet.
        """
        forwarded = {p for index in range(len(op.successors)) for p in branch.successor_operands(op, index)}
        return [v not in self.values for at, v in enumerate(op.operands) if at not in forwarded]

    def _region_edges(
        self,
        op: Operation,
        edges: RegionBranchOpInterface,
        origin: Region | None,
        constants: Sequence[Attribute | None],
    ) -> None:
        for target in edges.known_successors(op, origin, constants):
            inputs = edges.inputs(op, target)
            for value, passed in zip(inputs, edges.forwarded(op, origin, target), strict=False):
                self._pass(passed, value)
            if target is not None:
                entry = target.blocks[0]
                for argument in entry.arguments:
                    if argument not in inputs:
                        self.join(argument, None)
                self._reach(entry)

    # --- computation

    def _fold(self, op: Operation, states: Sequence[Any], constants: Sequence[Attribute | None]) -> None:
        fold = self.context.fold(op.kind)
        folded = fold(op, constants) if fold is not None else None
        if folded is None:
            self._vary(op)
            return
        entries: Sequence[Any] = (folded,) if isinstance(folded, Value | Attribute) else folded
        for result, entry in zip(op.results, entries, strict=True):
            if isinstance(entry, Attribute):
                self.join(result, KnownConstant(entry, op.kind.dialect))
            elif entry in self.values:
                self.join(result, self.values[entry])
            else:
                self.join(result, None)


class _Replacement:
    """Replaces values with known constants."""

    def __init__(self, context: Context, analysis: _Analysis) -> None:
        self.context = context
        self.analysis = analysis
        self.constants: dict[tuple[Region, str, Attribute, Type], Value] = {}
        self.made: set[Operation] = set()
        self.replaced = 0

    def run(self, root: Operation) -> int:
        """Replace values in ``root`` by their constants, and erase the operations that become unused; return
        the number of replaced values.
        """
        blocks = [block for op in root.walk() for region in op.regions for block in region.blocks]
        for block in blocks:
            if block not in self.analysis.live:
                continue
            for op in block.ops:
                if op not in self.made:
                    self._operation(op, block)
            for argument in block.arguments:
                self._value(argument, block)
        return self.replaced

    def _operation(self, op: Operation, block: Block) -> None:
        known = [self._value(result, block) for result in op.results]
        if known and all(known) and is_trivially_dead(op):
            op.erase()

    def _value(self, value: Value, block: Block) -> bool:
        """Replace a value by its constant, if the analysis found one and an operation can make it. Return
        whether that is so, also if the value has no uses.
        """
        state = self.analysis.values.get(value)
        if state is None:
            return False
        constant = self._constant(state, value, block)
        if constant is None:
            return False
        if value.has_uses:
            value.replace_all_uses_with(constant)
            self.replaced += 1
        return True

    def _constant(self, state: KnownConstant, value: Value, block: Block) -> Value | None:
        region = constant_region(block)
        key = region, state.dialect, state.value, value.type
        found = self.constants.get(key)
        if found is not None:
            return found
        made = self._make(state, value)
        if made is None:
            return None
        region.blocks[0].prepend(made)
        self.made.add(made)
        self.constants[key] = made.results[0]
        return made.results[0]

    def _make(self, state: KnownConstant, value: Value) -> Operation | None:
        owner = value.owner
        known = owner if isinstance(owner, Operation) else owner.parent_op
        assert known is not None
        dialect = self.context.dialect(state.dialect)
        if constant_value(value) is not None and (dialect is None or dialect.materialize_constant is None):
            return None  # it is a constant already and may stay where it is
        return constant_hook(self.context, known, state.dialect)(state.value, value.type, UNKNOWN)
