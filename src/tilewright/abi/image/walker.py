"""The walker over an image: the driver of live IR, with 40-byte frames and addresses for objects.

In profile tileiras-13.1 a visit reads four words of an operation's header and no other: the kind (twice: to dispatch
on it and to compare it with the kinds that a filter lets through), the operand count, and the first region. The
neighbour comes from the links before the header, further regions from the flag word of the preceding region.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import IntEnum

from tilewright.abi import layout, packing, table_shapes
from tilewright.abi.image.segments import FUNCTION_SIZE, AbiImage
from tilewright.abi.image.views import View, malformed
from tilewright.abi.layouts.walk import WALK_FRAME
from tilewright.ir.walker import WalkResult

_FRAME = packing.packer(WALK_FRAME)
_INTERRUPT, _SKIP, _REVISIT = WalkResult.INTERRUPT, WalkResult.SKIP, WalkResult.REVISIT
REVISIT_FLAG = 1


class Phase(IntEnum):
    """The next step for a frame of the walk: to begin with its operation's regions (PRE), to visit the
    operations inside (CHILDREN), or to call the hooks after them (POST).
    """

    PRE = 0
    CHILDREN = 1
    POST = 2


ImageCallback = Callable[["Visit"], int | None]


@dataclass(frozen=True, slots=True)
class Visit:
    """A visited operation: its address, and the fields of its header that a walk reads. ``kind`` is the
    address of the record of its kind.
    """

    address: int
    kind: int
    num_operands: int


def visitor_object(image: AbiImage) -> int:
    """Write a visitor with three hooks to ``image``; return its address, the word that points to its table of
    code pointers.
    """
    code, tables = image.add_segment("code"), image.add_segment("tables")
    hooks = [code.allocate(FUNCTION_SIZE, FUNCTION_SIZE) for _ in table_shapes.WALK_VISITOR_TABLE.slots]
    table = table_shapes.WALK_VISITOR_TABLE.encode(hooks)
    start = tables.allocate(len(table) + layout.POINTER_SIZE)
    slots = start + layout.POINTER_SIZE * table_shapes.WALK_VISITOR_TABLE.prefix_words
    image.write(start, table + slots.to_bytes(layout.POINTER_SIZE, "little"))
    return start + len(table)


@dataclass(frozen=True)
class ImageVisitor:
    """The hooks of a walk, each optional: ``enter`` and then ``per_op`` are called before the operations
    inside an operation, ``leave`` after them. ``per_op`` is called only for the kinds whose records have the
    addresses ``kinds``; None: for all kinds. ``enter`` and ``per_op`` return None to go on, INTERRUPT to end
    the walk, SKIP to leave out the operations inside, or REVISIT to have ``per_op`` called again after them.
    The result of ``leave`` is ignored.
    """

    per_op: ImageCallback | None = None
    enter: ImageCallback | None = None
    leave: Callable[[Visit], object] | None = None
    kinds: Collection[int] | None = None


class ImageWalker:
    """A walk over the operations that ``view`` reads. Its frames are 40-byte records in ``stack``, a segment
    of the address space ``image`` that the walk has for itself; an operation without regions needs no frame.
    """

    def __init__(self, view: View, visitor: ImageVisitor) -> None:
        self.view = view
        self.visitor = visitor
        self.image = AbiImage()
        self.visitor_address = visitor_object(self.image)
        self.stack = self.image.add_segment("walk frames")
        self._frames: list[_Frame] = []
        self._visits = 0

    def run(self, root: int) -> WalkResult:
        """Walk over the operation at address ``root`` and everything in it. Return INTERRUPT if a hook
        returned it, else CONTINUE. Raises `DiagnosticError` for damaged memory, such as operations in a
        cycle.
        """
        if self._visit(root):
            return WalkResult.INTERRUPT
        while self._frames:
            frame = self._frames[-1]
            op = next(frame.ops, 0)
            self._store(frame, Phase.CHILDREN if op else Phase.POST)
            if op:
                interrupted = self._visit(op)
            else:
                self._frames.pop()
                interrupted = self._finish(frame)
            if interrupted:
                return WalkResult.INTERRUPT
        return WalkResult.CONTINUE

    def _visit(self, op: int) -> bool:
        """Call the pre-order hooks for one operation, and push a frame if its regions are to be walked;
        otherwise also call the post-order hook. Return True if a hook returned INTERRUPT. Raises
        `DiagnosticError` after more operations than the view allows, as in an image with a cycle.
        """
        view, visitor = self.view, self.visitor
        self._visits += 1
        if self._visits > view.limit:
            raise malformed(f"more than {view.limit} operations: the image holds a circle")
        visit = Visit(op, view.kind(op), view.num_operands(op))
        entered = visitor.enter(visit) if visitor.enter else None
        if entered == _INTERRUPT:
            return True
        per_op = visitor.per_op if visitor.kinds is None or view.kind(op) in visitor.kinds else None
        visited = per_op(visit) if per_op else None
        if visited == _INTERRUPT:
            return True
        if _SKIP not in (entered, visited):
            again = per_op if _REVISIT in (entered, visited) else None
            regions = view.regions(op)
            if regions:
                self._push(_Frame(visit, _inside(view, regions), regions[0], again is not None))
                return False
            if again is not None and again(visit) == _INTERRUPT:
                return True
        if visitor.leave:
            visitor.leave(visit)
        return False

    def _finish(self, frame: _Frame) -> bool:
        visitor = self.visitor
        if frame.revisit and visitor.per_op and visitor.per_op(frame.visit) == _INTERRUPT:
            return True
        if visitor.leave:
            visitor.leave(frame.visit)
        return False

    def _push(self, frame: _Frame) -> None:
        self._frames.append(frame)
        if len(self.stack.data) < _FRAME.size * len(self._frames):
            self.stack.allocate(_FRAME.size)
        self._store(frame, Phase.PRE)

    def _store(self, frame: _Frame, phase: Phase) -> None:
        at = _FRAME.size * (len(self._frames) - 1)
        flags = REVISIT_FLAG if frame.revisit else 0
        block = frame.ops.block
        region = frame.ops.region or frame.region
        visitor = self.visitor_address
        _FRAME.pack_into(self.stack.data, at, frame.visit.address, visitor, region, block, phase, flags)


class _Operations:
    """An iterator over the operations of some regions in order; ``region`` and ``block`` are the current
    ones.
    """

    __slots__ = ("_steps", "block", "region")

    def __init__(self, view: View, regions: list[int]) -> None:
        self.region = self.block = 0
        self._steps = self._run(view, regions)

    def _run(self, view: View, regions: list[int]) -> Iterator[int]:
        for region in regions:
            self.region = region
            for block in view.blocks(region):
                self.block = block
                yield from view.ops(block)

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        return next(self._steps)


_inside = _Operations


@dataclass(slots=True)
class _Frame:
    visit: Visit
    ops: _Operations
    region: int
    revisit: bool


def walk_image(view: View, root: int, visitor: ImageVisitor) -> WalkResult:
    """Run a visitor over the operation at address ``root`` and everything in it. Return INTERRUPT if a hook
    returned it, else CONTINUE. Raises `DiagnosticError` for damaged memory.
    """
    return ImageWalker(view, visitor).run(root)


def addresses(view: View, root: int) -> list[int]:
    """Return the addresses of the operation at ``root`` and of all operations in it, in pre-order."""
    found: list[int] = []

    def note(visit: Visit) -> None:
        found.append(visit.address)

    walk_image(view, root, ImageVisitor(note))
    return found
