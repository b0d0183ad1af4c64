"""Lines that repeat an earlier line in all but the names of values.

Programs repeat themselves: most operations have the kind, the attributes and the types of an earlier one.
The text between the names of values then equals the text of the earlier line, so the parsed attributes and
types are the same: `RepeatingParser` looks them up, for lines of the generic form and of custom forms.
Everything unusual, errors included, is left to the parser of operations.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from tilewright.ir.attribute import NO_ATTRIBUTES, Attribute, EnumAttribute, Location, SharedAttributes, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import EnumKind
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.location import LazyLocation
from tilewright.ir.operation import Operation, initialise
from tilewright.ir.support.record import NamedTuple, Record
from tilewright.ir.support.strings import pattern
from tilewright.ir.text.format.assembly_format import stands_alone
from tilewright.ir.text.hooks import OperandUse, RegionArgument, RegionRequest, hook
from tilewright.ir.text.lexer import SUFFIX, ParseError, SourceText
from tilewright.ir.text.scopes import ScopedParser
from tilewright.ir.value import Value

_FOLLOWER = r'(?P<follower>[%}^"]|[A-Za-z_][\w$.]*|\Z)'
_LINE = pattern(
    rf"""(?:(%{SUFFIX}(?:,[ ]%{SUFFIX})*)[ ]=[ ])?  # the names of results
    ([A-Za-z_][^\n]{{1,500}})\n\s*                  # the operation
    {_FOLLOWER}  # the token behind it""",
    re.ASCII | re.VERBOSE,
)
_BEHIND = pattern(rf"\s*{_FOLLOWER}", re.ASCII)
_NAME = pattern(rf"(%{SUFFIX}(?:\#\d+)?)", re.ASCII)
_NUMBER = pattern(
    r"(?<=[ (])(-?)(\d+\.\d*(?:[eE][-+]?\d+)?|0x[0-9a-fA-F]+|\d+) : ([a-z]\w*)(?![\w$.<])", re.ASCII
)
_LOCATION = " loc("
_TYPE_OF = attrgetter("type")
_GENERIC_LINE = pattern(
    r'[ \t]*(?:(%[\w$.\-]+) = )?"([^"\\\n]+)"\(([^()\n]*)\)([^\n]*)\n(?!\s*(?:loc\b|//))', re.ASCII
)
_GENERIC_TAIL = pattern(
    r"(?: <(\{[^{}\"\n]*\})>)?(?: (\{[^{}\"\n]*\}))? : (\([^\n]*?)(?: loc\(([^()\n]*)\))?\n", re.ASCII
)
_WITH_ATTRIBUTES = (" <", " {")
"""The first characters of a `_GenericTail` that has attributes."""


class _LineShape(Record):
    """The parsed parts of a line without successors. They are reused for lines that differ only in the names
    of values.

    A line is split at its value names into pieces: those at odd indices are names. ``named`` is the number of
    result names. ``places`` has, for each operand, the index of the piece that names it. ``followers`` are
    the tokens known to begin the next operation after such a line, so that the line is complete. If a region
    begins at the end of the line, ``region`` describes it, ``arguments`` has the index of the piece that
    names each of its arguments, and the followers are tokens after the region.
    """

    kind: OperationKind
    named: int
    places: list[int]
    operand_types: list[Type]
    result_types: tuple[Type, ...]
    attributes: SharedAttributes
    followers: set[str]
    region: RegionRequest | None = None
    arguments: Sequence[int] = ()


class _GenericTail(NamedTuple):
    """The part of a generic operation after its operands, without regions and successors: its attributes, the
    types, and the written location, None if there is none.
    """

    attributes: SharedAttributes
    operand_types: list[Type]
    result_types: list[Type]
    location: Location | None


class _Constant(NamedTuple):
    """The parsed parts of lines without value names that differ only in one number: their shape, and the name
    of the attribute that holds the number.
    """

    shape: _LineShape
    attribute: str


class Header(NamedTuple):
    """A line that has been parsed up to the region that follows it: its shape, result names, operands, and
    the request for the region.
    """

    shape: _LineShape
    names: Sequence[str]
    operands: Sequence[Value]
    start: int
    """The position of the line."""
    place: int
    """The position of the operation's name, after the names of its results."""
    request: RegionRequest


class ReadRegion(NamedTuple):
    """A region that has been parsed: its request, the position of its opening brace, and the position after
    it in the text.
    """

    request: RegionRequest
    start: int
    end: int


class RepeatingParser(ScopedParser):
    """Parses lines that repeat earlier lines in all but the names of values."""

    def __init__(self, context: Context, source: SourceText) -> None:
        super().__init__(context, source)
        self.default_dialect = "builtin"
        """The dialect whose prefix operations may leave out here."""
        self.read_region: ReadRegion | None = None
        """The last region that was parsed."""
        self.kinds: dict[str, OperationKind] = {}
        """The kinds of the operations that have been parsed, by name."""
        self._shapes: defaultdict[str, dict[tuple[str, ...], _LineShape]] = defaultdict(dict)
        self._constants: defaultdict[str, dict[tuple[str, str], _Constant]] = defaultdict(dict)
        self._tails: dict[str, _GenericTail] = {}
        self._dictionaries: dict[str, dict[str, Attribute]] = {}
        self._signatures: dict[str, tuple[list[Type], list[Type]]] = {}

    def generic_operations(self, block: Block) -> None:
        """Parse lines of the form ``%r = "name"(%a, %b) ... : (t, t) -> t`` as long as they come, and append
        their operations to `block`.

        Stop before any other line, also a faulty one; `Parser` parses it. This is a fast path for nine of ten
        operations.
        """
        text, values, kinds, tails = self.text, self.values, self.kinds, self._tails
        source, append, new = self.source, block.append, object.__new__
        value_of = values.__getitem__
        position = self.position
        while (match := _GENERIC_LINE.match(text, position)) is not None:
            name, op_name, operand_text, tail_text = match.groups()
            kind = kinds.get(op_name)
            tail = tails.get(tail_text) or self._read_tail(match.start(4), tail_text)
            if kind is None or tail is None or name in values:
                break
            if tail_text.startswith(_WITH_ATTRIBUTES) and (not kind.is_registered or numbered_cases(kind)):
                break
            attributes, operand_types, result_types, location = tail
            try:
                operands = list(map(value_of, operand_text.split(", "))) if operand_text else []
            except KeyError:
                break
            if list(map(_TYPE_OF, operands)) != operand_types:
                break
            if name is not None and len(result_types) != 1:
                break
            place = location or (source, match.start(2) - 1)
            op = new(kind.op_class)
            initialise(op, kind, operands, result_types, attributes, (), (), place)
            if name is not None:
                values[name] = op.results[0]
                if self.forward:
                    self.resolve_forward(name, op.results[0])
            append(op)
            position = match.end()
        self.move_to(position)

    def _read_tail(self, position: int, text: str) -> _GenericTail | None:
        """Return the parts of the tail `text`, which begins at `position`, and cache it if it has no
        location. A dictionary or a signature that occurred before is not parsed again. Return None if the
        tail has an unusual form or does not parse.
        """
        match = _GENERIC_TAIL.match(self.text, position)
        if match is None:
            return None
        try:
            inputs, results = self._cached(self._signatures, match, 3, self.parse_functional_type)
            attributes: dict[str, Attribute] = {}
            for group in (1, 2):
                if match[group]:
                    attributes |= self._cached(
                        self._dictionaries, match, group, self.parse_attribute_dictionary
                    )
            location = None if match[4] is None else self._trailing_location(match)
        except ParseError:
            return None
        shared = SharedAttributes(attributes) if attributes else NO_ATTRIBUTES
        tail = _GenericTail(shared, inputs, results, location)
        if location is None:
            self._tails[text] = tail
        return tail

    def _trailing_location(self, match: re.Match[str]) -> Location:
        alias = self.aliases.get(match[4])
        return alias if isinstance(alias, Location) else self._cached({}, match, 4, self.parse_bare_location)

    def _cached(self, known: dict[str, Any], match: re.Match[str], group: int, parse: Any) -> Any:
        """Return the result of ``parse``, called without arguments at the start of a group of ``match``,
        cached by the text of the group in ``known``. Raises `ParseError` unless the parse takes the whole
        text of the group.
        """
        text = match[group]
        value = known.get(text)
        if value is None:
            self._depth = 0
            self.move_to(match.start(group))
            value = parse()
            if not self._ends_at(match.end(group)):
                raise self.unexpected("the end of the line")
            known[text] = value
        return value

    # --- custom form

    def repeated_operations(self, block: Block) -> Header | None:
        """Parse operations and append them to `block`, as long as each is one line of a known shape; stop
        before any other line, without an error. If that line has a known shape that ends in a region, return
        its header, without parsing the region; else return None.
        """
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
            shape = shapes.get(tuple(pieces[::2])) or self._constant(pieces, match.start(2))
            if shape is None or place is None:
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
            if shape.region is not None:
                self.position = position
                return self._header(shape, names, operands, pieces, match.start(2))
            if follower not in shape.followers:
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
        return None

    def _header(
        self,
        shape: _LineShape,
        names: Sequence[str],
        operands: Sequence[Value],
        pieces: list[str],
        place: int,
    ) -> Header | None:
        """Return the header of the current line, which a region follows; None if a result or region argument
        has a name that is already defined. ``place`` is the position of the operation's name.
        """
        uses = _arguments(shape, pieces, place)
        fresh = [use.name for use in uses]
        if shape.region is None or len({*fresh, *names}) != len(fresh) + len(names):
            return None
        if not self.values.keys().isdisjoint(fresh):
            return None
        types = [argument.type for argument in shape.region.arguments]
        arguments = [RegionArgument(use, type) for use, type in zip(uses, types, strict=True)]
        request = RegionRequest(arguments, False, False, shape.region.default_dialect, Region())
        return Header(shape, names, operands, self.position, place, request)

    def _constant(self, pieces: list[str], start: int) -> _LineShape | None:
        """Return the shape of a line without value names that differs from a known line only in its number,
        and record it; None if there is no such line. The line is ``pieces[0]``, at position ``start``.
        """
        constants = self._constants[self.default_dialect]
        found = self._number_in(pieces[0], start) if len(pieces) == 1 and constants else None
        known = None if found is None else constants.get(found[0])
        if found is None or known is None:
            return None
        shape, attributes = known.shape, SharedAttributes({known.attribute: found[1]})
        made = _LineShape(shape.kind, shape.named, [], [], shape.result_types, attributes, shape.followers)
        self._shapes[self.default_dialect][pieces[0],] = made
        return made

    def _number_in(self, body: str, start: int) -> tuple[tuple[str, str], IntegerAttr | FloatAttr] | None:
        """Find the first number with a type, such as ``7 : i32``, in the line ``body`` at position ``start``.
        Return the texts before and after its digits, and its attribute; None if there is none, its type has
        not been parsed before, or the number does not fit the type.
        """
        match = _NUMBER.search(body)
        kind = None if match is None else self._types.get(match[3])
        if match is None or kind is None:
            return None
        try:
            number = self.number(kind, bool(match[1]), match[2], start + match.start())
        except ParseError:
            return None
        return (body[: match.start()], body[match.end(2) :]), number

    def _learn_constant(self, shape: _LineShape, body: str, start: int) -> None:
        """Record that lines like ``body`` may have another number, if the number is the only attribute of the
        operation and its type the type of all results.

        Formats of MLIR's own elements parse every number of a type in the same way, and the result types do
        not depend on the number.
        """
        if len(shape.attributes) != 1 or hook(shape.kind.op_class, "text_stands_alone") is not None:
            return
        ((name, value),) = shape.attributes.items()
        found = self._number_in(body, start)
        if (
            found is None
            or found[1] is not value
            or any(type is not found[1].type for type in shape.result_types)
        ):
            return
        self._constants[self.default_dialect].setdefault(found[0], _Constant(shape, name))

    def _located(self, match: re.Match[str]) -> tuple[str, Location | None]:
        """Split a line, matched by `_LINE`, that ends in ``loc(...)``: return its text up to and including
        ``loc(``, and the location. The location is None if more text follows it. If it does not parse, return
        the whole text and None.
        """
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

    def is_followed(self, shape: _LineShape) -> bool:
        """Return whether the operation ends at the current position: the next token is one of the
        ``followers`` of its shape.
        """
        behind = _BEHIND.match(self.text, self.position)
        return behind is not None and behind["follower"] in shape.followers

    def learn(self, op: Operation, start: int, located: int | None) -> None:
        """Record the shape of the text from which an operation was parsed, if later lines can be parsed by
        it, and reset `resolved` and `read_region`. The current position is the end of the operation.
        ``start`` is the position of its first character, ``located`` the position of its location; None if it
        has none.
        """
        resolved, self.resolved = self.resolved, None
        region, self.read_region = self.read_region, None
        if op.successors:
            return
        if op.regions:
            if region is not None and op.regions == (region.request.region,):
                self._learn_header(op, start, region, self.position if located is None else located)
            return
        if resolved is None or op.operands != tuple(resolved[1]) or not stands_alone(type(op)):
            return
        match = _LINE.match(self.text, start)
        if match is None or match.start(3) != self.position:
            return
        body = _without_location(match[2], None if located is None else located - match.start(2))
        if body is None:
            return
        pieces = _NAME.split(body)
        places = _places(pieces, match.start(2), resolved[0])
        if places is not None:
            self._add(op, match, pieces, places, match[3])

    def _learn_header(self, op: Operation, start: int, read: ReadRegion, end: int) -> None:
        """Record the line from `start` on, which the region `read` of `op` follows, for later lines like it.
        The class of `op` must declare `header_stands_alone`, the region must have arguments, nothing may
        follow the region in the operation, and each value name on the line must name an operand or a region
        argument. ``end`` is the position after the operation.
        """
        request = read.request
        if not hook(op, "header_stands_alone") or not request.arguments or request.isolated:
            return
        match, behind = _LINE.match(self.text, start), _BEHIND.match(self.text, read.end)
        if match is None or behind is None or match.end(2) != read.start + 1 or end != read.end:
            return
        pieces = _NAME.split(match[2])
        indices = _indices(pieces, match.start(2))
        arguments = [indices.get(argument.use.position, 0) for argument in request.arguments]
        left = [index for index in range(1, len(pieces), 2) if index not in arguments]
        named = {self.values.get(pieces[index]): index for index in left}
        places = [named.get(value, 0) for value in op.operands]
        if sorted([*arguments, *places]) == list(range(1, len(pieces), 2)):
            self._add(op, match, pieces, places, behind[1], request, arguments)

    def _add(
        self,
        op: Operation,
        match: re.Match[str],
        pieces: list[str],
        places: list[int],
        follower: str,
        region: RegionRequest | None = None,
        arguments: Sequence[int] = (),
    ) -> None:
        """Record the shape of the line `match`, whose text is split at value names into `pieces`. If a shape
        with these pieces and the same number of results is recorded already, add `follower`, the token after
        the line, to this shape. `places` has the index of the piece that names each operand; `arguments` has
        the index for each argument of `region`.
        """
        named = match[1].count(",") + 1 if match[1] else 0
        shapes, key = self._shapes[self.default_dialect], tuple(pieces[::2])
        known = shapes.get(key)
        if known is not None:
            if known.named == named:
                known.followers.add(follower)
            return
        attributes = SharedAttributes(op.held_attributes) if op.held_attributes else NO_ATTRIBUTES
        types = list(op.operand_types), op.result_types
        shape = _LineShape(op.kind, named, places, *types, attributes, {follower}, region, arguments)
        shapes[key] = shape
        if len(pieces) == 1 and region is None:
            self._learn_constant(shape, pieces[0], match.start(2))


def _arguments(shape: _LineShape, pieces: list[str], start: int) -> list[OperandUse]:
    """Return the names of the region's arguments with their positions. ``start`` is the position of the first
    piece.
    """
    offsets = {index: offset for offset, index in _indices(pieces, start).items()}
    return [OperandUse(pieces[index], offsets[index]) for index in shape.arguments]


def _without_location(body: str, located: int | None) -> str | None:
    """Return the line ``body`` up to and including the ``loc(`` of its location, which begins at index
    ``located``; a line without a location (None) is returned whole. Returns None if `_located` would find a
    location elsewhere.
    """
    seen = body.rfind(_LOCATION) if body[-1] == ")" else -1
    if located is None:
        return body if seen < 0 else None
    return body[: seen + len(_LOCATION)] if seen == located - 1 else None


def _places(pieces: list[str], start: int, uses: list[OperandUse]) -> list[int] | None:
    """Return, for each operand, the index of the piece that names it. Returns None unless each piece that is
    a name names exactly one operand.
    """
    indices = _indices(pieces, start)
    places = [indices.get(use.position, 0) for use in uses]
    if sorted(places) != list(range(1, len(pieces), 2)):
        return None
    return places if all(pieces[place] == use.name for place, use in zip(places, uses, strict=True)) else None


def _indices(pieces: list[str], start: int) -> dict[int, int]:
    """Return the index of each piece that is a value name, by its position in the text. ``start`` is the
    position of the first piece.
    """
    indices: dict[int, int] = {}
    for index, piece in enumerate(pieces):
        if index % 2:
            indices[start] = index
        start += len(piece)
    return indices


@cache
def numbered_cases(kind: OperationKind) -> dict[str, type[EnumAttribute]]:
    """Return, by the name in the IR, the class of each enum attribute of the operations of `kind` that MLIR's
    text spells as the number of the case: ``0 : i32``.
    """
    kinds = {field.ir_name: field.kind for field in kind.attributes if isinstance(field.kind, EnumKind)}
    return {name: found.attribute_class for name, found in kinds.items() if found.attribute_class.is_number}
