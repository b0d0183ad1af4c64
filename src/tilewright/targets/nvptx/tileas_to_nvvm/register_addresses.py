"""Accesses of a thread to a tile in shared memory that is arranged for a store and a load
(`tilewright.targets.nvptx.exchanges`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.layouts.linear import log2
from tilewright.layouts.matrix_rows import MatrixRows
from tilewright.layouts.swizzles import RoundTrip
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.exchanges import RegisterAddresses
from tilewright.targets.nvptx.tileas_to_nvvm.accesses import guarded, is_first_holder
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, stored_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers


def addresses_of(
    code: PatternCode, base: Value, places: RegisterAddresses, element: Type
) -> Callable[[int], Value]:
    """Return a function from the offset of a register (a key of `RegisterAddresses.vectors`) to its address
    in this thread.

    The offset is combined with the thread's own offset by xor, which equals a sum where the bits are
    disjoint.
    """
    stored = stored_type(element)
    own = code.mapped(places.threads, code.thread())
    meeting = 0
    for column in places.threads.columns:
        meeting |= column
    known: dict[int, Value] = {}

    def address(offset: int) -> Value:
        part = offset & meeting
        if part not in known:
            turned = code(llvm.XOrOp, own, code.integer(part, i32)) if part else own
            known[part] = code.pointer(base, turned, stored)
        return code.pointer(known[part], offset - part, stored)

    return address


def write_placed(
    code: PatternCode, base: Value, place: RoundTrip, held: Distribution, values: Registers, element: Type
) -> None:
    """Write the registers of a tile, which `held` distributes, to shared memory at `base` in the arrangement
    `place`. The first thread that holds an element writes it.
    """
    places = RegisterAddresses.of(held, place)
    registers = dict(zip(held.offsets, values, strict=True))

    def write() -> Sequence[Value]:
        address = addresses_of(code, base, places, element)
        for offset, elements in places.vectors.items():
            row = [registers[number] for number in elements]
            code.write_all(row, address(offset), element, len(row) * size_of(element))
        return []

    guarded(code, is_first_holder(code, held.threads), [], write)


def read_matrices(
    code: PatternCode, base: Value, rows: MatrixRows, wanted: Distribution, element: Type
) -> Registers:
    """Read the elements that `wanted` gives this thread from shared memory at `base` by `ldmatrix`; each lane
    passes the address of a row.
    """
    named, access = Distribution.of(rows.named), rows.access
    assert named is not None, "the rows have element numbers"
    places = RegisterAddresses.of(named, rows.place)
    address = addresses_of(code, base, places, element)
    within = log2(4 // size_of(element))
    bits = bits_of(wanted.registers)
    in_word = Layout.flat([(2, bit) for bit in bits[:within]]).offsets()
    of_matrix = Layout.flat([(2, bit) for bit in bits[within : within + log2(access.matrices)]]).offsets()
    found: dict[int, Value] = {}
    for offset, row in places.vectors.items():
        loaded = code.read_matrices(address(offset), element, access.matrices, transposed=access.transposed)
        for matrix, values in zip(of_matrix, loaded, strict=True):
            found.update(zip((row[0] + matrix + at for at in in_word), values, strict=True))
    return [found[offset] for offset in wanted.offsets]


def read_placed(
    code: PatternCode, base: Value, place: RoundTrip, wanted: Distribution, element: Type
) -> Registers:
    """Read the elements that `wanted` gives this thread from shared memory at `base`, where they are in the
    arrangement `place`. An element in several registers is read once.
    """
    places = RegisterAddresses.of(wanted, place)
    address = addresses_of(code, base, places, element)
    found: dict[int, Value] = {}
    for offset, elements in places.vectors.items():
        row = code.read_all(address(offset), element, len(elements), len(elements) * size_of(element))
        found.update(zip(elements, row, strict=True))
    return [found[offset] for offset in wanted.offsets]
