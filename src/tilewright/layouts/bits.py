"""Matrices over GF(2): linear maps of the bits of numbers. Sums are xors; rank decides solvability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.ir.diagnostic import failure
from tilewright.layouts.codes import BAD_LAYOUT, NOT_INVERTIBLE


class XorBasis:
    """The span over GF(2) of vectors, which are the bits of integers; addition is xor. The vectors are
    numbered from 0, in the order of `add`, and sets of them are bit masks.

    Earlier vectors are preferred: a number that is a sum of the first vectors is expressed by them.
    """

    def __init__(self, vectors: Iterable[int] = ()) -> None:
        self._pivots: dict[int, tuple[int, int]] = {}
        """Maps the position of the highest bit of each reduced vector, from 1, to the vector and the mask of
        the added vectors whose sum it is.
        """
        self._count = 0
        for vector in vectors:
            self.add(vector)

    @property
    def rank(self) -> int:
        """Return the number of independent vectors."""
        return len(self._pivots)

    def add(self, vector: int) -> int:
        """Add a vector. Return 0 if it is independent of the earlier ones; else the mask of vectors, the new
        one among them, whose sum is 0.
        """
        rest, indices = self.reduce(vector)
        indices ^= 1 << self._count
        self._count += 1
        if rest:
            self._pivots[rest.bit_length()] = rest, indices
            return 0
        return indices

    def reduce(self, number: int) -> tuple[int, int]:
        """Return the remainder of ``number`` (0 if it is in the span), and the mask of the vectors that were
        subtracted.
        """
        indices = left = 0
        while number:
            top = number.bit_length()
            vector, used = self._pivots.get(top, (1 << (top - 1), 0))
            left |= 0 if used else vector
            number ^= vector
            indices ^= used
        return left, indices

    def __contains__(self, number: int) -> bool:
        return not self.reduce(number)[0]

    def pivots(self) -> list[tuple[int, int]]:
        """Return the reduced vectors, ordered by their highest bit, each with the mask of the added vectors
        whose sum it is.
        """
        return [self._pivots[top] for top in sorted(self._pivots)]


@dataclass(frozen=True, slots=True)
class BitMatrix:
    """A linear map of bits: bit i of the argument contributes ``columns[i]``, a number of ``rows`` bits.

    Raises `DiagnosticError` for a column that has more bits.
    """

    columns: tuple[int, ...]
    rows: int

    def __post_init__(self) -> None:
        if any(not 0 <= column < 1 << self.rows for column in self.columns):
            raise failure(BAD_LAYOUT, f"expected columns of {self.rows} bits, got {self.columns}")

    @classmethod
    def identity(cls, bits: int) -> BitMatrix:
        """Return the identity map of `bits` bits."""
        return cls(tuple(1 << bit for bit in range(bits)), bits)

    def __call__(self, number: int) -> int:
        """Return the image of a number of as many bits as there are columns."""
        found = 0
        for bit in set_bits(number):
            found ^= self.columns[bit]
        return found

    def __matmul__(self, inner: BitMatrix) -> BitMatrix:
        """Return the map that applies ``inner`` first."""
        return BitMatrix(tuple(map(self, inner.columns)), self.rows)

    def beside(self, other: BitMatrix) -> BitMatrix:
        """Return the map of concatenated bits: `self` is applied to the lower bits of the argument and
        ``other`` to the higher bits, and the results are added.
        """
        return BitMatrix(self.columns + other.columns, max(self.rows, other.rows))

    @property
    def rank(self) -> int:
        """Return the number of independent columns, which equals the number of independent rows."""
        return XorBasis(self.columns).rank

    @property
    def is_onto(self) -> bool:
        """Return whether every number of ``rows`` bits is an image."""
        return self.rank == self.rows

    @property
    def is_one_to_one(self) -> bool:
        """Return whether no two numbers have the same image."""
        return self.rank == len(self.columns)

    def kernel(self) -> tuple[int, ...]:
        """Return a basis of the numbers whose image is 0; their highest bits differ."""
        span = XorBasis()
        return tuple(found for found in map(span.add, self.columns) if found)

    def solve(self, image: int) -> int | None:
        """Return a number whose image is `image`, using the first columns where there is a choice; None if
        there is none.
        """
        rest, number = XorBasis(self.columns).reduce(image)
        return None if rest else number

    def pseudo_inverse(self) -> BitMatrix:
        """Return a map X with ``A X A == A`` and ``X A X == X``: X maps each image of A to a number with that image."""
        found = [0] * self.rows
        for vector, number in XorBasis(self.columns).pivots():
            top = vector.bit_length() - 1
            for bit in set_bits(vector ^ 1 << top):
                number ^= found[bit]
            found[top] = number
        return BitMatrix(tuple(found), len(self.columns))

    def inverse(self) -> BitMatrix:
        """Return the inverse map. Raises `DiagnosticError` unless this map is one-to-one and onto."""
        if not (self.is_onto and self.is_one_to_one):
            raise failure(
                NOT_INVERTIBLE,
                f"a matrix of {self.rows} x {len(self.columns)} bits and rank {self.rank} has no inverse",
                hint="use the pseudo-inverse",
            )
        return self.pseudo_inverse()


def set_bits(number: int) -> Iterator[int]:
    """Yield the positions of the bits that are 1, the lowest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def intersection(first: Iterable[int], second: Iterable[int]) -> list[int]:
    """Return a basis of the intersection of the spans over GF(2) of the vectors `first` and of the vectors
    `second`.
    """
    left, right = tuple(first), tuple(second)
    rows = max((vector.bit_length() for vector in left + right), default=0)
    both = BitMatrix(left, rows).beside(BitMatrix(right, rows))
    mask = (1 << len(left)) - 1
    found, span = [BitMatrix(left, rows)(number & mask) for number in both.kernel()], XorBasis()
    return [vector for vector in found if not span.add(vector)]


def independent(vectors: Iterable[int], span: XorBasis) -> list[int]:
    """Add each vector to `span`; return the vectors that were independent of it and of the vectors before."""
    return [vector for vector in vectors if not span.add(vector)]
