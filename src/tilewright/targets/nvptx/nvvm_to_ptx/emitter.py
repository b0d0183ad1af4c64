"""The values of one function as registers and constants: parts, lanes, and the joining and splitting of bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ptx import model
from tilewright.targets.nvptx.nvvm_to_ptx import legal, writer as nvvm_to_ptx_writer
from tilewright.targets.nvptx.nvvm_to_ptx.legal import slots
from tilewright.targets.nvptx.nvvm_to_ptx.word_bytes import BYTE, BYTES_OF_WORD, WordBytes

Parts = tuple[model.Operand, ...]
"""The registers or constants of a value, as `legal.slots` lists them."""
Lane = model.Operand
"""One element of a value."""


class Symbols(Protocol):
    """The information about a module that the emitter of a function needs: names, files and callees."""

    def name(self, symbol: str) -> str:
        """Return the name that the symbol has in PTX."""
        ...

    def file(self, name: str) -> int:
        """Return the number of the source file `name`, from 1; a new file gets the next number."""
        ...

    def callee(self, symbol: str) -> LLVMFuncOp | None:
        """Return the function of the module with the name `symbol`; None if there is none."""
        ...


class PtxFunctionEmitter(nvvm_to_ptx_writer.StatementWriter):
    """The registers and constants that hold the values of `function`, and its statements, which the rules of
    operations append. Its name in PTX is `name`; `symbols` has the names, files and functions of its module.
    """

    def __init__(self, chip: Chip, function: LLVMFuncOp, symbols: Symbols, name: str) -> None:
        super().__init__(chip)
        self.function = function
        self.symbols = symbols
        self.name = name
        self.is_kernel = False
        self.flushes = (function.denormal_fp_math_f32 or "").startswith("preserve-sign")
        """Whether arithmetic on f32 flushes subnormal numbers to zero."""
        self.variables: list[model.PtxVariable] = []
        """The variables in local memory."""
        self.labels: dict[ir_block.Block, str] = {}
        self.following: ir_block.Block | None = None
        """The next block in the text."""
        self._values: dict[Value, Parts] = {}
        self.depots = 0
        self._addresses: dict[Value, tuple[model.Name, int]] = {}
        self._calls = 0
        self._apart: dict[Value, Sequence[Lane]] = {}
        """The lanes of vectors that are not packed yet: vectors whose only user is in the same block."""
        self.bytes = WordBytes()
        self._taken: dict[tuple[model.Operand, int], tuple[Lane, ...]] = {}
        """The pieces that a register was split into since the last label, by the register and the width of
        the pieces in bits.
        """
        self._whole: dict[tuple[int, tuple[Lane, ...]], model.Operand] = {}
        """The register that was split into pieces, by the width of the pieces in bits and the pieces."""
        self._assigned: set[model.Operand] = set()
        """The registers of block arguments, which branches change."""

    # --- values

    def slots(self, type: Type) -> tuple[legal.RegisterSlot, ...]:
        """Return the registers that hold a value of `type`, in order: several for an aggregate, none for
        `void`. Raises `DiagnosticError` if no registers hold the type.
        """
        try:
            return slots(type)
        except legal.UnsupportedRegisterType as problem:
            raise self.unheld(problem) from None

    def offsets(self, type: Type) -> tuple[int, ...]:
        """Return the offsets of a type's registers in memory, in bytes.

        Raises:
            DiagnosticError: memory does not hold the type.
        """
        try:
            return legal.layout(type).offsets
        except legal.UnsupportedRegisterType as problem:
            raise self.unheld(problem) from None

    def unheld(self, problem: legal.UnsupportedRegisterType) -> Exception:
        """Return the diagnostic for a type without registers or memory, for the caller to raise. `problem`
        has the unsupported type.
        """
        return self.refused(
            f"no registers or memory of PTX hold values of type '{problem.type}'",
            "integers of at most 64 bits and of 128, floats of 16 to 64, pointers, vectors and structs of these have a form",
        )

    def parts(self, value: Value) -> Parts:
        """Return the registers or constants of a value."""
        if value in self._apart:
            self._values[value] = self.packed(value.type, self._apart.pop(value))
        return self._values[value]

    def part(self, value: Value) -> model.Operand:
        """Return the register or constant of a value that has a single part, as a scalar of at most 64 bits
        has.
        """
        (part,) = self.parts(value)
        return part

    def word(self, value: Value) -> model.Name:
        """Return the register of a value with a single part; a constant is moved to a new register."""
        (slot,) = self.slots(value.type)
        return self.in_register(self.part(value), slot.register)

    def bind(self, value: Value, parts: Iterable[model.Operand]) -> None:
        """Record `parts` as the registers or constants that hold a value."""
        self._values[value] = tuple(parts)

    def fresh(self, value: Value) -> tuple[model.Name, ...]:
        """Bind `value` to new registers, one for each register slot of its type, and return their names."""
        names = tuple(self.register(slot.register) for slot in self.slots(value.type))
        self._values[value] = names
        return names

    def argument(self, value: Value) -> None:
        """Bind `value`, an argument of a block, to new registers, to which branches to the block assign its
        values.
        """
        self._assigned.update(self.fresh(value))

    def alias(self, target: Value, source: Value) -> None:
        """Bind `target` to the parts of `source`, and record for a pointer the address that `bind_address`
        recorded for `source`.
        """
        self._values[target] = self.parts(source)
        if source in self._addresses:
            self._addresses[target] = self._addresses[source]

    # --- addresses

    def bind_address(self, value: Value, base: model.Name, offset: int) -> None:
        """Record that the pointer `value` is ``base + offset`` bytes, so that accesses through it need no
        addition.
        """
        self._addresses[value] = base, offset

    def base(self, value: Value) -> tuple[model.Name, int]:
        """Return a pointer as a register or variable and a distance in bytes: as `bind_address` recorded it,
        otherwise its own register and 0.
        """
        known = self._addresses.get(value)
        return known if known is not None else (self.word(value), 0)

    @staticmethod
    def at(base: model.Name, offset: int) -> model.Address:
        """Return the memory operand at `base`, a register or variable, plus `offset` bytes."""
        return model.Address(base, offset)

    def address(self, value: Value, offset: int = 0) -> model.Address:
        """Return the memory operand of a pointer plus `offset` bytes."""
        name, start = self.base(value)
        return model.Address(name, start + offset)

    # --- lanes

    def lanes(self, value: Value) -> list[Lane]:
        """Return the elements of a vector; the value itself if it is a scalar."""
        if value in self._apart:
            return list(self._apart[value])
        parts, held = self.parts(value), self.slots(value.type)
        found: list[Lane] = []
        for part, slot in zip(parts, held, strict=True):
            found += self.split(part, slot.bits, slot.width) if slot.lanes > 1 else (part,)
        return found

    def mark(self, label: str) -> None:
        """Place a label. Pieces that registers were split into before the label are not used again after it."""
        super().mark(label)
        self._taken.clear()
        self.bytes.forget()
        self._whole.clear()

    def enter(self, label: str) -> None:
        """Place the label of a block.

        Pieces that were split from a register in other blocks are still joined to this register without code,
        unless it belongs to a block argument, which a branch may have changed since.
        """
        kept = {pieces: whole for pieces, whole in self._whole.items() if whole not in self._assigned}
        self.mark(label)
        self._whole.update(kept)

    def bind_lanes(self, value: Value, lanes: Sequence[Lane]) -> None:
        """Bind a value to its elements. They are packed at once, unless the only user of the value is in the
        current block: then they are packed when the whole value is used.
        """
        user = next(iter(value.uses), None)
        if value.has_one_use and user is not None and self.op is not None and user.parent is self.op.parent:
            self._apart[value] = lanes
        else:
            self.bind(value, self.packed(value.type, lanes))

    def packed(self, type: Type, lanes: Sequence[Lane]) -> Parts:
        """Return the parts of a value of a type from its elements, `lanes`: elements of 16-bit floats are
        joined in pairs.
        """
        found, at = list[model.Operand](), 0
        for slot in self.slots(type):
            group = tuple(lanes[at : at + slot.lanes])
            found.append(self.join(group, slot.width) if slot.lanes > 1 else group[0])
            at += slot.lanes
        return tuple(found)

    def map_lanes(self, op: Operation, rule: Callable[[Lane], Lane]) -> None:
        """Apply `rule` to each lane of the operand of `op`, and bind the result to the lanes that `rule`
        returns. Raises `DiagnosticError` for integers of 128 bits.
        """
        self.each_group(op, lambda lanes: rule(lanes[0]))

    def each_two(self, op: Operation, rule: Callable[[Lane, Lane], Lane]) -> None:
        """Apply `rule` to each lane of the two operands of `op`, and bind the result to the lanes that `rule`
        returns. Raises `DiagnosticError` for integers of 128 bits.
        """
        self.each_group(op, lambda lanes: rule(lanes[0], lanes[1]))

    def each_three(self, op: Operation, rule: Callable[[Lane, Lane, Lane], Lane]) -> None:
        """Apply `rule` to each lane of the three operands of `op`, and bind the result to the lanes that
        `rule` returns. Raises `DiagnosticError` for integers of 128 bits.
        """
        self.each_group(op, lambda lanes: rule(lanes[0], lanes[1], lanes[2]))

    def each_group(self, op: Operation, rule: Callable[[tuple[Lane, ...]], Lane]) -> None:
        """Apply `rule` to each lane of all operands of `op`, and bind the result to the lanes that `rule`
        returns. Raises `DiagnosticError` for integers of 128 bits.
        """
        for value in (*op.operands, *op.results):
            if is_wide(value.type):
                raise self.refused(
                    "integers of 128 bits have no such instruction", "compute with at most 64 bits"
                )
        result, operands = op.results[0], op.operands
        if isinstance(result.type, builtin_types.VectorType):
            columns = [self.lanes(operand) for operand in operands]
            self.bind_lanes(result, [rule(lanes) for lanes in zip(*columns, strict=True)])
        else:  # nothing to unpack or to pack
            self._values[result] = (rule(tuple([self.part(operand) for operand in operands])),)

    # --- bits

    def join(self, pieces: Sequence[model.Operand], width: int) -> model.Operand:
        """Return an operand of 16, 32 or 64 bits that consists of pieces of `width` bits, a power of two of
        them, the first piece in the low bits. No code is emitted for the pieces that `split` made of one
        register.
        """
        known = self._whole.get((width, tuple(pieces)))
        if known is not None:
            return known
        if all(isinstance(piece, model.IntegerConstant) for piece in pieces):
            return model.IntegerConstant(
                sum(
                    (piece.value & ((1 << width) - 1)) << width * at
                    for at, piece in enumerate(pieces)
                    if isinstance(piece, model.IntegerConstant)
                )
            )
        if width == BYTE and len(pieces) % BYTES_OF_WORD == 0:
            groups = [pieces[at : at + BYTES_OF_WORD] for at in range(0, len(pieces), BYTES_OF_WORD)]
            words = [self.bytes.joined(group, self.compute) for group in groups]
            if None not in words:
                pieces, width = [word for word in words if word is not None], BYTES_OF_WORD * BYTE
        while len(pieces) > 1:
            pairs = zip(pieces[::2], pieces[1::2], strict=True)
            pieces = [self._pair(low, high, width) for low, high in pairs]
            width *= 2
        return pieces[0]

    def _pair(self, low: model.Operand, high: model.Operand, width: int) -> model.Operand:
        if width < 16:
            moved = self.compute("shl.b16", high, model.IntegerConstant(width))
            return self.compute("or.b16", moved, low)
        pool = legal.BY_BITS[width]
        both = model.Vector((self.in_register(low, pool), self.in_register(high, pool)))
        return self.compute(f"mov.b{2 * width}", both)

    def split(self, whole: model.Operand, bits: int, width: int) -> Sequence[model.Operand]:
        """Return the pieces of `width` bits of an operand of `bits` bits, lowest first. A register is split
        once between two labels; `join` returns the register for these pieces.
        """
        if isinstance(whole, model.IntegerConstant):
            return self._split(whole, bits, width)
        key = whole, width
        if key not in self._taken:
            pieces = self._taken[key] = tuple(self._split(whole, bits, width))
            self._whole[width, pieces] = whole
            if width == BYTE and bits == BYTES_OF_WORD * BYTE:
                self.bytes.note(whole, pieces)
        return self._taken[key]

    def _split(self, whole: model.Operand, bits: int, width: int) -> list[model.Operand]:
        if isinstance(whole, model.IntegerConstant):
            mask = (1 << width) - 1
            return [model.IntegerConstant(whole.value >> at & mask) for at in range(0, bits, width)]
        if bits == width:
            return [whole]
        low, high = self._halves(whole, bits)
        return [*self._split(low, bits // 2, width), *self._split(high, bits // 2, width)]

    def _halves(self, whole: model.Operand, bits: int) -> tuple[model.Operand, model.Operand]:
        half = bits // 2
        if half < 16:
            low = self.compute("and.b16", whole, model.IntegerConstant((1 << half) - 1))
            return low, self.compute("shr.u16", whole, model.IntegerConstant(half))
        low, high = self.register(legal.BY_BITS[half]), self.register(legal.BY_BITS[half])
        self.emit(f"mov.b{bits}", model.Vector((low, high)), whole)
        return low, high

    # --- integers of any width

    def masked(self, value: model.Operand, width: int) -> model.Operand:
        """Return the integer `value` of `width` bits with the unused upper bits of its register cleared;
        unchanged if it fills the register.
        """
        bits = legal.register_bits(width)
        if width == bits:
            return value
        return self.compute(f"and.b{bits}", value, model.IntegerConstant((1 << width) - 1))

    def resized(self, value: model.Operand, source: int, target: int) -> model.Operand:
        """Return `value`, an unsigned integer of `source` bits, as an integer of `target` bits: truncated or
        zero-extended, in a register of the width for `target`.
        """
        if isinstance(value, model.IntegerConstant):
            return model.IntegerConstant(value.value & ((1 << target) - 1))
        have, want = legal.register_bits(source), legal.register_bits(target)
        if have == want:
            return value if target >= source else self.masked(value, target)
        if have == 1:
            return self.compute(f"selp.b{want}", model.IntegerConstant(1), model.IntegerConstant(0), value)
        if want == 1:
            low = self.compute(f"and.b{have}", value, model.IntegerConstant(1))
            return self.compute(f"setp.ne.b{have}", low, model.IntegerConstant(0))
        moved = self.compute(f"cvt.u{want}.u{have}", value)
        return self.masked(moved, target) if target < source else moved

    def signed(self, value: model.Operand, width: int, target: int) -> model.Operand:
        """Return an integer of `width` bits sign-extended to a register of ``target`` bits (16, 32 or 64)."""
        if isinstance(value, model.IntegerConstant):
            return model.IntegerConstant(_signed(value.value, width) & ((1 << target) - 1))
        if width == 1:
            return self.compute(
                f"selp.b{target}", model.IntegerConstant((1 << target) - 1), model.IntegerConstant(0), value
            )
        have = legal.register_bits(width)
        filled = self._sign_filled(value, width, have)
        return filled if target == have else self.compute(f"cvt.s{target}.s{have}", filled)

    def _sign_filled(self, value: model.Operand, width: int, bits: int) -> model.Operand:
        if width == bits:
            return value
        if width == 8:
            return self.compute("cvt.s16.s8", value)
        up = self.compute(f"shl.b{bits}", value, model.IntegerConstant(bits - width))
        return self.compute(f"shr.s{bits}", up, model.IntegerConstant(bits - width))

    def width(self, type: Type) -> int:
        """Return the width of the elements of a type in bits."""
        element = legal.element_of(type)
        if isinstance(element, builtin_types.IntegerType):
            return element.width
        return self.slots(element)[0].width


def _signed(value: int, width: int) -> int:
    low = value & ((1 << width) - 1)
    return low - (1 << width) if low >> (width - 1) else low


Rule = Callable[[PtxFunctionEmitter, Any], None]
"""A function that emits an operation; the tables list it for the operation's class."""


def is_wide(type: Type) -> bool:
    """Return whether a type is the integer of 128 bits, whose values have two registers."""
    return isinstance(type, builtin_types.IntegerType) and type.width == 128


def space_of(value: Value) -> int:
    """Return the address space of a pointer, or of a vector of pointers."""
    type = legal.element_of(value.type)
    assert isinstance(type, LLVMPointerType)
    return type.address_space
