"""Splits functions that are too long for LLVM.

LLVM's instruction selection and register allocation take time that grows at least with the square of a
block's length. Pieces of a long function therefore become functions. Values that a piece defines and another
piece uses are in a stack frame, whose address is the only argument of a piece. A piece with several
successors returns the index of the successor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.llvm.ops.control import BrOp, CallOp, ReturnOp, SwitchOp, UnreachableOp
from tilewright.dialects.llvm.ops.memory import AllocaOp, GEPOp, LoadOp, StoreOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir.attribute import Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import IntegerAttr, dense
from tilewright.ir.builtin_types import VectorType, i8, i32, i64
from tilewright.ir.location import UNKNOWN, LazyLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.llvm.code import INBOUNDS, POINTER
from tilewright.targets.llvm.frame import ALIGNMENT, LiveRange, StackFrame, layout, slot_bytes
from tilewright.targets.llvm.instructions import CONSTANTS
from tilewright.targets.llvm.pieces import LlvmInstructionCounts, cut_blocks, find_pieces

MAXIMUM_LENGTH = 4096
"""The maximum number of instructions of a function that is not split."""
KEPT = (
    "denormal_fp_math",
    "denormal_fp_math_f32",
    "fp_contract",
    "frame_pointer",
    "no_infs_fp_math",
    "no_nans_fp_math",
    "no_signed_zeros_fp_math",
    "no_unwind",
    "passthrough",
    "prefer_vector_width",
    "reciprocal_estimates",
    "target_cpu",
    "target_features",
    "tune_cpu",
    "uwtable_kind",
)
"""Attributes of code generation, which are copied to the pieces of a function."""


@dataclass(frozen=True)
class SplitLongFunctions(Pass):
    """Moves pieces of long functions to new functions, so that LLVM's time is proportional to the length of a
    program.

    `maximum` is the maximum number of instructions of a function and of a piece. Shorter functions are not
    changed. Pieces are numbered: `part0.NAME` is the first of the function `NAME`.
    """

    name: ClassVar[str] = "split-long-functions"
    anchor: ClassVar[str | None] = "builtin.module"
    maximum: int = MAXIMUM_LENGTH

    def run(self, op: Operation, state: PassState) -> None:
        state.report("pieces", split_long_functions(op, self.maximum))


def split_long_functions(module: Operation, maximum: int = MAXIMUM_LENGTH) -> int:
    """Split the functions of a module with more than `maximum` instructions: each piece becomes an internal
    function after its function. Returns the number of pieces.
    """
    symbols = module.regions[0].block
    functions = [op for op in symbols if isinstance(op, LLVMFuncOp)]
    lengths = LlvmInstructionCounts(functions)
    taken = {op.sym_name for op in functions}
    made = 0
    for function in functions:
        if lengths.of_function(function) > maximum:
            last: Operation = function
            for piece in _split(function, maximum, lengths, taken):
                last = symbols.insert_after(last, piece)
                made += 1
    return made


def _split(
    function: LLVMFuncOp, maximum: int, lengths: LlvmInstructionCounts, taken: set[str]
) -> list[LLVMFuncOp]:
    """Replace the pieces of a function with calls, and return the functions of the pieces. `taken` has the
    names of all functions; the new names are added to it.
    """
    origins = cut_blocks(function, maximum, lengths)
    pieces = find_pieces(function, maximum, lengths)
    names = [_fresh(f"part{number}.{function.sym_name}", taken) for number in range(len(pieces))]
    return list(_Outliner(function, pieces, origins, names).pieces()) if pieces else []


def _fresh(name: str, taken: set[str]) -> str:
    """Return `name` with as many prefixes ``part.`` as make it different from all names in `taken`, and add
    it to `taken`.
    """
    while name in taken:
        name = f"part.{name}"
    taken.add(name)
    return name


class _PieceCode:
    """The code of a piece, or of the function that calls the pieces (number -1), while both are taken apart."""

    def __init__(self, number: int, entry: Block, frame: Value) -> None:
        self.number = number
        self.entry = entry
        self.frame = frame
        self.held: dict[Value, Value] = {}
        """Local copies of values that other pieces define."""
        self.loads_in_place = True
        """True if copies are loaded before their first use; otherwise at the end of the entry block."""


class _Outliner:
    """Moves the `pieces` of a function to new functions with the names `names`. `origins` has the original
    block of each block. The method `pieces` does all the work.
    """

    def __init__(
        self,
        function: LLVMFuncOp,
        pieces: Sequence[Sequence[Block]],
        origins: Mapping[Block, Block],
        names: Sequence[str],
    ) -> None:
        self.function = function
        self.parts = pieces
        self.names = names
        self.blocks = list(function.body.blocks)
        self.owners = {block: number for number, piece in enumerate(pieces) for block in piece}
        self.exits = [_exits(piece) for piece in pieces]
        self.frame = StackFrame.of(self._lives(origins), map(_types, self._met()))
        self.calls = {piece[0]: Block(_types(piece[0])) for piece in pieces}
        """The blocks that replace the first blocks of pieces."""

    def pieces(self) -> Iterator[LLVMFuncOp]:
        """Yield the functions of the pieces in order, and replace the pieces with calls."""
        entry = self.blocks[0]
        whole = _PieceCode(-1, entry, _new_frame(entry, self.frame.bytes))
        for block in self.blocks:
            if block not in self.owners:
                whole.held.clear()
                self._rewrite(block, whole)
        made = [self._piece(number) for number in range(len(self.parts))]
        self._rebuild(whole)
        yield from made

    def _met(self) -> Iterator[Block]:
        """Yield the first block of each piece and the blocks to which it exits: their arguments are passed in
        the frame.
        """
        for piece, exits in zip(self.parts, self.exits, strict=True):
            yield piece[0]
            yield from exits

    # --- values

    def _owner(self, value: Value) -> int:
        """Return the number of the piece that defines a value; -1 if no piece does."""
        block = value.parent_block
        return -1 if block is None else self.owners.get(block, -1)

    def _lives(self, origins: Mapping[Block, Block]) -> Iterator[LiveRange]:
        """Yield the live ranges of the values that one piece defines and another uses, in the order of their
        blocks. Blocks in no piece count as one more piece.
        """
        places = {block: at for at, block in enumerate(self.blocks)}
        for made, block in enumerate(self.blocks):
            for value in _values(block):
                users = [user.parent for user in value.uses if user.parent is not None]
                if any(self.owners.get(user, -1) != self.owners.get(block, -1) for user in users):
                    origin = origins[block]
                    home = places[origin] if all(origins[user] is origin for user in users) else None
                    yield LiveRange(value, made, max(places[user] for user in users), home)

    def _rewrite(self, block: Block, side: _PieceCode) -> None:
        """Load the operands of the operations of `block` that another piece defines, and store the values of
        `block` that another piece uses. `side` is the piece of `block`.
        """
        ops = block.ops
        made = side.frame.owner
        first = made.next if isinstance(made, Operation) and made.parent is block else ops[0]
        assert first is not None, "a block has a terminator"
        for value in block.arguments:
            if value in self.frame.slots:
                self._store(value, side, first)
        for op in ops:
            operands = [self._here(value, op, side) for value in op.operands]
            if any(new is not old for new, old in zip(operands, op.operands, strict=True)):
                op.set_operands(operands)
            for value in op.results:
                if value in self.frame.slots and op.next is not None:
                    self._store(value, side, op.next)

    def _here(self, value: Value, user: Operation, side: _PieceCode) -> Value:
        """Return `value`, or on a side that does not define it, the local copy of it that `user` can use."""
        if self._owner(value) == side.number:
            return value
        known = side.held.get(value)
        if known is None:
            known = side.held[value] = self._copy(value, user, side)
        return known

    def _copy(self, value: Value, user: Operation, side: _PieceCode) -> Value:
        """Return a copy of another piece's value for the use in `user`: a clone of a constant in the entry of
        `side`, or a load from the slot, before `user` or at the end of the entry of `side`.
        """
        if isinstance(value.owner, Operation) and value.owner.__class__ in CONSTANTS:
            return side.entry.prepend(value.owner.clone()).results[0]
        last = side.entry.last
        assert last is not None, "the entry of a piece ends with a branch"
        anchor = user if side.loads_in_place else last
        return _load(side.frame, self.frame.slots[value], value.type, anchor)

    def _store(self, value: Value, side: _PieceCode, anchor: Operation) -> None:
        _store(side.frame, self.frame.slots[value], value, anchor)

    # --- control flow

    def _piece(self, number: int) -> LLVMFuncOp:
        """Return the function of piece `number`: its entry, its blocks, and a block for each exit. With
        several exits it returns the index of the exit.
        """
        blocks, exits = self.parts[number], self.exits[number]
        first = blocks[0]
        entry = Block([POINTER])
        side = _PieceCode(number, entry, entry.arguments[0])
        start = entry.append(BrOp((), dest=first))
        for block in blocks:
            side.loads_in_place = block is first
            self._rewrite(block, side)
        _with_arguments(start, side.frame, _types(first))
        ends = {target: _exit(side.frame, at, len(exits), target) for at, target in enumerate(exits)}
        for block in blocks:
            _redirect(block, ends)
        form = llvm_types.LLVMFunctionType(i32 if len(exits) > 1 else llvm_types.VOID, (POINTER,))
        body = Region()
        for block in (entry, *blocks, *ends.values()):
            block.parent = None
            body.append(block)
        made = LLVMFuncOp(
            sym_name=self.names[number],
            function_type=form,
            body=body,
            linkage=llvm_enums.Linkage.INTERNAL,
            no_inline=True,
        )
        held = self.function.held_attributes
        made.attributes.update({name: held[name] for name in KEPT if name in held})
        return made

    def _rebuild(self, whole: _PieceCode) -> None:
        """Replace the pieces in the function with calls. `whole` is the code of the function, with its frame."""
        region = self.function.body
        region.blocks.clear()
        for block in self.blocks:
            owner = self.owners.get(block)
            if owner is None:
                block.parent = None
                region.append(block)
                _redirect(block, self.calls)
            elif block is self.parts[owner][0]:
                for made in self._call(owner, whole.frame):
                    region.append(made)

    def _call(self, number: int, frame: Value) -> Iterator[Block]:
        """Yield the blocks of a call of piece `number`: the block with the call and the branch to the
        successor that the piece returns, and blocks that load the arguments of successors from `frame`.
        """
        first, exits = self.parts[number][0], self.exits[number]
        block = self.calls[first]
        types = [i32] if len(exits) > 1 else []
        call = block.append(
            CallOp((), (frame,), callee=self.names[number], no_unwind=True, result_types=types)
        )
        call.lazy_location = _location(first)
        for value, place in zip(block.arguments, layout(_types(block))[0], strict=True):
            _store(frame, place, value, call)
        ways = [self._way(target, frame) for target in exits]
        if len(ways) < 2:
            end = BrOp((), dest=ways[0]) if ways else UnreachableOp()
        else:
            cases = dense(VectorType((len(ways) - 1,), i32), range(1, len(ways)))
            end = SwitchOp(
                call.results[0],
                (0,) * (len(ways) - 1),
                case_values=cases,
                defaultDestination=ways[0],
                caseDestinations=tuple(ways[1:]),
            )
        block.append(end).lazy_location = call.lazy_location
        yield block
        yield from (way for way, target in zip(ways, exits, strict=True) if target.arguments)

    def _way(self, target: Block, frame: Value) -> Block:
        """Return the block to which the function branches when a piece leaves to `target`.

        If `target` has arguments, this is a new block that loads them from the frame.
        """
        following = self.calls.get(target, target)
        if not target.arguments:
            return following
        block = Block()
        end = block.append(BrOp((), dest=following))
        end.lazy_location = _location(target)
        _with_arguments(end, frame, _types(target))
        return block


def _exits(piece: Sequence[Block]) -> list[Block]:
    """Return the blocks outside of `piece` that it branches to, each once, in the order of the first
    branches. A piece with several exits returns the index of the exit in this list.
    """
    inside = set(piece)
    return list(
        dict.fromkeys(target for block in piece for target in block.successors if target not in inside)
    )


def _exit(frame: Value, number: int, count: int, target: Block) -> Block:
    """Return the exit block of a piece to `target`, which is exit `number` of `count`: it stores the
    arguments of `target` to `frame`, and returns `number` if there are several exits.
    """
    block = Block(_types(target))
    end = block.append(ReturnOp(None))
    end.lazy_location = _location(target)
    for value, place in zip(block.arguments, layout(_types(target))[0], strict=True):
        _store(frame, place, value, end)
    if count > 1:
        answer = block.insert_before(end, ConstantOp(IntegerAttr(i32, number), result_types=[i32]))
        end.set_operands(answer.results)
    return block


def _redirect(block: Block, targets: Mapping[Block, Block]) -> None:
    """Replace the successors of a block that are keys of `targets` by their values."""
    end = block.last
    if end is not None and any(target in targets for target in end.successors):
        end.set_successors([targets.get(target, target) for target in end.successors])


def _types(block: Block) -> list[Type]:
    return [argument.type for argument in block.arguments]


def _values(block: Block) -> Iterator[Value]:
    """Yield the values that a block defines, its arguments included, without constants."""
    yield from block.arguments
    for op in block:
        if op.__class__ not in CONSTANTS:
            yield from op.results


def _location(block: Block) -> Location | LazyLocation:
    return block.first.lazy_location if block.first is not None else UNKNOWN


# --- the frame


def _new_frame(entry: Block, size: int) -> Value:
    """Allocate a frame of `size` bytes on the stack, at the start of the block `entry`, and return its
    address.
    """
    count = ConstantOp(IntegerAttr(i64, max(1, size)), result_types=[i64])
    frame = AllocaOp(count.results[0], i8, alignment=ALIGNMENT, result_types=[POINTER])
    entry.prepend(frame)
    entry.prepend(count)
    return frame.results[0]


def _place(frame: Value, offset: int, anchor: Operation) -> Value:
    """Return the address `offset` bytes after the start of `frame`, computed before the operation `anchor`."""
    made = GEPOp(frame, (offset,), i8, (), INBOUNDS, result_types=[POINTER])
    return _insert(made, anchor).results[0]


def _load(frame: Value, offset: int, type: Type, anchor: Operation) -> Value:
    place = _place(frame, offset, anchor)
    return _insert(LoadOp(place, alignment=_alignment(type), result_types=[type]), anchor).results[0]


def _store(frame: Value, offset: int, value: Value, anchor: Operation) -> None:
    place = _place(frame, offset, anchor)
    _insert(StoreOp(value, place, alignment=_alignment(value.type)), anchor)


def _insert(op: Operation, anchor: Operation) -> Operation:
    """Insert `op` before `anchor`, with the location of `anchor`, and return `op`."""
    assert anchor.parent is not None, "it stands in a block"
    op.lazy_location = anchor.lazy_location
    return anchor.parent.insert_before(anchor, op)


def _alignment(type: Type) -> int:
    return min(slot_bytes(type) or 1, ALIGNMENT)


def _with_arguments(end: Operation, frame: Value, types: Sequence[Type]) -> None:
    """Load values of `types` from the beginning of the frame before `end`, and make them the operands of
    `end`.
    """
    places, _ = layout(types)
    values = [_load(frame, place, type, end) for place, type in zip(places, types, strict=True)]
    end.set_operands(values)
