"""Elements that move from one lane of a warp to another, in 32-bit words."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as llvm_conversion
from tilewright.dialects.nvvm.enums.barriers import ShflKind
from tilewright.dialects.nvvm.ops.barrier import ShflOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType, i32
from tilewright.ir.value import Value
from tilewright.layouts import bits as layouts_bits, layout as layouts_layout
from tilewright.layouts.shuffles import WarpExchange
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers

ALL_LANES = -1
CLAMP = 31
"""The clamp operand of a shuffle among all lanes of a warp."""


def from_partner(code: PatternCode, value: Value, bit: int) -> Value:
    """Return the value that `value` has in the lane whose number differs from this lane's in bit `bit` only."""
    return _shuffled(code, value, code.integer(1 << bit, i32), ShflKind.BFLY)


def from_lane(code: PatternCode, value: Value, lane: Value) -> Value:
    """Return the value that `value` has in the lane number `lane`; only the lowest five bits of the number
    count.
    """
    return _shuffled(code, value, lane, ShflKind.IDX)


def holder(code: PatternCode, threads: layouts_layout.Layout, number: Value) -> Value:
    """Return the number of the thread that holds element `number`, where `threads` maps thread numbers to the
    numbers of their first elements. Of several holders it is the thread whose remaining bits equal this
    thread's bits.
    """
    found, shift = code.integer(0, i32), 0
    for extent, stride in threads.leaves:
        count = extent.bit_length() - 1
        source, place = (number, stride.bit_length() - 1) if stride else (code.thread(), shift)
        field = code.bit_field(source, place, extent)
        found = code(llvm.OrOp, found, code(llvm.ShlOp, field, code.integer(shift, i32)))
        shift += count
    return found


def exchanged_in_warps(code: PatternCode, made: WarpExchange, values: Registers, element: Type) -> Registers:
    """Return the elements of this thread after the exchange `made` within warps; `values` are its elements
    before.
    """
    words = [
        _packed_words(code, [values[at] for at in registers], element) for registers in made.words.packed
    ]
    columns = (_run(code, made, column) for column in zip(*words, strict=True))
    found = [_elements(code, word, element) for word in zip(*columns, strict=True)]
    return [found[word][part] for word, part in made.words.unpacked]


def _run(code: PatternCode, made: WarpExchange, words: Sequence[Value]) -> Sequence[Value]:
    schedule = made.schedule

    def chosen(mask: int, first: Value, second: Value) -> Value:
        if first is second:
            return first
        return code(llvm.SelectOp, _has_odd_sum(code, mask), first, second, type=first.type)

    def shuffled(word: Value, lanes: int) -> Value:
        if schedule.stays:
            return _word(code, word, code.integer(lanes, i32), ShflKind.BFLY)
        place = code.mapped(schedule.reads, code.thread())
        place = code(llvm.XOrOp, place, code.integer(lanes, i32)) if lanes else place
        return _word(code, word, place, ShflKind.IDX)

    return made.run(words, chosen, shuffled)


def _has_odd_sum(code: PatternCode, mask: int) -> Value:
    """Return whether the number of this thread has an odd number of the bits of `mask` set."""
    bits = layouts_bits.BitMatrix(tuple(mask >> at & 1 for at in range(mask.bit_length())), 1)
    return code.compare_integers("ne", code.mapped(bits, code.thread()), code.integer(0, i32))


def _packed_words(code: PatternCode, values: Registers, element: Type) -> Sequence[Value]:
    """Return `values`, elements of type `element`, in words of 32 bits: several elements of at most 32 bits
    together packed in one word, or one element of 64 bits as two words, the lower first.
    """
    part = IntegerType(8 * size_of(element))
    bits = [code.in_form(code.bits(value), part) for value in values]
    if part.width > i32.width:
        (whole,) = bits
        high = code(llvm.LShrOp, whole, code.integer(i32.width, part))
        return [code(llvm_conversion.TruncOp, word, type=i32) for word in (whole, high)]
    joined = IntegerType(part.width * len(bits))
    word = code(llvm_conversion.BitcastOp, code.joined(bits), type=joined) if len(bits) > 1 else bits[0]
    return [code.in_form(word, i32)]


def _elements(code: PatternCode, words: Sequence[Value], element: Type) -> Registers:
    """Return the elements of words: the inverse of `_packed_words`. Unused upper parts of a word are
    arbitrary.
    """
    held, part = held_type(element), IntegerType(8 * size_of(element))
    found = code.elements(words[0], part) if len(words) == 1 else [_joined(code, words, part)]
    return [code.of_bits(code.in_form(bits, code.bits_type(held)), held) for bits in found]


def _joined(code: PatternCode, words: Sequence[Value], type: IntegerType) -> Value:
    low, upper = (code(llvm_conversion.ZExtOp, word, type=type) for word in words)
    return code(llvm.OrOp, low, code(llvm.ShlOp, upper, code.integer(i32.width, type)))


def _shuffled(code: PatternCode, value: Value, place: Value, kind: ShflKind) -> Value:
    bits = code.bits(value)
    assert isinstance(bits.type, IntegerType), "registers hold bits"
    if bits.type.width <= i32.width:
        moved = _word(code, code.in_form(bits, i32), place, kind)
        return code.of_bits(code.in_form(moved, bits.type), value.type)
    high = code(llvm.LShrOp, bits, code.integer(i32.width, bits.type))
    parts = [_word(code, code(llvm_conversion.TruncOp, part, type=i32), place, kind) for part in (bits, high)]
    return code.of_bits(_joined(code, parts, bits.type), value.type)


def _word(code: PatternCode, word: Value, place: Value, kind: ShflKind) -> Value:
    lanes, clamp = code.integer(ALL_LANES, i32), code.integer(CLAMP, i32)
    return code(ShflOp, lanes, word, place, clamp, kind, type=i32)
