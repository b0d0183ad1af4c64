"""Bytes of words: four bytes from any words are one word after at most three permutations (`prmt`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.ptx.model import IntegerConstant, Operand

BYTE = 8
"""The bits of a byte."""
BYTES_OF_WORD = 4
"""The bytes of a register of 32 bits."""
Compute = Callable[..., Operand]
WordByte = tuple[Operand, int]
"""A word, and the number of one of its bytes, from 0 for the lowest bits."""


class WordBytes:
    """The words that bytes in registers were extracted from, between two labels: `joined` makes a word of
    four such bytes by permutations of these words.

    Transposing a tile of bytes takes two permutations for a word: of 4 x 4 bytes in the words ``a``, ``b``,
    ``c``, ``d``, the bytes ``a0 b0 a1 b1`` are half of two words of the result.
    """

    def __init__(self) -> None:
        self._places: dict[Operand, WordByte] = {}
        self._permuted: dict[tuple[Operand, Operand, int], Operand] = {}

    def note(self, word: Operand, pieces: Sequence[Operand]) -> None:
        """Record that `pieces` are the four bytes of `word`, lowest first."""
        self._places.update({piece: (word, at) for at, piece in enumerate(pieces)})

    def forget(self) -> None:
        """Remove all words: a label follows, which other code may jump to."""
        self._places.clear()
        self._permuted.clear()

    def joined(self, pieces: Sequence[Operand], compute: Compute) -> Operand | None:
        """Return the word whose four bytes are `pieces`, lowest first, by at most three permutations that are
        emitted with `compute`. Return None unless all of them are bytes of recorded words.
        """
        places = [self._places[piece] for piece in pieces if piece in self._places]
        if len(places) < BYTES_OF_WORD:
            return None
        words = list(dict.fromkeys(word for word, _ in places))
        if len(words) <= 2:
            return self._permute(
                words[0], words[-1], [at + 4 * words.index(word) for word, at in places], compute
            )
        (low, first), (high, last) = self._two(places[:2], compute), self._two(places[2:], compute)
        return self._permute(low, high, [*first, *(4 + at for at in last)], compute)

    def _two(self, places: Sequence[WordByte], compute: Compute) -> tuple[Operand, Sequence[int]]:
        """Return a word that contains the two bytes `places`, and the numbers of these bytes in it. It is
        emitted with `compute` unless both bytes are of one word.
        """
        (first, low), (second, high) = places
        if first is second:
            return first, (low, high)
        if low != high:
            return self._permute(first, second, [low, 4 + high, low, 4 + high], compute), (0, 1)
        even = low & 2
        mixed = self._permute(first, second, [even, 4 + even, even + 1, 5 + even], compute)
        return mixed, (2 * (low & 1), 2 * (low & 1) + 1)

    def _permute(self, first: Operand, second: Operand, places: Sequence[int], compute: Compute) -> Operand:
        """Return the word of the four bytes `places` of two words: 0 to 3 are bytes of `first`, 4 to 7 are
        bytes of `second`.
        """
        selector = sum(place << 4 * at for at, place in enumerate(places))
        key = first, second, selector
        if key not in self._permuted:
            self._permuted[key] = compute("prmt.b32", first, second, IntegerConstant(selector))
        return self._permuted[key]
