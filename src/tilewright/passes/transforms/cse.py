"""Common subexpression elimination: of equal operations the dominating one stays."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.ir.attribute import SharedAttributes
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.traits import Commutative, IsolatedFromAbove
from tilewright.ir.dominance import Dominance
from tilewright.ir.interfaces.effects import has_no_memory_effect, is_trivially_dead
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState

Known = dict[Hashable, Operation]
Step = Generator[Any, None, None]
"""A part of the walk, which yields the parts inside it; `_drive` runs them with a stack."""


@dataclass(frozen=True)
class CSE(Pass):
    """Replaces operations by equal ones that dominate them, and erases unused operations on the way.

    Operations are equal when kind, operands (in any order, if they commute), attributes and result types are. Only
    operations without regions and effects on memory are looked at. Code inside isolated operations does not see
    operations outside.
    """

    name: ClassVar[str] = "cse"

    def run(self, op: Operation, state: PassState) -> None:
        worker = _Worker(Dominance())
        _drive(worker.regions(op, {}))
        state.count("num-cse'd", worker.replaced)
        state.count("num-dce'd", worker.erased)
        if not worker.replaced and not worker.erased:
            state.preserve_all()


def _drive(first: Step) -> None:
    stack = [first]
    while stack:
        inner = next(stack[-1], None)
        if inner is None:
            stack.pop()
        else:
            stack.append(inner)


class _Worker:
    """One run of the pass. In its methods ``known`` maps the key of an operation (`_key`) to the visible
    operation that computes the same.
    """

    def __init__(self, dominance: Dominance) -> None:
        self.dominance = dominance
        self.contents: dict[SharedAttributes, Hashable] = {}
        self.replaced = 0
        self.erased = 0

    def regions(self, op: Operation, known: Known) -> Step:
        """Process the regions of an operation. Regions of an isolated operation do not see the operations in
        `known`.
        """
        inner: Known = {} if op.kind.has_trait(IsolatedFromAbove) else known
        for region in op.regions:
            yield self.region(region, inner)

    def region(self, region: Region, known: Known) -> Step:
        """Process the blocks of a region, each after its dominator, with the dominator's operations visible."""
        if len(region.blocks) == 1:
            yield self.tree(region.blocks[0], {}, known)
            return
        children: dict[Block, list[Block]] = {}
        for block, dominator in self.dominance.immediate_dominators(region).items():
            if dominator is not None:
                children.setdefault(dominator, []).append(block)
        if region.blocks:
            yield self.tree(region.blocks[0], children, known)

    def tree(self, block: Block, children: dict[Block, list[Block]], known: Known) -> Step:
        """Process the operations of a block and then the blocks that it dominates: ``children`` maps a block
        to the blocks that it dominates immediately. Afterwards ``known`` is as before.
        """
        added: list[Hashable] = []
        for op in block.ops:
            if op.regions:
                yield self.regions(op, known)
            self.simplify(op, known, added)
        for child in children.get(block, ()):
            yield self.tree(child, children, known)
        for key in added:
            del known[key]

    def simplify(self, op: Operation, known: Known, added: list[Hashable]) -> None:
        """Erase an operation that is unused, or equal to a visible operation, whose results then replace its
        results. Record an operation that later ones may be equal to in ``known``, and its key in ``added``.
        Terminators and operations with effects are left alone.
        """
        if op.kind.is_terminator:
            return
        if is_trivially_dead(op):
            op.erase()
            self.erased += 1
            return
        if op.regions or not op.results or not has_no_memory_effect(op):
            return
        key = _key(op, self.contents)
        earlier = known.get(key)
        if earlier is None:
            known[key] = op
            added.append(key)
            return
        op.replace_all_uses_with(earlier.results)
        op.erase()
        self.replaced += 1


def _key(op: Operation, contents: dict[SharedAttributes, Hashable]) -> Hashable:
    """Return the key of an operation: operations with equal keys compute equal results. ``contents`` caches
    the part of the key for shared attributes.
    """
    operands, held = op.operands, op.held_attributes
    if Commutative in op.kind.trait_classes:
        operands = tuple(sorted(operands, key=id))
    if type(held) is not SharedAttributes:
        attributes: Hashable = frozenset(held.items())
    elif (known := contents.get(held)) is not None:
        attributes = known
    else:
        attributes = contents[held] = frozenset(held.items())
    return op.kind, operands, attributes, op.result_types, op.successors
