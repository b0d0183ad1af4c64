"""Lines of custom syntax that say of other values what an earlier line said.

Programs repeat themselves: most operations have the kind, the attributes and the types of an earlier one.  The text
between the names of values then is that of the earlier line, character by character, and what was read there holds here:
`RepeatingParser` looks it up.  Everything unusual, errors included, is left to the parser of operations.
"""

from __future__ import annotations

import re
from collections import defaultdict
from operator import attrgetter

from tilewright.ir.attribute import Location, Type
from tilewright.ir.attribute_storage import NO_ATTRIBUTES, SharedAttributes
from tilewright.ir.block import Block
from tilewright.ir.context import Context
from tilewright.ir.kind import OperationKind
from tilewright.ir.location import LazyLocation
from tilewright.ir.operation import Operation, initialise
from tilewright.ir.record import Record
from tilewright.ir.regular_expression import pattern
from tilewright.ir.text.hooks import OperandUse
from tilewright.ir.text.lexer import SUFFIX, ParseError, SourceText
from tilewright.ir.text.scopes import ScopedParser

_LINE = pattern(
    rf"""(?:(%{SUFFIX}(?:,[ ]%{SUFFIX})*)[ ]=[ ])?  # the names of results
    ([A-Za-z_][^\n]{{1,500}})\n\s*                  # the operation
    ([%}}^"]|[A-Za-z_][\w$.]*|\Z)                   # the token behind it""",
    re.ASCII | re.VERBOSE,
)
_NAME = pattern(rf"(%{SUFFIX}(?:\#\d+)?)", re.ASCII)
_LOCATION = " loc("
_TYPE_OF = attrgetter("type")


class _Shape(Record):
    """What a line without regions and successors means, whatever values it names.

    ``places`` says which piece of the line names each operand.  ``followers`` are the tokens that have been seen not to
    belong to the operation, although they come next.
    """

    kind: OperationKind
    named: int
    places: list[int]
    operand_types: list[Type]
    result_types: tuple[Type, ...]
    attributes: SharedAttributes
    followers: set[str]


class RepeatingParser(ScopedParser):
    """Parses lines that repeat earlier ones."""

    def __init__(self, context: Context, source: SourceText) -> None:
        super().__init__(context, source)
        self.default_dialect = "builtin"
        """The dialect whose prefix operations may leave out here."""
        self.read_by_format: tuple[Operation, list[OperandUse]] | None = None
        """The operation last read by a format that shows all of it, and what stands for its operands in the text."""
        self._shapes: defaultdict[str, dict[tuple[str, ...], _Shape]] = defaultdict(dict)

    def repeated_operations(self, block: Block) -> None:
        """Parse operations as long as each is one line whose shape is known."""
        text, source, values = self.text, self.source, self.values
        shapes, new, append = self._shapes[self.default_dialect], object.__new__, block.append
        value_of = values.__getitem__
        position = self.position
        while shapes and (match := _LINE.match(text, position)) is not None:
            left, body, follower = match.groups()
            place: Location | LazyLocation | None = (source, match.start(2))
            if body[-1] == ")" and _LOCATION in body:
                body, place = self._located(match)
            pieces = _NAME.split(body)
            shape = shapes.get(tuple(pieces[::2]))
            if shape is None or place is None or follower not in shape.followers:
                break
            names = left.split(", ") if left else ()
            if len({*names}) != shape.named or not values.keys().isdisjoint(names):
                break
            try:
                operands = [value_of(pieces[place]) for place in shape.places]
            except KeyError:
                break
            if list(map(_TYPE_OF, operands)) != shape.operand_types:
                break
            kind = shape.kind
            op = new(kind.op_class)
            initialise(op, kind, operands, shape.result_types, shape.attributes, (), (), place)
            for name, result in zip(names, op.results, strict=False):
                values[name] = result
                if self.forward:
                    self.resolve_forward(name, result)
            append(op)
            position = match.start(3)
        self.position = position

    def _located(self, match: re.Match[str]) -> tuple[str, Location | None]:
        """A line up to its trailing location, and the location; None if it is unusual."""
        body = match[2]
        at = body.rfind(_LOCATION)
        known = self.aliases.get(body[at + len(_LOCATION) : -1])
        if isinstance(known, Location):
            return body[: at + len(_LOCATION)], known
        self.position = match.start(2) + at + 1
        try:
            location = self.parse_location()
        except ParseError:
            return body, None
        return body[: at + len(_LOCATION)], location if self.position == match.start(3) else None

    def learn(self, op: Operation, start: int, located: int | None) -> None:
        """Take note of the shape of the text that an operation was read from.

        ``start`` is where it begins, ``located`` where its location stands, if it has one.
        """
        read, self.read_by_format = self.read_by_format, None
        if read is None or read[0] is not op or op.regions or op.successors:
            return
        match = _LINE.match(self.text, start)
        if match is None or match.start(3) != self.position:
            return
        body = _without_location(match[2], None if located is None else located - match.start(2))
        if body is None:
            return
        pieces = _NAME.split(body)
        places = _places(pieces, match.start(2), read[1])
        if places is None:
            return
        named = match[1].count(",") + 1 if match[1] else 0
        shapes, key = self._shapes[self.default_dialect], tuple(pieces[::2])
        known = shapes.get(key)
        if known is not None:
            if known.named == named:
                known.followers.add(match[3])
            return
        attributes = SharedAttributes(op.held_attributes) if op.held_attributes else NO_ATTRIBUTES
        types = list(op.operand_types), op.result_types
        shapes[key] = _Shape(op.kind, named, places, *types, attributes, {match[3]})


def _without_location(body: str, located: int | None) -> str | None:
    """A line up to the location that stands at a position; None if `RepeatingParser` would look for it elsewhere."""
    seen = body.rfind(_LOCATION) if body[-1] == ")" else -1
    if located is None:
        return body if seen < 0 else None
    return body[: seen + len(_LOCATION)] if seen == located - 1 else None


def _places(pieces: list[str], start: int, uses: list[OperandUse]) -> list[int] | None:
    """The indices of the pieces that name the operands; None unless every name stands for exactly one."""
    indices: dict[int, int] = {}
    for index, piece in enumerate(pieces):
        if index % 2:
            indices[start] = index
        start += len(piece)
    places = [indices.get(use.position, 0) for use in uses]
    if sorted(places) != list(range(1, len(pieces), 2)):
        return None
    return places if all(pieces[place] == use.name for place, use in zip(places, uses, strict=True)) else None
