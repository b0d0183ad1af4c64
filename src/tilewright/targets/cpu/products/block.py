"""The micro-kernel: sums of products for a block of the result that fits into registers.

Every element of B is loaded once, and every element of A once for each vector of B; all other work in the
loop along the depth costs time. There is one pointer for each factor, which advances in each iteration, and
everything in an iteration is at a constant distance from it. Prefetches (`dot_ahead`) run between stretches
of many iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.product_kinds import ProductKind
from tilewright.targets.cpu.memory.buffer import load_lanes, spread
from tilewright.targets.cpu.products.ahead import quotient
from tilewright.targets.elements.element_types import memory_type, size_of
from tilewright.targets.llvm.code import Index, LlvmBuilder, LoopBody

STRETCH = 16
"""The number of words of the depth between two prefetches; such words are a stretch of the loop."""


@dataclass(frozen=True, slots=True)
class FactorStream:
    """The addresses of the words of a factor that a block reads, iteration by iteration.

    - ``start``: the address of the first word.
    - ``step``: the distance to the words of the next iteration, in elements.
    - ``offsets``: for each word of an iteration, the distance of every row of A, or of every vector of B, from the first word of the iteration, in elements.
    """

    start: Value
    step: Index
    offsets: Sequence[Sequence[Index]]


def stream(
    code: LlvmBuilder, start: Value, across: Sequence[Index], depth: Index, unroll: int
) -> FactorStream:
    """Return the words that a block reads of one factor: ``unroll`` words in each iteration along the depth,
    ``depth`` elements apart. Rows of A, or vectors of B, lie at the distances ``across`` from `start`, in
    elements.
    """
    words = [code.multiply(depth, word) for word in range(unroll)]
    offsets = [[code.add(each, word) for each in across] for word in words]
    return FactorStream(start, code.multiply(depth, unroll), offsets)


@dataclass(frozen=True, slots=True)
class ProductBlock:
    """The code of one block of the result: ``height`` rows of ``vectors`` vectors of ``lanes`` lanes.

    The depth has ``words`` words; an iteration handles ``unroll`` of them.
    """

    code: LlvmBuilder
    kind: ProductKind
    lanes: int
    height: int
    vectors: int
    words: int
    unroll: int

    @property
    def stretches(self) -> int:
        """Return the number of stretches of the loop along the depth, at least 1. Each stretch begins with
        prefetches.
        """
        return max(1, self.words // max(STRETCH, self.unroll))

    def sums(
        self, left: FactorStream, right: FactorStream, nothing: Value, ask: Callable[[Index], None]
    ) -> Sequence[Value]:
        """Emit the loop along the depth, and return the sums of the products of all words, row by row. Each
        sum begins with ``nothing``. ``ask`` emits the prefetches of a stretch, given its number.
        """
        code, length = self.code, self.words // self.stretches
        first = (left.start, right.start, *[nothing] * (self.height * self.vectors))

        def stretch(outer: LoopBody) -> Sequence[Value]:
            ask(quotient(code, outer.index, length))

            def round(inner: LoopBody) -> Sequence[Value]:
                return self._round(inner.carried, left, right)

            return code.loop(0, length, self.unroll, outer.carried, round)

        return code.loop(0, self.words, length, first, stretch)[2:]

    def _round(self, carried: Sequence[Value], left: FactorStream, right: FactorStream) -> Sequence[Value]:
        """Emit one iteration along the depth. `carried` has the pointers to the words of both factors, and
        the sums; return their values for the next iteration.
        """
        code, held, count = self.code, self.kind.held, self.lanes * self.kind.group
        rows, columns, *sums = carried
        for elements, vectors in zip(left.offsets, right.offsets, strict=True):
            row = [load_lanes(code, self._place(columns, offset), held, count) for offset in vectors]
            sums = self._added(sums, [self._place(rows, offset) for offset in elements], row)
        return [self._place(rows, left.step), self._place(columns, right.step), *sums]

    def _place(self, base: Value, offset: Index) -> Value:
        return self.code.address(base, offset, memory_type(self.kind.held))

    def _added(self, sums: Sequence[Value], left: Sequence[Value], right: Sequence[Value]) -> list[Value]:
        """Return the `sums` with the products of one word of the depth added: ``left`` has the address of a
        word for each row of A, and ``right`` the vectors of words of B.
        """
        code, kind, found = self.code, self.kind, list[Value]()
        assert kind.step is not None, "the products are those of vectors"
        for row, address in enumerate(left):
            word = code.load(address, kind.word, size_of(kind.held))
            repeated = spread(code, word, self.lanes)
            for at, vector in enumerate(right):
                found.append(kind.step(code, repeated, vector, sums[row * self.vectors + at]))
        return found
