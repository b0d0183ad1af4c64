"""Accesses of memory by all lanes of a warp at once: vector width, bank conflicts, matrix instructions."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.ir.diagnostic import failure
from tilewright.layouts.bits import BitMatrix, XorBasis
from tilewright.layouts.codes import DIFFERENT_TILES, NOT_LINEAR
from tilewright.layouts.fragments import MATRICES
from tilewright.layouts.linear import LANE_BITS, LinearLayout, log2

VECTOR_BITS = 7
"""The logarithm of the maximum number of bits that one access moves: 2 ** 7."""
WORD_BITS = 5
"""The logarithm of the number of bits that a bank delivers at a time: 2 ** 5."""
PHASE_BITS = 10
"""The logarithm of the number of bits that all banks deliver at a time: 2 ** 10.

Lanes that need more are served in phases.
"""


def element_bits(width: int) -> int:
    """Return the logarithm of the width of an element in bits.  Raises `DiagnosticError` unless it is a power of two
    up to 128.
    """
    if log2(width) > VECTOR_BITS:
        raise failure(NOT_LINEAR, f"expected elements of at most 128 bits, got {width}")
    return log2(width)


@dataclass(frozen=True, slots=True)
class MatrixAccess:
    """An ``ldmatrix`` or ``stmatrix`` of ``matrices`` matrices; ``transposed`` is its modifier ``.trans``."""

    matrices: int
    transposed: bool


@dataclass(frozen=True, slots=True)
class AccessLayout:
    """The addresses of the registers of a warp's lanes in memory, as linear maps. A set bit i of the register
    number, or the lane number, adds ``register[i]``, or ``lane[i]``, to the address by xor, in elements of
    ``width`` bits; ``outer`` has these offsets for warps and blocks. Addresses begin at a multiple of 16
    bytes.
    """

    register: tuple[int, ...]
    lane: tuple[int, ...]
    outer: tuple[int, ...]
    width: int

    @classmethod
    def of(cls, layout: LinearLayout, memory: BitMatrix, width: int) -> AccessLayout:
        """Return the access of the tile that ``layout`` distributes. ``memory`` maps the number of an element
        to its offset in memory, in elements of ``width`` bits.

        Raises `DiagnosticError` if the memory is for a tile of another size, or the width is no power of two
        up to 128.
        """
        if len(memory.columns) != log2(layout.size):
            size = 1 << len(memory.columns)
            raise failure(DIFFERENT_TILES, f"memory for {size} elements, and a tile of {layout.size}")
        element_bits(width)
        register, lane, warp, block = (tuple(map(memory, columns)) for columns in layout.levels.values())
        return cls(register, lane, warp + block, width)

    @property
    def vector(self) -> int:
        """Return the vector width of the access in elements: the largest power of two of a lane's registers
        that are adjacent and aligned in memory, up to 16 bytes.
        """
        span = XorBasis(self.register)
        bits = 0
        while bits < VECTOR_BITS - log2(self.width) and 1 << bits in span:
            bits += 1
        return 1 << bits

    def bank_conflicts(self, vector: int | None = None) -> int:
        """Return the maximum number of different words of one bank that the lanes access in a phase of an
        access to shared memory; 1 means no conflict. ``vector`` is the number of elements of an access, by
        default the largest possible.
        """
        bits = log2((vector or self.vector) * self.width)
        unit = max(bits, WORD_BITS)
        shift = unit - log2(self.width)
        banks = PHASE_BITS - unit
        words = [column >> shift for column in self.lane[:banks]]
        mask = (1 << banks) - 1
        return 1 << (XorBasis(words).rank - XorBasis(word & mask for word in words).rank)

    def matrix_access(self, *, store: bool = False) -> MatrixAccess | None:
        """Return the matrix instruction that moves the same elements, 16 bytes of a row per lane. Return None
        if there is none, if a warp has not 32 lanes, or for elements of more than 32 bits; ``.trans`` needs
        elements of 16 bits. Registers of 32 bits hold consecutive elements. With ``store``, return None also
        if an element would be written twice.
        """
        if len(self.lane) != LANE_BITS or self.width > 1 << WORD_BITS:
            return None
        packed = WORD_BITS - log2(self.width)
        if len(self.register) < packed:
            return None
        columns = (*self.register, *self.lane, *self.outer)
        if store and XorBasis(columns).rank < len(columns):
            return None
        matrices = min(MATRICES[-1], 1 << (len(self.register) - packed))
        if self._rows((*self.register[:packed], *self.lane[:2]), (*self.register[packed:], *self.lane[2:])):
            return MatrixAccess(matrices, transposed=False)
        if self.width == 16 and self._rows(self.lane[2:], (*self.register, *self.lane[:2])):
            return MatrixAccess(matrices, transposed=True)
        return None

    def _rows(self, within: tuple[int, ...], across: tuple[int, ...]) -> bool:
        """True if the bits `within` number the elements of a 16-byte row consecutively, and the bits `across`
        and the bits of warps and blocks do not move within a row.
        """
        row = (1 << len(within)) - 1
        counts = within == tuple(1 << bit for bit in range(len(within)))
        return counts and not any(column & row for column in (*across, *self.outer))
