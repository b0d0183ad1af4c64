"""Interfaces of the control flow of structured operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

from tilewright.dialects.common.constant_folding import splat_pattern
from tilewright.ir.block import Region
from tilewright.ir.interfaces.control_flow import Constants, LoopLikeOpInterface, RegionBranchOpInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class Carrying(Protocol):
    """A loop that carries values; `initArgs` are the values of the first iteration."""

    initArgs: tuple[Value, ...]


class Choosing(Protocol):
    """An operation that runs one of several regions, selected by a number: `cases` has the numbers of the
    regions after the default region.
    """

    cases: tuple[int, ...]


def terminator_operands(region: Region) -> Sequence[Value]:
    """Return the operands of the last operation of the first block of a region; an empty sequence if the
    region has no block, or the block no operation.
    """
    last = region.blocks[0].last if region.blocks else None
    return last.operands if last is not None else ()


class ScfLoopInterface(LoopLikeOpInterface):
    """The loop interface of `scf` operations, all of whose regions are repeated."""

    def loop_regions(self, op: Operation) -> Sequence[Region]:
        return op.regions


class ForEdges(RegionBranchOpInterface):
    """The control flow of `scf.for`: the region runs any number of times, also none. The edges pass the
    carried values, but no value for the counter.
    """

    def successors(self, op: Operation, origin: Region | None) -> Sequence[Region | None]:
        return (op.regions[0], None)

    def forwarded(self, op: Operation, origin: Region | None, successor: Region | None) -> Sequence[Value]:
        return cast(Carrying, op).initArgs if origin is None else terminator_operands(origin)

    def inputs(self, op: Operation, successor: Region | None) -> Sequence[Value]:
        return op.results if successor is None else successor.blocks[0].arguments[1:]


class OneOfRegions(RegionBranchOpInterface):
    """The base of the control flow of operations that run one of their regions once, without arguments; the
    region yields the results. An empty region leads out of the operation.
    """

    def successors(self, op: Operation, origin: Region | None) -> Sequence[Region | None]:
        if origin is not None:
            return (None,)
        return [region if region.blocks else None for region in op.regions]

    def forwarded(self, op: Operation, origin: Region | None, successor: Region | None) -> Sequence[Value]:
        return () if origin is None else terminator_operands(origin)

    def inputs(self, op: Operation, successor: Region | None) -> Sequence[Value]:
        return op.results if successor is None else ()


class IfEdges(OneOfRegions):
    """The control flow of `scf.if`: the first region if the condition is true, else the second."""

    def known_successors(
        self, op: Operation, origin: Region | None, constants: Constants
    ) -> Sequence[Region | None]:
        every = self.successors(op, origin)
        truth = splat_pattern(constants[0]) if origin is None else None
        return every if truth is None else (every[0 if truth else 1],)


class SwitchEdges(OneOfRegions):
    """The control flow of `scf.index_switch`: the default region comes first, then the regions of the cases."""

    def known_successors(
        self, op: Operation, origin: Region | None, constants: Constants
    ) -> Sequence[Region | None]:
        every = self.successors(op, origin)
        flag = splat_pattern(constants[0]) if origin is None else None
        if flag is None:
            return every
        cases = [case & ((1 << 64) - 1) for case in cast(Choosing, op).cases]
        return (every[1 + cases.index(flag) if flag in cases else 0],)


class WhileEdges(RegionBranchOpInterface):
    """The control flow of `scf.while`: the loop enters the first region, which continues with the second if
    its condition is true, and else leaves the loop; the second continues with the first. The first region
    forwards all operands of its terminator but the condition.
    """

    def successors(self, op: Operation, origin: Region | None) -> Sequence[Region | None]:
        before, after = op.regions
        return (after, None) if origin is before else (before,)

    def forwarded(self, op: Operation, origin: Region | None, successor: Region | None) -> Sequence[Value]:
        if origin is None:
            return op.operands
        values = terminator_operands(origin)
        return values[1:] if origin is op.regions[0] else values

    def inputs(self, op: Operation, successor: Region | None) -> Sequence[Value]:
        return op.results if successor is None else successor.blocks[0].arguments

    def known_successors(
        self, op: Operation, origin: Region | None, constants: Constants
    ) -> Sequence[Region | None]:
        every = self.successors(op, origin)
        truth = splat_pattern(constants[0]) if origin is op.regions[0] and constants else None
        return every if truth is None else (every[0 if truth else 1],)
