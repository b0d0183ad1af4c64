"""Fast decoders, generated from the layouts of operations as `dataclasses` generates constructors.

One function reads one operation without regions, straight from the bytes, and appends it to a block. It handles the
common case only: for anything unusual it returns `UNREAD`, or raises IndexError or `ReadError`, with nothing changed,
and the caller reads the operation again by `tilewright.bytecode.reader.decoders`, which reports the error.

Attributes come from a table by their encoding in the file (flags, numbers of cases, indices); operations with equal
attributes share a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tilewright.bytecode import codecs as bytecode_codecs, wire as bytecode_wire
from tilewright.bytecode.cursor import MAXIMUM_COUNT
from tilewright.bytecode.reader.decoders import Decoder, DecodingScope, find_decoder
from tilewright.dialects.cuda_tile.version import Version
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import NO_ATTRIBUTES, Attribute, Location, SharedAttributes, Type
from tilewright.ir.construction.constructor import new_results
from tilewright.ir.declaration import attribute_kind, fields, kind as declaration_kind
from tilewright.ir.value import OpResult

UNREAD = -1
"""The result of a decoder that has read nothing, because the general reader has to read the operation."""
_MAXIMUM_SEGMENT = 2**31 - 1
_MAXIMUM_CONTINUATIONS = 9
OFTEN = 160
"""The number of operations of a kind that are read before a decoder is generated for it. Generating one costs
as much time as it saves in that number of reads.
"""
_SHORT = 12
"""The maximum length in bytes of structured attributes that are cached; most assumptions and arrays are
shorter.
"""
_MAXIMUM_ALIKE = 16
"""The maximum number of attributes with the same first byte that are cached by their bytes."""

GeneratedDecoder = Callable[[DecodingScope, int, int, Location, ir_block.Block], int]
"""A function of the scope, the position after the opcode, the end, the operation's location, and the block to
append it to. It returns the position after the operation, or `UNREAD`.
"""

_NUMBERS = (
    bytecode_codecs.EnumCodec,
    bytecode_codecs.StringCodec,
    bytecode_codecs.SymbolRefCodec,
    bytecode_codecs.TypeCodec,
)
"""Codecs of attributes that are encoded as one varint."""


@cache
def generated_decoders(version: Version) -> dict[int, GeneratedDecoder]:
    """Return the decoders of a version by opcode, for operations without regions; each is generated when it
    has been needed `OFTEN` times.
    """
    return GeneratedDecoders(version)


class GeneratedDecoders(dict[int, GeneratedDecoder]):
    """Maps opcodes to decoders. A decoder is generated when it has been needed `OFTEN` times; until then, and
    for operations with regions and unknown opcodes, it is `unread`.
    """

    def __init__(self, version: Version) -> None:
        super().__init__()
        self._version = version
        self._asked: dict[int, int] = {}

    def __missing__(self, opcode: int) -> GeneratedDecoder:
        asked = self._asked[opcode] = self._asked.get(opcode, 0) + 1
        if asked < OFTEN:
            return unread
        decoder = find_decoder(self._version, opcode)
        made = self[opcode] = unread if decoder is None or decoder.regions else _generate(decoder)
        return made


def unread(scope: DecodingScope, position: int, end: int, location: Location, block: ir_block.Block) -> int:
    """Return `UNREAD`: the decoder of operations that are left to the general reader."""
    return UNREAD


def _long(data: bytes, position: int, first: int) -> tuple[int, int]:
    """Read the rest of a varint after its ``first`` byte, which has a continuation bit; return the number and
    the position after it. Raises `IndexError` for a varint of ten bytes or more, and at the end of the data.
    """
    value = first & 0x7F
    for shift in range(7, 7 * _MAXIMUM_CONTINUATIONS, 7):
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
    raise IndexError("a variable-length integer to be looked at with care")


def _structured(
    encoding: bytecode_codecs.AttributeCodec, scope: DecodingScope, position: int
) -> tuple[Attribute, int]:
    """Read an attribute of several parts; return it with the position after it.

    Short ones are cached by their bytes. No encoding is a prefix of another one, so equal first bytes mean an
    equal attribute.
    """
    data = scope.data
    alike = scope.known_short.setdefault((encoding, data[position]), [])
    scope.cursor.position = position
    attribute = encoding.decode(scope.cursor, scope.attributes, None)
    text = data[position : scope.cursor.position]
    if len(text) <= _SHORT and len(alike) < _MAXIMUM_ALIKE:
        alike.append((text, attribute))
    return attribute, position + len(text)


def _attributes(
    decoder: Decoder,
    known: dict[Any, SharedAttributes],
    key: Any,
    scope: DecodingScope,
    start: int,
    *more: Any,
) -> SharedAttributes:
    """Decode the attributes at ``start``, store them in ``known`` under ``key``, and return them. ``more``
    are the result types, and the sizes of operand segments or None.
    """
    result_types, sizes = more
    attributes: dict[str, Any] = {}
    if decoder.attributes is not None:
        scope.cursor.position = start
        attributes, _ = decoder.attributes(scope, result_types)
    if sizes is not None:
        attributes[declaration_kind.OPERAND_SEGMENTS] = declaration_kind.segments(sizes)
    known[key] = shared = SharedAttributes(attributes)
    return shared


_BUILD = """\
    if position > end:
        return UNREAD
{find_attributes}
    op = new(CLASS)
    op.kind = KIND
    op.held_attributes = attributes
    op.lazy_location = location
    op.next = op.order_number = None
    op.regions = op.successors = ()
    op.operands = {operands}
{add_uses}
{results}
    op.parent = block
    op.previous = last = block.last
    if last is None:
        block.first = op
        block.order_valid = True
    else:
        last.next = op
    block.last = op
    return position
"""

_RESULT = """\
    result = new(OpResult)
    result.type = {type}
    result.compact_uses = None
    result.owner = op
    result.index = 0
    op.results = (result,)
"""

_ADD_USE = """\
{indent}if {value}.compact_uses is None:
{indent}    {value}.compact_uses = op
{indent}else:
{indent}    {value}.add_use(op)
"""


class _Source:
    """The source code of a decoder that is being generated: its lines, the parts of its cache key, and its
    global names.
    """

    def __init__(self, layout: bytecode_wire.WireLayout) -> None:
        self.layout = layout
        self.lines = ["def decode(scope, position, end, location, block):"]
        self.key: list[str] = []
        self.names: dict[str, Any] = {}

    def add(self, line: str, depth: int = 1) -> None:
        self.lines.append("    " * depth + line)

    def number(self, name: str, depth: int = 1) -> None:
        """Write code that reads a varint into the variable ``name``."""
        self.add(f"{name} = data[position]; position += 1", depth)
        self.add(f"if {name} > 127:", depth)
        self.add("following = data[position]; position += 1", depth + 1)
        self.add(f"if following < 128: {name} += (following << 7) - 128", depth + 1)
        self.add(f"else: {name}, position = long(data, position - 1, {name})", depth + 1)


def _generate(decoder: Decoder) -> GeneratedDecoder:
    layout = decoder.layout
    source = _Source(layout)
    source.add("data = scope.data; types = scope.known_types; values = scope.values")
    types = _read_results(source)
    _read_attributes(source)
    operands = _read_operands(source)
    built = _BUILD.format(
        find_attributes=_find_attributes(source, types),
        operands=operands if operands.startswith("(") else f"tuple({operands})",
        add_uses=_add_uses(operands),
        results=_make_results(source, types),
    )
    names: dict[str, Any] = source.names | {
        "CLASS": layout.kind.op_class,
        "KIND": layout.kind,
        "DECODER": decoder,
        "UNREAD": UNREAD,
        "NO_ATTRIBUTES": NO_ATTRIBUTES,
        "OpResult": OpResult,
        "long": _long,
        "make_attributes": _attributes,
        "structured": _structured,
        "new": object.__new__,
        "new_results": new_results,
    }
    text = "\n".join([*source.lines, built])
    exec(compile(text, f"<decoder of {layout.kind.name} {layout.version}>", "exec"), names)
    decode: GeneratedDecoder = names["decode"]
    return decode


def _read_results(source: _Source) -> str:
    """Write code that reads the result types; return an expression for their tuple or list."""
    layout = source.layout
    if not layout.counted_results or all(field.arity is fields.Arity.ONE for field in layout.kind.results):
        if layout.counted_results:
            source.number("count")
            source.add(f"if count != {layout.results}: return UNREAD")
        for number in range(layout.results):
            source.number("index")
            source.add(f"type_{number} = types[index]")
            source.add(f"if type_{number} is None: type_{number} = scope.types.get(index, position)")
        return f"({''.join([f'type_{number}, ' for number in range(layout.results)])})"
    source.number("count")
    source.add(f"if count > {MAXIMUM_COUNT}: return UNREAD")
    source.add("result_types = []")
    source.add("for _ in range(count):")
    source.number("index", 2)
    source.add("result_types.append(types[index])", 2)
    source.add("if None in result_types: return UNREAD")
    return "result_types"


def _read_attributes(source: _Source) -> None:
    """Write code that reads flags and attributes into variables, and collect these as the cache key:
    operations with equal keys share the attributes that were decoded first.
    """
    layout = source.layout
    source.add("start = position")
    if layout.has_flags:
        source.number("flags")
        source.key.append("flags")
    for number, attribute in enumerate(layout.attributes):
        name, depth = f"attribute_{number}", 1
        if attribute.flag is not None:
            source.add(f"{name} = None")
            source.add(f"if flags & {1 << attribute.flag}:")
            depth = 2
        _read_attribute(source, attribute, name, depth)
        source.key.append(name)


def _read_attribute(source: _Source, attribute: bytecode_wire.WireAttribute, name: str, depth: int) -> None:
    encoding = bytecode_codecs.codec(attribute.kind, source.layout.version)
    if isinstance(encoding, bytecode_codecs.BoolCodec) or _is_boolean(attribute, encoding):
        source.add(f"{name} = data[position]; position += 1", depth)
    elif isinstance(encoding, (*_NUMBERS, bytecode_codecs.IntegerCodec)):
        source.number(name, depth)
    elif (
        isinstance(encoding, bytecode_codecs.ElementsCodec)
        and source.layout.results
        and not source.layout.counted_results
    ):
        source.number(name, depth)
        source.key.append("type_0")
    else:
        source.names[f"CODEC_{name}"] = encoding
        source.add(f"for text, {name} in scope.known_short.get((CODEC_{name}, data[position]), ()):", depth)
        source.add("if data.startswith(text, position): position += len(text); break", depth + 1)
        source.add(f"else: {name}, position = structured(CODEC_{name}, scope, position)", depth)


def _is_boolean(attribute: bytecode_wire.WireAttribute, encoding: bytecode_codecs.AttributeCodec) -> bool:
    """Return whether an attribute is encoded as a Boolean: one byte."""
    kind = attribute.kind
    return (
        isinstance(encoding, bytecode_codecs.IntegerCodec)
        and isinstance(kind, attribute_kind.IntegerKind)
        and kind.type is builtin_types.i1
    )


def _read_operands(source: _Source) -> str:
    """Write code that reads the operands; return an expression for their tuple or list."""
    layout = source.layout
    if layout.segmented:
        source.add("operands = []; sizes = []")
        for group in layout.operands:
            _read_segment(source, group)
        source.add("sizes = tuple(sizes)")
        source.key.append("sizes")
        return "operands"
    if layout.counted_operands:
        source.number("count")
        source.add(f"if count > {MAXIMUM_COUNT}: return UNREAD")
        source.add("operands = []")
        _read_group(source)
        return "operands"
    for number in range(layout.operand_count):
        source.number("index")
        source.add(f"value_{number} = values[index]")
    return f"({''.join([f'value_{number}, ' for number in range(layout.operand_count)])})"


def _read_segment(source: _Source, group: bytecode_wire.WireOperand) -> None:
    if group.arity is fields.Arity.VARIADIC:
        source.number("count")
        source.add(f"if count > {_MAXIMUM_SEGMENT}: return UNREAD")
    elif group.arity is fields.Arity.ONE:
        source.add("count = 1")
    else:
        source.add(f"count = flags >> {group.flag or 0} & 1" if group.available else "count = 0")
    source.add("sizes.append(count)")
    _read_group(source)


def _read_group(source: _Source) -> None:
    source.add("for _ in range(count):")
    source.number("index", 2)
    source.add("operands.append(values[index])", 2)


def _find_attributes(source: _Source, types: str) -> str:
    if not source.key and not source.layout.defaults:
        return "    attributes = NO_ATTRIBUTES"
    sizes = "sizes" if source.layout.segmented else "None"
    key = f"(KIND, {''.join([f'{part}, ' for part in source.key])})"
    return f"""\
    known = scope.known_attributes; key = {key}
    attributes = known.get(key)
    if attributes is None:
        attributes = make_attributes(DECODER, known, key, scope, start, {types}, {sizes})"""


def _add_uses(operands: str) -> str:
    if not operands.startswith("("):
        return "    for value in op.operands:\n" + _ADD_USE.format(value="value", indent=" " * 8)
    values = [value for value in operands.strip("()").split(", ") if value]
    return "".join([_ADD_USE.format(value=value, indent=" " * 4) for value in values])


def _make_results(source: _Source, types: str) -> str:
    """Return source lines that make the results from the expression ``types``. Results that the version does
    not store get no value number.
    """
    implied: tuple[Type, ...] = source.layout.implied_results
    if types == "(type_0, )" and not implied:
        return _RESULT.format(type="type_0") + "    values.append(result)"
    if types == "()" and not implied:
        return "    op.results = ()"
    source.names["IMPLIED"] = implied
    return f"""\
    op.results = results = new_results(op, (*{types}, *IMPLIED))
    values.extend(results[:len({types})])"""
