"""Basic blocks of a kernel's machine code, and its loops.

A loop is natural: a jump back to a block that every way to the jump passes.  Cycles that can be entered at several
places are not found; compilers make them from `goto` only.  Code that nothing leads to, such as the jump to itself
behind the end of every kernel, has no loops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.inspect.sass.model import SassCode, SassInstruction

_LABEL_WORD = re.compile(r"[.$A-Za-z_][\w.$]*")
JUMPS = frozenset({"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU"})
ENDS = frozenset({"EXIT", "RET", "KILL", "RTT"})
CALLS = frozenset({"CALL"})


@dataclass(frozen=True, slots=True)
class SassBlock:
    """The instructions from index `first` to `end`, exclusive, and the indices of the blocks that may follow
    this one.
    """

    first: int
    end: int
    successors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SassLoop:
    """A loop: the index of its header, the indices of all its blocks in order, inner loops included, and its
    nesting depth, from 1.
    """

    header: int
    blocks: tuple[int, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Graph:
    """The blocks of a code in the order of addresses, and its loops, outer ones first."""

    blocks: tuple[SassBlock, ...]
    loops: tuple[SassLoop, ...]

    def reached(self, block: int) -> frozenset[int]:
        """Return the index of a block and the indices of all blocks reachable from it; empty if the graph has
        no blocks. Calls are not followed.
        """
        found: set[int] = set()
        pending = [block] if self.blocks else []
        while pending:
            current = pending.pop()
            if current not in found:
                found.add(current)
                pending.extend(self.blocks[current].successors)
        return frozenset(found)


def graph_of(code: SassCode) -> Graph:
    """Return the control-flow graph of `code`: its blocks, and the loops that the first instruction or a
    called label leads to. Code without instructions has neither.
    """
    if not code.instructions:
        return Graph((), ())
    numbers = {instruction.address: number for number, instruction in enumerate(code.instructions)}
    labels = {name: numbers[address] for name, address in code.labels.items() if address in numbers}
    starts = _starts(code, labels)
    owner = {start: number for number, start in enumerate(starts)}
    ends = [*starts[1:], len(code.instructions)]
    blocks = tuple(
        SassBlock(start, end, _successors(code, end, labels, owner))
        for start, end in zip(starts, ends, strict=True)
    )
    called = {target for one in code.instructions if one.opcode in CALLS for target in targets(one, labels)}
    return Graph(blocks, _loops(blocks, sorted({0, *(owner[target] for target in called)})))


def targets(instruction: SassInstruction, labels: Mapping[str, int]) -> list[int]:
    """Return the indices of the instructions at the labels that the operands of `instruction` name, without
    duplicates. `labels` maps names to indices; other names are ignored.
    """
    words = _LABEL_WORD.findall(" ".join(instruction.operands))
    return list(dict.fromkeys(labels[word] for word in words if word in labels))


def _starts(code: SassCode, labels: Mapping[str, int]) -> list[int]:
    """Return the sorted indices of the first instructions of blocks: at labels, and after jumps and ends."""
    leaves = JUMPS | ENDS
    behind = {number + 1 for number, one in enumerate(code.instructions) if one.opcode in leaves}
    return sorted(({0} | set(labels.values()) | behind) - {len(code.instructions)})


def _successors(
    code: SassCode, end: int, labels: Mapping[str, int], owner: Mapping[int, int]
) -> tuple[int, ...]:
    """Return the indices of the blocks that may follow the block that ends before instruction number ``end``.
    ``labels`` maps names to indices of instructions; ``owner`` maps the index of a block's first instruction
    to the index of the block.
    """
    last = code.instructions[end - 1]
    found = [owner[target] for target in targets(last, labels)] if last.opcode in JUMPS else []
    if end < len(code.instructions) and _may_go_on(last):
        found.append(owner[end])
    return tuple(dict.fromkeys(found))


def _may_go_on(instruction: SassInstruction) -> bool:
    """Return whether the next instruction may be executed after this one.

    It may after any instruction but an unconditional jump or end: conditional ones have a guard, or a
    predicate operand.
    """
    if instruction.opcode in ENDS:
        return bool(instruction.guard)
    if instruction.opcode == "BRA":
        return bool(instruction.guard) or len(instruction.operands) > 1
    return instruction.opcode not in JUMPS or bool(instruction.guard)


def _loops(blocks: Sequence[SassBlock], roots: Sequence[int]) -> tuple[SassLoop, ...]:
    order = _reverse_postorder(blocks, roots)
    before = _predecessors(blocks, order)
    dominators = _dominators(order, before, set(roots))
    bodies: dict[int, set[int]] = {}
    for block in order:
        for successor in blocks[block].successors:
            if _dominates(successor, block, dominators):
                bodies.setdefault(successor, {successor}).update(_body(successor, block, before))
    return _nested(bodies)


def _nested(bodies: Mapping[int, set[int]]) -> tuple[SassLoop, ...]:
    """Return the loops, outer ones first, from the headers and the blocks of their loops. The depth of a loop
    is the number of loops that contain its header.
    """
    found = [
        SassLoop(header, tuple(sorted(body)), sum(header in other for other in bodies.values()))
        for header, body in bodies.items()
    ]
    return tuple(sorted(found, key=lambda loop: (loop.depth, loop.header)))


def _reverse_postorder(blocks: Sequence[SassBlock], roots: Sequence[int]) -> list[int]:
    """Return the blocks reachable from `roots`, each before its successors except along back edges."""
    done: list[int] = []
    seen: set[int] = set()
    for root in reversed(roots):
        pending = [] if root in seen else [(root, iter(blocks[root].successors))]
        seen.add(root)
        while pending:
            block, rest = pending[-1]
            successor = next((one for one in rest if one not in seen), None)
            if successor is None:
                done.append(block)
                pending.pop()
            else:
                seen.add(successor)
                pending.append((successor, iter(blocks[successor].successors)))
    return done[::-1]


def _predecessors(blocks: Sequence[SassBlock], order: Sequence[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {block: [] for block in order}
    for block in order:
        for successor in blocks[block].successors:
            found[successor].append(block)
    return found


_TOP = -1
"""The dominator of roots: a block before all others."""


def _dominators(order: Sequence[int], before: Mapping[int, Sequence[int]], roots: set[int]) -> dict[int, int]:
    """Return the immediate dominator of each block of ``order``, a reverse postorder; `_TOP` for roots.
    ``before`` has the predecessors of each block. (Cooper, Harvey, Kennedy: A Simple, Fast Dominance
    Algorithm)
    """
    rank = {_TOP: -1} | {block: at for at, block in enumerate(order)}
    found: dict[int, int] = {root: _TOP for root in roots if root in rank}
    changed = True
    while changed:
        changed = False
        for block in order:
            if block in roots:
                continue
            known = [one for one in before[block] if one in found]
            nearest = known[0]
            for other in known[1:]:
                nearest = _common(nearest, other, found, rank)
            if found.get(block) != nearest:
                found[block] = nearest
                changed = True
    return found


def _common(first: int, second: int, dominators: Mapping[int, int], rank: Mapping[int, int]) -> int:
    """Return the nearest block that dominates both `first` and `second`; `_TOP` if only that does.
    `dominators` has the immediate dominator of each block, `rank` its position in a reverse postorder.
    """
    while first != second:
        while rank[first] > rank[second]:
            first = dominators[first]
        while rank[second] > rank[first]:
            second = dominators[second]
    return first


def _dominates(block: int, other: int, dominators: Mapping[int, int]) -> bool:
    while other not in (block, _TOP):
        other = dominators[other]
    return other == block


def _body(header: int, last: int, before: Mapping[int, Sequence[int]]) -> set[int]:
    """Return the blocks of the loop with the header `header` and a jump back to it at the end of block
    `last`: those that reach this jump without passing the header. `before` has the predecessors of each
    block.
    """
    found, pending = {header}, [last]
    while pending:
        block = pending.pop()
        if block not in found:
            found.add(block)
            pending.extend(before[block])
    return found
