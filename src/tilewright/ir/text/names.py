"""Names of values and blocks in printed text, chosen the way MLIR chooses them.

Regions are visited breadth first; all values of a region are numbered before the values of nested regions.
Sibling regions reuse numbers unless names must be unique, which they are in the generic form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from tilewright.ir.attribute import SharedAttributes
from tilewright.ir.block import Block, Region
from tilewright.ir.location import name_in
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import NamedTuple
from tilewright.ir.support.strings import pattern
from tilewright.ir.text.hooks import hook
from tilewright.ir.value import Value

UNKNOWN_VALUE = "<<UNKNOWN SSA VALUE>>"
UNKNOWN_BLOCK = "INVALIDBLOCK"


class ValueNames(dict[Value, str]):
    """Names by value. Values defined outside of the printed IR have none and print as MLIR prints them."""

    def __missing__(self, value: Value) -> str:
        return UNKNOWN_VALUE


HintOf = Callable[[Operation], str | None]
"""The hint for the only result of an operation, if it has one."""


def _hint_of(op: Operation) -> HintOf | None:
    """Return the function from an operation of the class of `op`, with one result, to the hint for the name
    of the result, or None; None if the class has no hints. A hint is computed once for the class, or once for
    equal attributes, if `hints_follow_from` says that it depends on nothing else.
    """
    hints = hook(type(op), "result_name_hints")
    source = getattr(hints, "hints_follow_from", None)
    if hints is None:
        return None
    if source == "fields" and len(op.kind.results) == 1:
        hint = _ask(op)
        return (lambda _: hint) if hint else None
    return _cached_hints() if source == "attributes" else _ask


def _ask(op: Operation) -> str | None:
    hints = hook(op, "result_name_hints")
    return next(iter(hints()), None) if hints else None


def _cached_hints() -> HintOf:
    """Return a function that returns the hint for the first result of an operation, or None. The hint is
    computed once for all operations that share their attributes.
    """
    known: dict[SharedAttributes, str | None] = {}

    def hint_of(op: Operation) -> str | None:
        attributes = op.held_attributes
        if type(attributes) is not SharedAttributes:
            return _ask(op)
        if attributes not in known:
            known[attributes] = _ask(op)
        return known[attributes]

    return hint_of


class _PendingRegion(NamedTuple):
    """A region still to be numbered, its nesting depth (1 for a region of the root), and the numbers from
    which its values, its entry arguments and repeated names are counted.
    """

    region: Region
    depth: int
    counters: tuple[int, int, int]


class OperationNames:
    """Names of everything inside an operation, and of its own results.

    ``values`` maps a value to its text (``%3``, ``%5#1``), ``groups`` an operation with results to the
    left-hand side of its text (``%5:2``), ``blocks`` a block to its label and its position in the region.
    Results that the fast path numbers have no group.

    Without ``hints``, values are numbered. With ``unique``, sibling regions do not reuse names. With
    ``locations``, the name in the location of a value is preferred to the hint of its operation.
    """

    def __init__(self, root: Operation, *, hints: bool, unique: bool, locations: bool = False) -> None:
        self.values = ValueNames()
        self.groups: dict[Operation, str] = {}
        self.blocks: dict[Block, tuple[str, int]] = {}
        self._hints = hints
        self._locations = locations
        self._hint_of: dict[type[Operation], HintOf | None] = {}
        self._unique = unique
        self._value = self._argument = self._conflict = 0
        self._used: set[str] = set()
        self._scopes: list[list[str]] = [[]]
        self._number_all(root)

    def _number_all(self, root: Operation) -> None:
        pending = [_PendingRegion(region, 1, (0, 0, 0)) for region in root.regions]
        self._number_operation(root)
        while pending:
            region, depth, counters = pending.pop()
            if not self._unique:
                self._value, self._argument, self._conflict = counters
            self._enter_scope(depth)
            nested = self._number_region(region)
            counters = (self._value, self._argument, self._conflict)
            pending.extend(
                [_PendingRegion(inner, depth + 1, counters) for op in nested for inner in op.regions]
            )

    def _enter_scope(self, depth: int) -> None:
        """Open the scope of a region at the nesting depth `depth`; the names of earlier scopes at this depth
        or below it become free.
        """
        while len(self._scopes) > depth:
            self._used.difference_update(self._scopes.pop())
        self._scopes.append([])

    def _number_region(self, region: Region) -> list[Operation]:
        """Number a region without its nested regions; return the operations that have regions."""
        nested: list[Operation] = []
        for position, block in enumerate(region.blocks):
            self.blocks[block] = (f"^bb{position}", position)
            if block.arguments:
                self._number_arguments(region, block, position == 0)
            self._number_block(block, nested)
        return nested

    def _number_block(self, block: Block, nested: list[Operation]) -> None:
        """Number the results of a block's operations, and append the operations that have regions to
        `nested`. Most have no name of their own, so the loop numbers them directly.
        """
        values, number, known = self.values, self._value, self._hint_of
        op = block.first
        while op is not None:
            results = op.results
            if len(results) == 1 and not self._locations:
                try:
                    hint_of = known[type(op)]
                except KeyError:
                    hint_of = known[type(op)] = _hint_of(op) if self._hints else None
                if hint_of is None or (name := self._unique_name(hint_of(op))) is None:
                    values[results[0]] = f"%{number}"
                    number += 1
                else:
                    values[results[0]] = f"%{name}"
            elif results:
                self._value = number
                self._number_operation(op)
                number = self._value
            if op.regions:
                nested.append(op)
            op = op.next
        self._value = number

    def _number_operation(self, op: Operation) -> None:
        count = len(op.results)
        if not count:
            return
        hints = hook(op, "result_name_hints") if self._hints else None
        names: list[str | None] = list(hints()) if hints else []
        located = name_in(op.location) if self._locations else None
        if located:
            names = [located if name is not None else None for name in names] or [located]
            names[0] = located
        starts = [0, *[index for index, name in enumerate(names[:count]) if index and name is not None]]
        left = ""
        for start, end in zip(starts, [*starts[1:], count], strict=True):
            name = self._unique_name(names[start]) if start < len(names) else None
            left = self._name_group(op, start, end, name or self._next_number(), left)

    def _next_number(self) -> str:
        self._value += 1
        return str(self._value - 1)

    def _name_group(self, op: Operation, start: int, end: int, name: str, left: str) -> str:
        """Give the results ``start`` to ``end`` (exclusive) the name ``name``: ``%name``, or ``%name#0``,
        ``%name#1``, ... for several. Append their text to ``left``, the left-hand side so far, and return it.
        """
        if end - start == 1:
            self.values[op.results[start]] = f"%{name}"
            own = f"%{name}"
        else:
            for index in range(start, end):
                self.values[op.results[index]] = f"%{name}#{index - start}"
            own = f"%{name}:{end - start}"
        self.groups[op] = left = f"{left}, {own}" if left else own
        return left

    def _number_arguments(self, region: Region, block: Block, is_entry: bool) -> None:
        hints = hook(region.parent, "block_argument_name_hints") if self._hints else None
        names: list[str | None] = list(hints(block)) if hints else []
        for index, argument in enumerate(block.arguments):
            located = name_in(block.argument_location(index)) if self._locations else None
            hint = names[index] if index < len(names) else None
            name = self._unique_name(located or hint)
            if is_entry and not hint:
                name = name or self._default_argument_name()
                self._argument += 1
            self.values[argument] = f"%{name or self._next_number()}"

    def _default_argument_name(self) -> str | None:
        name = f"arg{self._argument}"
        return self._unique_name(name) if self._hints else name

    def _unique_name(self, hint: str | None) -> str | None:
        """Return the hint as an identifier that is not in use in this scope, with a number appended if
        needed, and record it as used; None without a hint.
        """
        if not hint:
            return None
        name = base = identifier(hint)
        while name in self._used:
            name = f"{base}_{self._conflict}"
            self._conflict += 1
        self._used.add(name)
        self._scopes[-1].append(name)
        return name


@lru_cache(maxsize=1 << 12)
def identifier(text: str) -> str:
    """Return ``text`` as the name of a value: a digit at the start gets an underscore before it, blanks
    become underscores, and other characters that a name cannot contain the hexadecimal digits of their bytes.
    """
    start = "_" if text[:1].isdigit() else ""
    return start + "".join(map(_character, text))


def _character(character: str) -> str:
    if character.isascii() and (character.isalnum() or character in "$._-"):
        return character
    return "_" if character == " " else "".join(f"{byte:x}" for byte in character.encode("utf-8", "replace"))


_PIECE = pattern(r'"(?:[^"\\\n]|\\.)*"|->|[^<>()\[\]{}"\-]+|[\s\S]')
_PRETTY = pattern(r"[A-Za-z][\w.]*", re.ASCII)
_CLOSING = {"<": ">", "(": ")", "[": "]", "{": "}"}


def body_end(text: str, start: int) -> int | None:
    """Return the position after the bracket that closes the opening bracket at ``start``; strings and ``->``
    are skipped. Return None if the brackets do not balance.
    """
    expected: list[str] = []
    for match in _PIECE.finditer(text, start):
        piece = match[0]
        if piece in _CLOSING:
            expected.append(_CLOSING[piece])
        elif piece in (">", ")", "]", "}"):
            if expected.pop() != piece:
                return None
            if not expected:
                return match.end()
    return None


def is_pretty(text: str) -> bool:
    """Return whether ``text`` may follow ``!dialect.`` directly: a name and nothing, or a name and one bracketed body."""
    match = _PRETTY.match(text)
    if match is None:
        return False
    rest = match.end()
    return rest == len(text) or (text[rest] == "<" and body_end(text, rest) == len(text))
