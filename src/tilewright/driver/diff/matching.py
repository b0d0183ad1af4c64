"""Matches the operations, blocks and values of two modules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.driver.diff import identities, options as diff_options
from tilewright.driver.diff.alignment import Pair, align
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.traits import SymbolTable, symbol_name
from tilewright.ir.operation import Operation
from tilewright.ir.value import BlockArgument, Value

_KeyOf = Callable[[Operation], object]


@dataclass(slots=True)
class DiffRow:
    """An operation of the first module, ``a``, and its counterpart in the second, ``b``; None if there is
    none. A ``moved`` operation has two rows, one for each side.
    """

    a: Operation | None
    b: Operation | None
    moved: bool = False
    """Whether the counterpart is elsewhere in the same block."""


@dataclass(slots=True)
class Sequences:
    """Two corresponding blocks, or one without a counterpart, with their operations in rows."""

    a: Block | None
    b: Block | None
    rows: list[DiffRow] = field(default_factory=list[DiffRow])


class ModuleMatching:
    """The pairs of corresponding operations, values and blocks of two modules; ``values`` and ``blocks`` map
    the first module to the second. ``sequences`` has the operations of all blocks in rows; ``lost_arguments``
    and ``new_arguments`` are block arguments without a counterpart.
    """

    def __init__(self, a: Operation, b: Operation, options: diff_options.DiffOptions) -> None:
        numbers = identities.Numbers()
        self.a = identities.Identities(a, options, numbers)
        self.b = identities.Identities(b, options, numbers)
        self.pairs: list[tuple[Operation, Operation]] = []
        self.sequences: list[Sequences] = []
        self.values: dict[Value, Value] = {}
        self.blocks: dict[Block, Block] = {}
        self.lost_arguments: list[BlockArgument] = []
        self.new_arguments: list[BlockArgument] = []
        self._pending: list[tuple[Operation, Operation]] = [(a, b)]
        while self._pending:
            self._pair(*self._pending.pop())

    def _pair(self, a: Operation, b: Operation) -> None:
        self.pairs.append((a, b))
        self.values.update(zip(a.results, b.results, strict=False))
        found: list[tuple[Operation, Operation]] = []
        for regions in zip(a.regions, b.regions, strict=False):
            found.extend(self._regions(*regions))
        self._pending.extend(reversed(found))
        for region in a.regions[len(b.regions) :]:
            self._alone(region.blocks, ours=True)
        for region in b.regions[len(a.regions) :]:
            self._alone(region.blocks, ours=False)

    def _alone(self, blocks: Iterable[Block], *, ours: bool) -> None:
        """Append a `Sequences` for each of `blocks`, which have no counterpart in the other module: all of
        its operations are removed (``ours``: the blocks are in the first module) or added.
        """
        for block in blocks:
            rows = [DiffRow(op, None) if ours else DiffRow(None, op) for op in block]
            self.sequences.append(Sequences(block if ours else None, None if ours else block, rows))

    def _regions(self, a: Region, b: Region) -> Iterator[tuple[Operation, Operation]]:
        pairs = self._block_pairs(a.blocks, b.blocks)
        for i, j in pairs:
            yield from self._block(a.blocks[i], b.blocks[j])
        ours, theirs = {i for i, _ in pairs}, {j for _, j in pairs}
        self._alone([block for n, block in enumerate(a.blocks) if n not in ours], ours=True)
        self._alone([block for n, block in enumerate(b.blocks) if n not in theirs], ours=False)

    def _block_pairs(self, a: list[Block], b: list[Block]) -> list[Pair]:
        """Return pairs of positions of corresponding blocks: the entry blocks, then blocks with equal
        contents, and between these the others in order. Blocks may remain without a partner.
        """
        if len(a) == len(b) == 1 or not a or not b:
            return [(0, 0)] if a and b else []
        whole = [self.a.blocks[block] for block in a[1:]], [self.b.blocks[block] for block in b[1:]]
        any_block = [0] * (len(a) - 1), [0] * (len(b) - 1)
        return [(0, 0), *((i + 1, j + 1) for i, j in align([whole, any_block]))]

    def _block(self, a: Block, b: Block) -> list[tuple[Operation, Operation]]:
        self.blocks[a] = b
        self._arguments(a, b)
        ours, theirs = a.ops, b.ops
        owner = a.parent_op
        if owner is not None and owner.has_trait(SymbolTable):
            pairs = self._symbols(ours, theirs)
        else:
            pairs = self._aligned(ours, theirs)
        rows = list(_rows(ours, theirs, pairs))
        moved = self._moved(rows)
        self.sequences.append(Sequences(a, b, rows))
        return [*((row.a, row.b) for row in rows if row.a is not None and row.b is not None), *moved]

    def _arguments(self, a: Block, b: Block) -> None:
        ours, theirs = a.arguments, b.arguments
        pairs: Sequence[Pair] = [(n, n) for n in range(len(ours))]
        if len(ours) != len(theirs):
            numbers = identities.Numbers()
            keys = [numbers(x.type) for x in ours], [numbers(x.type) for x in theirs]
            pairs = align([keys])
        self.values.update((ours[i], theirs[j]) for i, j in pairs)
        i_known, j_known = {i for i, _ in pairs}, {j for _, j in pairs}
        self.lost_arguments.extend(x for x in ours if x.index not in i_known)
        self.new_arguments.extend(x for x in theirs if x.index not in j_known)

    def _aligned(self, ours: Sequence[Operation], theirs: Sequence[Operation]) -> list[Pair]:
        levels = [
            ([first[op] for op in ours], [second[op] for op in theirs])
            for first, second in (
                (self.a.whole, self.b.whole),
                (self.a.own, self.b.own),
                (self.a.name, self.b.name),
            )
        ]
        return align(levels)

    def _symbols(self, ours: Sequence[Operation], theirs: Sequence[Operation]) -> list[Pair]:
        """Return pairs of positions of the operations of two symbol tables: symbols by name, then symbols
        with equal contents, then symbols that are the only ones left of their operation name; then the
        operations without a symbol name, aligned in order.
        """
        left_a = {n: op for n, op in enumerate(ours) if symbol_name(op) is not None}
        left_b = {n: op for n, op in enumerate(theirs) if symbol_name(op) is not None}
        rest_a = [n for n in range(len(ours)) if n not in left_a]
        rest_b = [n for n in range(len(theirs)) if n not in left_b]
        pairs = _by_key(left_a, left_b, symbol_name, symbol_name)
        pairs += _by_key(left_a, left_b, self.a.content.__getitem__, self.b.content.__getitem__)
        pairs += _only_ones(left_a, left_b)
        others = self._aligned([ours[n] for n in rest_a], [theirs[n] for n in rest_b])
        return [*pairs, *((rest_a[i], rest_b[j]) for i, j in others)]

    def _moved(self, rows: Sequence[DiffRow]) -> list[tuple[Operation, Operation]]:
        """Return pairs of equal operations at different positions of a block, and mark their rows as moved."""
        places: defaultdict[int, list[DiffRow]] = defaultdict(list)
        for row in rows:
            if row.b is not None and row.a is None:
                places[self.b.whole[row.b]].append(row)
        moved: list[tuple[Operation, Operation]] = []
        for row in rows:
            others = places.get(self.a.whole[row.a]) if row.a is not None and row.b is None else None
            if others:
                other = others.pop(0)
                row.moved = other.moved = True
                assert row.a is not None
                assert other.b is not None
                moved.append((row.a, other.b))
        return moved


def _by_key(
    left_a: dict[int, Operation], left_b: dict[int, Operation], key_a: _KeyOf, key_b: _KeyOf
) -> list[Pair]:
    """Return pairs of the positions of operations with equal keys, by `key_a` and `key_b`, in order. The
    dictionaries map positions to operations without a partner; the pairs are removed from both.
    """
    places: dict[object, list[int]] = {}
    for number, op in left_b.items():
        places.setdefault(key_b(op), []).append(number)
    pairs: list[Pair] = []
    for number, op in list(left_a.items()):
        others = places.get(key_a(op))
        if others:
            pairs.append((number, others.pop(0)))
    _take_out(left_a, left_b, pairs)
    return pairs


def _only_ones(left_a: dict[int, Operation], left_b: dict[int, Operation]) -> list[Pair]:
    """Return pairs of the positions of symbols that are the only ones left of their operation name on both
    sides: they were renamed.

    The dictionaries map positions to symbols without a partner; the pairs are removed from both.
    """
    ours, theirs = _by_name(left_a), _by_name(left_b)
    pairs = [
        (numbers[0], theirs[name][0])
        for name, numbers in ours.items()
        if len(numbers) == len(theirs.get(name, ())) == 1
    ]
    _take_out(left_a, left_b, pairs)
    return pairs


def _by_name(ops: Mapping[int, Operation]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for number, op in ops.items():
        places.setdefault(op.name, []).append(number)
    return places


def _take_out(left_a: dict[int, Operation], left_b: dict[int, Operation], pairs: Iterable[Pair]) -> None:
    for i, j in pairs:
        del left_a[i], left_b[j]


def _rows(ours: Sequence[Operation], theirs: Sequence[Operation], pairs: Iterable[Pair]) -> Iterator[DiffRow]:
    """Yield rows for the operations of both blocks, in the order of the first block.

    Unpaired operations of the second block precede the next paired operation of that block.
    """
    partners = dict(pairs)
    paired = set(partners.values())
    following = 0
    for i, op in enumerate(ours):
        j = partners.get(i)
        if j is None:
            yield DiffRow(op, None)
            continue
        if j >= following:
            yield from (DiffRow(None, theirs[n]) for n in range(following, j) if n not in paired)
            following = j + 1
        yield DiffRow(op, theirs[j])
    yield from (DiffRow(None, theirs[n]) for n in range(following, len(theirs)) if n not in paired)
