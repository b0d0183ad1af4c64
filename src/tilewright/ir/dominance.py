"""Dominance between blocks of a region, and between definitions and uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.traits import IsolatedFromAbove, Trait
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class GraphRegion(Trait):
    """The operations of a block in the regions have no order: each may use the results of all others."""


class Dominance:
    """Dominator trees, one per region with several blocks, computed on first use.

    Valid as long as no block or edge is added or removed.
    """

    def __init__(self) -> None:
        self._immediate: dict[Region, dict[Block, Block | None]] = {}
        self._spans: dict[Region, dict[Block, tuple[int, int]]] = {}

    def value_reaches(self, value: Value, user: Operation) -> bool:
        """Return whether the definition of ``value`` dominates operation ``user``, so that ``user`` may have
        it as an operand. False if an operation that is isolated from above is between them.
        """
        owner = value.owner
        if isinstance(owner, Block):
            defining_block, definition = owner, None
        else:
            if owner.parent is None:
                return False
            defining_block, definition = owner.parent, owner
        block = user.parent
        if block is defining_block:  # the common case
            return definition is None or (definition is not user and self._ordered(definition, user))
        ancestor = _ancestor_in_region(user, defining_block.parent)
        if ancestor is None or ancestor.parent is None:
            return False
        if ancestor.parent is defining_block:
            return definition is None or (definition is not ancestor and self._ordered(definition, ancestor))
        return self.block_dominates(defining_block, ancestor.parent)

    def _ordered(self, definition: Operation, user: Operation) -> bool:
        if definition.is_before_in_block(user):
            return True
        parent = user.parent_op
        return parent is not None and parent.kind.has_trait(GraphRegion)

    def block_dominates(self, first: Block, second: Block) -> bool:
        """Return whether every path from the region's entry to ``second`` goes through ``first``; a block
        dominates itself.

        Unreachable blocks are dominated by all blocks of their region. False for blocks of different regions.
        """
        region = second.parent
        if first is second or region is None or first.parent is not region:
            return first is second
        spans = self._spans.get(region)
        if spans is None:
            spans = self._spans[region] = _spans(self.immediate_dominators(region))
        inner = spans.get(second)
        if inner is None:
            return True
        outer = spans.get(first)
        return outer is not None and outer[0] <= inner[0] and inner[1] <= outer[1]

    def immediate_dominators(self, region: Region) -> dict[Block, Block | None]:
        """Return the immediate dominator of every reachable block (None for the entry), in reverse postorder;
        unreachable blocks are left out.
        """
        found = self._immediate.get(region)
        if found is None:
            found = self._immediate[region] = _immediate_dominators(region)
        return found


def _spans(immediate: dict[Block, Block | None]) -> dict[Block, tuple[int, int]]:
    """Return for each block of a dominator tree the numbers at which a walk over the tree enters and leaves
    it. A block dominates another if its pair of numbers encloses the other pair.
    """
    children: dict[Block, list[Block]] = {block: [] for block in immediate}
    pending: list[tuple[Block, bool]] = []
    for block, dominator in immediate.items():
        if dominator is None:
            pending.append((block, False))
        else:
            children[dominator].append(block)
    entered: dict[Block, int] = {}
    spans: dict[Block, tuple[int, int]] = {}
    clock = 0
    while pending:
        block, leaving = pending.pop()
        clock += 1
        if leaving:
            spans[block] = entered[block], clock
        else:
            entered[block] = clock
            pending.append((block, True))
            pending.extend((child, False) for child in children[block])
    return spans


class _Scope:
    """A region being checked: the operations still to visit, and the values that become invisible at its end."""

    __slots__ = ("blocks", "defining", "has_order", "hidden", "op", "path", "region", "started")

    def __init__(self, region: Region) -> None:
        self.region = region
        self.blocks = iter(region.blocks)
        self.started = False
        self.has_order = True
        self.op: Operation | None = None
        self.defining: Operation | None = None
        """An operation whose regions are being checked; its results become visible after them."""
        self.path: list[tuple[Block | None, list[Value]]] = [(None, [])]
        """Blocks that dominate the current block, outermost first, each with the values that it made
        visible.
        """
        self.hidden: set[Value] | None = None


class UseChecker:
    """Finds uses that their definitions do not reach, in time linear in the size of the IR.

    It walks the nest with the set of visible values: the results of earlier operations of the block, and of
    the blocks that dominate it. Blocks usually follow their dominators; a use of a value that is not visible
    yet is looked up in the dominator tree.
    """

    def __init__(self) -> None:
        self._dominance = Dominance()
        self._visible: set[Value] = set()
        self._scopes: list[_Scope] = []
        self._depths: dict[Region, int] = {}
        """The index in `_scopes` of each region that encloses the current operation."""
        self._isolated: list[int] = []
        """The depths of the scopes that may not use values from outside."""

    def check(self, root: Operation) -> Iterator[tuple[Operation, int]]:
        """Yield every use inside ``root`` that its definition does not reach, as (operation, operand index).
        The operands of ``root`` itself are not checked.
        """
        self._visible.update(root.operands)  # the root's own operands are not looked into
        self._scopes.extend(map(_Scope, reversed(root.regions)))
        while self._scopes:
            scope = self._scopes[-1]
            if not scope.started:
                self._start(scope)
            if scope.defining is not None:
                self._show(scope, scope.defining.results)
                scope.defining = None
            yield from self._check_block(scope)
            nest: Operation | None = scope.defining
            if nest is not None:
                self._scopes.extend(map(_Scope, reversed(nest.regions)))
                continue
            block = next(scope.blocks, None)
            if block is None:
                self._leave(self._scopes.pop())
            else:
                self._enter(scope, block)

    def _check_block(self, scope: _Scope) -> Iterator[tuple[Operation, int]]:
        """Yield the faulty uses from ``scope.op`` on, up to the block's end or an operation with regions,
        which becomes ``scope.defining``.
        """
        visible, seen_here = self._visible, scope.path[-1][1]
        all_visible, show, note = visible.issuperset, visible.add, seen_here.append
        op = scope.op
        while op is not None:
            operands = op.operands
            if operands and not all_visible(operands):
                yield from self._faulty(op)
            if op.regions:
                scope.op, scope.defining = op.next, op
                return
            for result in op.results:
                show(result)
                note(result)
            op = op.next
        scope.op = None

    def _faulty(self, op: Operation) -> Iterator[tuple[Operation, int]]:
        for index, operand in enumerate(op.operands):
            if operand not in self._visible and not self._reaches(operand, op):
                yield op, index

    def _reaches(self, value: Value, op: Operation) -> bool:
        """Return whether the definition of `value`, which is not visible, dominates `op`; False if an
        operation that is isolated from above is between them. The ancestors of a deeply nested operation are
        not all visited.
        """
        region = value.parent_region
        depth = -1 if region is None else self._depths.get(region, -1)
        if self._isolated and depth < self._isolated[-1]:
            return False
        outer = self._scopes[0].region.parent if depth < 0 else self._scopes[depth].defining
        return self._dominance.value_reaches(value, outer or op)

    def _show(self, scope: _Scope, values: Sequence[Value]) -> None:
        self._visible.update(values)
        scope.path[-1][1].extend(values)

    def _start(self, scope: _Scope) -> None:
        """Begin the check of a region. Values from outside become invisible if it is isolated; all of its own
        values become visible if its operations have no order (`GraphRegion`).
        """
        scope.started = True
        owner = scope.region.parent
        traits = owner.kind.trait_classes if owner is not None else ()
        depth = self._depths[scope.region] = len(self._scopes) - 1
        if IsolatedFromAbove in traits:
            scope.hidden, self._visible = self._visible, set()
            self._isolated.append(depth)
        if GraphRegion in traits:
            scope.has_order = False
            for block in scope.region.blocks:
                self._show(scope, [*block.arguments, *(result for op in block for result in op.results)])

    def _enter(self, scope: _Scope, block: Block) -> None:
        """Make a block the current one: hide the values of blocks that do not dominate it, and make its
        arguments visible.
        """
        scope.op = block.first
        if not scope.has_order:
            return
        path, dominates = scope.path, self._dominance.block_dominates
        while (last := path[-1][0]) is not None and not dominates(last, block):
            self._visible.difference_update(path.pop()[1])
        path.append((block, []))
        self._show(scope, block.arguments)

    def _leave(self, scope: _Scope) -> None:
        for _, values in scope.path:
            self._visible.difference_update(values)
        del self._depths[scope.region]
        if scope.hidden is not None:
            self._visible = scope.hidden
            self._isolated.pop()


def _ancestor_in_region(op: Operation, region: Region | None) -> Operation | None:
    """Return ``op`` or its ancestor that is directly in ``region``. None if there is none, or if an operation
    isolated from above is passed on the way.
    """
    current: Operation | None = op
    while current is not None and current.parent is not None:
        if current.parent.parent is region:
            return current
        current = current.parent.parent.parent if current.parent.parent is not None else None
        if current is not None and current.kind.has_trait(IsolatedFromAbove):
            return None
    return None


def reverse_post_order(region: Region, *, last_first: bool = False) -> list[Block]:
    """Return the blocks reachable from the entry, each before its successors except along back edges.

    ``last_first`` orders the blocks reached by the last successor after those reached by the first one:
    bodies of loops come before the blocks that follow the loops.
    """
    entry = region.entry
    if entry is None:
        return []
    order: list[Block] = []
    seen = {entry}
    step = -1 if last_first else 1
    pending = [(entry, iter(entry.successors[::step]))]
    while pending:
        block, successors = pending[-1]
        following = next((s for s in successors if s not in seen), None)
        if following is None:
            order.append(block)
            pending.pop()
        else:
            seen.add(following)
            pending.append((following, iter(following.successors[::step])))
    order.reverse()
    return order


def _immediate_dominators(region: Region) -> dict[Block, Block | None]:
    """Return the immediate dominator of each reachable block (None for the entry), by Semi-NCA (Georgiadis
    and Tarjan): semidominators on a depth-first tree, then the nearest common ancestor.
    """
    if not region.blocks:
        return {}
    order, parent = _depth_first(region.blocks[0])
    number = {block: position for position, block in enumerate(order)}
    forest = _Forest(len(order))
    for position in range(len(order) - 1, 0, -1):
        for predecessor in order[position].predecessors:
            if predecessor in number:
                forest.lower(position, forest.best_above(number[predecessor]))
        forest.ancestor[position] = parent[position]
    dominator = list(parent)
    for position in range(1, len(order)):
        candidate = parent[position]
        while candidate > forest.semidominator[position]:
            candidate = dominator[candidate]
        dominator[position] = candidate
    found = reverse_post_order(region)
    return {block: order[dominator[at]] if (at := number[block]) else None for block in found}


def _depth_first(entry: Block) -> tuple[list[Block], list[int]]:
    """Return the reachable blocks in pre-order, and for each the position of its parent in the tree (0 for
    the entry).
    """
    order, parent, visited = [entry], [0], {entry}
    stack = [(0, iter(entry.successors))]
    while stack:
        number, successors = stack[-1]
        following = next((block for block in successors if block not in visited), None)
        if following is None:
            stack.pop()
            continue
        visited.add(following)
        stack.append((len(order), iter(following.successors)))
        order.append(following)
        parent.append(number)
    return order, parent


class _Forest:
    """The linked part of the depth-first tree, with path compression: a union-find structure of the Semi-NCA
    algorithm.
    """

    def __init__(self, size: int) -> None:
        self.semidominator = list(range(size))
        self.ancestor = [-1] * size
        self._best = list(range(size))

    def lower(self, position: int, other: int) -> None:
        """Lower the semidominator of `position` to the semidominator of `other` if that is nearer to the root."""
        if self.semidominator[other] < self.semidominator[position]:
            self.semidominator[position] = self.semidominator[other]

    def best_above(self, vertex: int) -> int:
        """Return the vertex, among `vertex` and the vertices linked above it, whose semidominator is nearest
        to the root.
        """
        ancestor, best, semidominator = self.ancestor, self._best, self.semidominator
        if ancestor[vertex] < 0:
            return vertex
        path = [vertex]
        while ancestor[ancestor[path[-1]]] >= 0:
            path.append(ancestor[path[-1]])
        for child in reversed(path[:-1]):
            above = ancestor[child]
            if semidominator[best[above]] < semidominator[best[child]]:
                best[child] = best[above]
            ancestor[child] = ancestor[above]
        return best[vertex]
