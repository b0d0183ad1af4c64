"""The walker: one driver for every traversal of nested operations.

The driver keeps a list of frames instead of recursing, so 100,000-deep nests work.  A frame holds an operation and
cursors into its regions and blocks; operations without regions need no frame.

A visitor has up to three hooks: ``enter`` (pre-order), ``per_op`` (pre-order, after ``enter``), ``leave``
(post-order). They return a `WalkResult`; None counts as CONTINUE, and after ``leave`` only INTERRUPT has a
meaning:

* CONTINUE: descend into the regions, then leave;
* SKIP: leave without descending;
* INTERRUPT: unwind every frame at once and return;
* REVISIT: descend, then call ``per_op`` once more before leaving (fixed-point rewrites).

If the results of ``enter`` and ``per_op`` differ, INTERRUPT wins over SKIP, SKIP over REVISIT, REVISIT over
CONTINUE.

Where a call for each operation costs too much, ``scan`` goes along a block by itself: it takes the operation
at the cursor, and returns the next operation whose regions are to be walked, None at the end of the block,
or INTERRUPT. Then ``enter`` and ``per_op`` see the root only.

The next operation is found before the hooks of the current one run, so hooks may erase the current operation
(return SKIP then) and insert before it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum

from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation


class WalkResult(IntEnum):
    """The continuation of a walk after a hook: CONTINUE, as None, into the regions of the operation, SKIP
    them, INTERRUPT the whole walk, or REVISIT, which continues and calls ``per_op`` once more after the
    regions. ``leave`` is called after SKIP, too, but not after INTERRUPT. After the second call of ``per_op``
    and after ``leave`` only INTERRUPT has a meaning. ADVANCE is CONTINUE.
    """

    CONTINUE = 0
    ADVANCE = 0  # the name in MLIR's Python bindings
    SKIP = 1
    INTERRUPT = 2
    REVISIT = 3


class WalkOrder(IntEnum):
    """The time at which a plain callback sees an operation: before or after the operations inside it."""

    PRE_ORDER = 0
    POST_ORDER = 1


WalkCallback = Callable[[Operation], int | None]
ScanCallback = Callable[[Operation], Operation | int | None]
BlockOrder = Callable[[Region], Sequence[Block]]
"""Returns the blocks of a region in the order in which the walk visits them."""
_INTERRUPT = int(WalkResult.INTERRUPT)
_SKIP = int(WalkResult.SKIP)
_REVISIT = int(WalkResult.REVISIT)


class Visitor:
    """The hooks of a walk, each optional. ``enter`` and then ``per_op`` are called before the operations
    inside an operation, ``leave`` after them; they return a `WalkResult` or None. ``kinds`` restricts
    ``per_op`` to operations of these kinds (compared by identity); None means all kinds. ``scan``, if given,
    goes along a block from an operation, and returns the next operation with regions to walk, None at the end
    of the block, or INTERRUPT; ``enter`` and ``per_op`` are then called for the root only.
    """

    __slots__ = ("enter", "kinds", "leave", "per_op", "scan")

    def __init__(
        self,
        per_op: WalkCallback | None = None,
        *,
        enter: WalkCallback | None = None,
        leave: WalkCallback | None = None,
        kinds: Iterable[OperationKind] | None = None,
        scan: ScanCallback | None = None,
    ) -> None:
        self.scan = scan
        self.enter = enter
        self.per_op = per_op
        self.leave = leave
        self.kinds = frozenset(kinds) if kinds is not None else None


class WalkFrame:
    """The operation `op`, whose regions are being walked, with cursors: the number of the next region, the
    number of the next block in it, and ``op_cursor``, the next operation of the current block, None at its
    end. With ``revisit``, ``per_op`` is called again at the end. ``order`` gives the order of the blocks of a
    region; None means the order in the region.
    """

    __slots__ = ("block_cursor", "blocks", "op", "op_cursor", "order", "region_cursor", "regions", "revisit")

    def __init__(self, op: Operation, revisit: bool = False, order: BlockOrder | None = None) -> None:
        self.op = op
        self.regions: Sequence[Region] = op.regions
        self.revisit = revisit
        """Whether ``per_op`` is called once more before the operation is left."""
        self.order = order
        self.region_cursor = self.block_cursor = 0
        self.blocks: Sequence[Block] = ()
        """The blocks of the region that is being walked."""
        self.op_cursor: Operation | None = None

    def next_block(self) -> bool:
        """Set the cursor to the first operation of the next block, or to None if the block is empty. Return
        False if there is no further block.
        """
        while self.block_cursor >= len(self.blocks):
            if self.region_cursor >= len(self.regions):
                return False
            region = self.regions[self.region_cursor]
            self.blocks = region.blocks if self.order is None else self.order(region)
            self.region_cursor += 1
            self.block_cursor = 0
        self.op_cursor = self.blocks[self.block_cursor].first
        self.block_cursor += 1
        return True


def walk_with(root: Operation, visitor: Visitor) -> WalkResult:
    """Run a visitor over an operation and everything in it. Return INTERRUPT if a hook returned it, which
    ends the walk, else CONTINUE.
    """
    frames: list[WalkFrame] = []
    if _visit(root, visitor, frames) == _INTERRUPT:
        return WalkResult.INTERRUPT
    while frames:
        frame = frames[-1]
        if frame.op_cursor is None and not frame.next_block():
            frames.pop()
            if _finish(frame, visitor) == _INTERRUPT:
                return WalkResult.INTERRUPT
        elif _walk_block(frame, visitor, frames) == _INTERRUPT:
            return WalkResult.INTERRUPT
    return WalkResult.CONTINUE


def scan_regions(
    regions: Sequence[Region], scan: ScanCallback, order: BlockOrder | None = None
) -> WalkResult:
    """Call ``scan`` along the blocks of ``regions``, all of one operation, and of the regions of each
    operation that it returns. Return INTERRUPT if ``scan`` returned it, which ends the walk, else CONTINUE.

    ``order`` gives the order of a region's blocks; by default it is the order in the region.
    """
    if not regions:
        return WalkResult.CONTINUE
    owner = regions[0].parent
    assert owner is not None, "the regions belong to an operation"
    frames = [WalkFrame(owner, order=order)]
    frames[0].regions = regions
    while frames:
        frame = frames[-1]
        if frame.op_cursor is None and not frame.next_block():
            frames.pop()
        elif _scan_block(frame, scan, frames) == _INTERRUPT:
            return WalkResult.INTERRUPT
    return WalkResult.CONTINUE


def _walk_block(frame: WalkFrame, visitor: Visitor, frames: list[WalkFrame]) -> int:
    """Visit operations from the frame's cursor on until the block ends or an operation with regions is
    entered; a frame is pushed for this operation. Return INTERRUPT if a hook did, else another number.
    """
    op = frame.op_cursor
    if visitor.scan is not None:
        return _scan_block(frame, visitor.scan, frames)
    per_op, kinds = visitor.per_op, visitor.kinds
    simple = per_op is not None and visitor.enter is None and visitor.leave is None
    while op is not None:
        following = op.next
        if simple and not op.regions:
            if kinds is None or op.kind in kinds:
                assert per_op is not None
                word = per_op(op)
                if word and (word == _INTERRUPT or (word == _REVISIT and per_op(op) == _INTERRUPT)):
                    return _INTERRUPT
        else:
            depth = len(frames)
            if _visit(op, visitor, frames) == _INTERRUPT:
                return _INTERRUPT
            if len(frames) > depth:
                frame.op_cursor = following
                return 0
        op = following
    frame.op_cursor = None
    return 0


def _scan_block(frame: WalkFrame, scan: ScanCallback, frames: list[WalkFrame]) -> int:
    """Call ``scan`` along a block from the frame's cursor on; push a frame for the operation that it returns.
    Return INTERRUPT if ``scan`` did, else 0.
    """
    if frame.op_cursor is None:  # the block is empty
        return 0
    found = scan(frame.op_cursor)
    if isinstance(found, Operation):
        frame.op_cursor = found.next
        frames.append(WalkFrame(found, order=frame.order))
        return 0
    frame.op_cursor = None
    return found or 0


def _visit(op: Operation, visitor: Visitor, frames: list[WalkFrame]) -> int:
    """Call the pre-order hooks for one operation. Return INTERRUPT if a hook did.

    Push a frame if it has regions to walk, otherwise call the remaining hooks at once.
    """
    enter, kinds = visitor.enter, visitor.kinds
    per_op = visitor.per_op if kinds is None or op.kind in kinds else None
    entered = enter(op) if enter is not None else None
    if entered == _INTERRUPT:
        return _INTERRUPT
    visited = per_op(op) if per_op is not None else None
    if visited == _INTERRUPT:
        return _INTERRUPT
    if _SKIP not in (entered, visited):
        again = per_op if _REVISIT in (entered, visited) else None
        if op.regions:
            frames.append(WalkFrame(op, again is not None))
            return 0
        if again is not None and again(op) == _INTERRUPT:
            return _INTERRUPT
    return _leave(op, visitor)


def _finish(frame: WalkFrame, visitor: Visitor) -> int:
    """Call the last hooks for the operation of `frame`, whose regions were walked: ``per_op`` again if it
    asked for REVISIT, then ``leave``. Return INTERRUPT if a hook did.
    """
    if frame.revisit and visitor.per_op is not None and visitor.per_op(frame.op) == _INTERRUPT:
        return _INTERRUPT
    return _leave(frame.op, visitor)


def _leave(op: Operation, visitor: Visitor) -> int:
    return visitor.leave(op) or 0 if visitor.leave is not None else 0


def walk(
    root: Operation,
    callback: WalkCallback,
    order: WalkOrder = WalkOrder.PRE_ORDER,
    *,
    kinds: Iterable[OperationKind] | None = None,
) -> WalkResult:
    """Call ``callback`` for an operation and everything in it, by default before the operations inside. It
    may return a `WalkResult`; in post-order only INTERRUPT has a meaning. Return INTERRUPT if the callback
    did, else CONTINUE. ``kinds`` restricts the calls to operations of these kinds.
    """
    if order is WalkOrder.PRE_ORDER:
        return walk_with(root, Visitor(callback, kinds=kinds))
    return _walk_post_order(root, callback, frozenset(kinds) if kinds is not None else None)


def _walk_post_order(
    root: Operation, callback: WalkCallback, kinds: frozenset[OperationKind] | None
) -> WalkResult:
    def leave(op: Operation) -> int | None:
        return callback(op) if kinds is None or op.kind in kinds else None

    return walk_with(root, Visitor(leave=leave))


AncestorTest = Callable[[Operation], bool]
_Found = dict[Operation, Operation | None]
"""Results of `innermost_ancestor`, by each ancestor that the search visited."""
_FOUND: ContextVar[dict[AncestorTest, _Found] | None] = ContextVar("innermost_ancestors", default=None)


@contextmanager
def unchanging_ancestors() -> Generator[None]:
    """Let `innermost_ancestor` cache its results in the ``with`` block, in which no operation may be moved."""
    token = _FOUND.set({})
    try:
        yield
    finally:
        _FOUND.reset(token)


def innermost_ancestor(op: Operation, wanted: AncestorTest) -> Operation | None:
    """Return the innermost operation around ``op``, not ``op`` itself, that ``wanted`` returns True for; None
    if there is none.

    Inside of `unchanging_ancestors` all searches with the same function take time linear in the size of the
    IR, at any depth of nesting: a search stops at the first ancestor whose result is cached.
    """
    memory = _FOUND.get()
    known: _Found = {} if memory is None else memory.setdefault(wanted, {})
    passed: list[Operation] = []
    found: Operation | None = None
    for ancestor in op.ancestors():
        if ancestor in known:
            found = known[ancestor]
            break
        if wanted(ancestor):
            found = ancestor
            break
        passed.append(ancestor)
    if memory is not None:
        known.update(dict.fromkeys(passed, found))
    return found
