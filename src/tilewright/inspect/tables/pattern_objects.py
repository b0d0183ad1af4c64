"""Objects of rewrite patterns in data or on the heap, told apart by what lies behind their common prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tilewright.abi import layout, table_shapes
from tilewright.abi.layouts import patterns
from tilewright.abi.layouts.containers import SMALL_VECTOR_HEAD_SIZE, STD_FUNCTION
from tilewright.inspect.arrays import WORDS_CHUNK, Words
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage
from tilewright.inspect.code.registrations import OPERATION_NAME
from tilewright.inspect.findings import LIKELY, STRONG, BinaryFinding, Evidence
from tilewright.inspect.names.type_names import Text, type_name
from tilewright.inspect.tables.vtables import WORD

PREFIX: layout.Struct = patterns.PATTERN_SHAPES["A"]
MAXIMUM_GENERATED = 64
MINIMUM_CLUSTER = 3
ROOT_KINDS = 4
"""Kinds of roots in profile mlir-upstream: anything, operation, interface, trait."""
CLOSURE_OFFSET = patterns.UPSTREAM_CLOSURE_PATTERN.offset("closure")
_QUALIFIED = re.compile(r"[A-Za-z_{(][\w:{}()<>,*& ]*")


@dataclass(frozen=True)
class PatternObject:
    """A rewrite pattern in memory.

    ``table`` is the address of its table of code pointers, ``shape`` a letter of `PATTERN_SHAPES` or ``?``.
    ``trailing`` describes the fields after the common prefix, ``trailing_address`` is the address in them, or
    None. ``operation`` is the name of its root operation; empty if its root is something else, or the name is
    not in the file.
    """

    profile: layout.Profile
    address: int
    table: int
    shape: str
    operation: str
    type_name: str
    benefit: int
    trailing: str
    trailing_address: int | None


@dataclass(frozen=True)
class _Prefix:
    """The fields that all patterns begin with: names of the root operation (may be empty) and of the class,
    benefit, and address of the context.
    """

    operation: str
    type_name: str
    benefit: int
    context: int


def pattern_objects(image: ProgramImage, tables: Mapping[int, int]) -> list[PatternObject]:
    """Return every object that starts with the address of one of ``tables`` and has the fields of a pattern.

    ``tables`` maps addresses of tables to their numbers of slots; only tables of five and eight slots count.
    """
    sizes = (len(table_shapes.REWRITE_PATTERN_TABLE.slots), len(table_shapes.CONVERSION_PATTERN_TABLE.slots))
    known = np.array(sorted(address for address, slots in tables.items() if slots in sizes), np.uint64)
    found: list[PatternObject] = []
    for region in image.data:
        for address, table in _places(region, known):
            pattern = _read(image, address, table, tables[table])
            if pattern is not None:
                found.append(pattern)
    return found


def _places(region: MemoryRegion, known: Words) -> Iterator[tuple[int, int]]:
    """Yield the address and the value of each word of the region that is in `known`."""
    first, words = region.aligned_words
    for start in range(0, len(words), WORDS_CHUNK):
        part = words[start : start + WORDS_CHUNK]
        for at in np.flatnonzero(np.isin(part, known)).tolist():
            yield first + WORD * (start + at), int(part[at])


def _read(image: ProgramImage, address: int, table: int, slots: int) -> PatternObject | None:
    """Return the pattern at `address`, whose table `table` has `slots` slots, by the first profile whose
    fields are plausible; None if there is none. A pattern with the table of a plain rewrite pattern has the
    shape A.
    """
    data = image.read(address, PREFIX.size)
    if len(data) < PREFIX.size:
        return None
    for profile, read, shape_of in _READERS:
        prefix = read(image, address, data)
        if prefix is not None:
            shape, trailing, where = ("A", "nothing", None)
            if slots == len(table_shapes.CONVERSION_PATTERN_TABLE.slots):
                shape, trailing, where = shape_of(image, address, prefix.context)
            return PatternObject(
                profile,
                address,
                table,
                shape,
                prefix.operation,
                prefix.type_name,
                prefix.benefit,
                trailing,
                where,
            )
    return None


def _tileiras_prefix(image: ProgramImage, address: int, data: bytes) -> _Prefix | None:
    """Return the prefix in profile tileiras from the bytes `data` at `address`; None if root, class name,
    context or list of generated operations is not valid.
    """
    values = PREFIX.decode(data)
    size, capacity = values["generated_ops_size"], values["generated_ops_capacity"]
    text = image.text(values["type_name"], values["type_name_length"])
    if text is None or not text.endswith(patterns.TYPE_NAME_END) or not _is_data(image, values["context"]):
        return None
    name = qualified_name(text)
    root = values["op_name"]
    operation = image.text(root["data"], root["length"]) if root["length"] else ""
    if name is None or operation is None or not _is_vector(image, values["generated_ops"], size, capacity):
        return None
    if operation and not OPERATION_NAME.fullmatch(operation):
        return None
    return _Prefix(operation, name, values["benefit"], values["context"])


def qualified_name(text: str) -> str | None:
    """Return the qualified class name in the text of a pattern's debug name, with or without the closing
    ``]`` of ``[DesiredTypeName = ...]``. Return None if there is no such name.
    """
    name = type_name(Text(0, text))
    if name is not None:
        return name.name
    plain = text.removesuffix(patterns.TYPE_NAME_END)
    return plain if "::" in plain and _QUALIFIED.fullmatch(plain) else None


def _upstream_prefix(image: ProgramImage, address: int, data: bytes) -> _Prefix | None:
    """Return the prefix in profile mlir-upstream; None if a field is not valid. The name may be any text, the
    root operation is left empty, and an empty list of generated operations must point into the object.
    """
    values = patterns.UPSTREAM_REWRITE_PATTERN.decode(data)
    listed, name = values["generated_ops"], values["debug_name"]
    context = values["context_word"] & ~7
    text = image.text(name["data"], name["length"])
    inline = address + patterns.UPSTREAM_REWRITE_PATTERN.offset("generated_ops") + SMALL_VECTOR_HEAD_SIZE
    labels = values["debug_labels"]
    if text is None or values["root_kind"] >= ROOT_KINDS or not _is_data(image, context):
        return None
    if not _is_vector(image, listed["data"], listed["size"], listed["capacity"]):
        return None
    if (listed["size"] == 0 and listed["data"] != inline) or labels["size"] > labels["capacity"]:
        return None
    return _Prefix("", text, values["benefit"], context)


def _is_data(image: ProgramImage, address: int) -> bool:
    region = image.region_at(address)
    return region is not None and not region.executable


def _is_vector(image: ProgramImage, data: int, size: int, capacity: int) -> bool:
    """Return whether these are the fields of a vector: `size` is at most `capacity`, which is between 1 and
    `MAXIMUM_GENERATED`, and the address `data` of the elements is in data unless there are none.
    """
    if size > capacity or not 0 < capacity <= MAXIMUM_GENERATED:
        return False
    return size == 0 or _is_data(image, data)


Shape = tuple[str, str, int | None]
"""The shape of a pattern: its letter, a description of the fields after the prefix, and the address in them
(None if there is none).
"""


def _tileiras_shape(image: ProgramImage, address: int, context: int) -> Shape:
    trailing = image.word(address + PREFIX.size)
    if trailing == context:
        return "B", "the context again", trailing
    if trailing is None or not _is_data(image, trailing):
        return "?", "no address", None
    if _is_closure(image, trailing):
        return "D", "a closure", trailing
    return "C", "a type converter", trailing


def _upstream_shape(image: ProgramImage, address: int, context: int) -> Shape:
    closure = image.word(address + CLOSURE_OFFSET)
    if closure is not None and _is_closure(image, closure):
        return "D", "a type converter or null, then a closure", closure
    trailing = image.word(address + patterns.UPSTREAM_CONVERSION_PATTERN.offset("type_converter"))
    if trailing == 0:
        return "B", "no type converter", None
    if trailing is None or not _is_data(image, trailing):
        return "?", "no address", None
    return "C", "a type converter", trailing


_READERS = (
    (layout.Profile.TILEIRAS, _tileiras_prefix, _tileiras_shape),
    (layout.Profile.UPSTREAM, _upstream_prefix, _upstream_shape),
)


def _is_closure(image: ProgramImage, address: int) -> bool:
    """Return whether a `std::function` is at `address`: its manager and its invoker are addresses of code."""
    data = image.read(address, patterns.CLOSURE_TUPLE.size)
    if len(data) < STD_FUNCTION.size:
        return False
    values = STD_FUNCTION.decode(data)
    held = np.array([values["manager"], values["invoker"]], np.uint64)
    return bool(image.is_code(held).all())


def object_findings(objects: list[PatternObject]) -> Iterator[BinaryFinding]:
    """Yield one finding for each object whose shape is known, and one for each run of at least three objects
    with the same table at equal distances.
    """
    sharing: dict[int, int] = {}
    for pattern in objects:
        if pattern.shape == "C" and pattern.trailing_address is not None:
            sharing[pattern.trailing_address] = sharing.get(pattern.trailing_address, 0) + 1
    for pattern in objects:
        if pattern.shape in patterns.PATTERN_SHAPES:
            yield _object_finding(pattern, sharing)
    yield from _clusters(objects)


def _object_finding(pattern: PatternObject, sharing: Mapping[int, int]) -> BinaryFinding:
    upstream = pattern.profile is layout.Profile.UPSTREAM
    name_at = (
        patterns.UPSTREAM_REWRITE_PATTERN.offset("debug_name") if upstream else PREFIX.offset("type_name")
    )
    end = "" if upstream else patterns.TYPE_NAME_END
    evidence = [
        Evidence(
            f"the first word is {pattern.table:#x}, a table of code pointers of the right size",
            pattern.address,
        ),
        Evidence(f"the name at +{name_at:#x} is '{pattern.type_name}{end}'", pattern.address + name_at),
        Evidence(f"behind the prefix lies {pattern.trailing}", pattern.address + PREFIX.size),
    ]
    if pattern.operation:
        evidence.insert(1, Evidence(f"the root at +0x8 is '{pattern.operation}'", pattern.address + 8))
    shared = sharing.get(pattern.trailing_address or 0, 0) if pattern.shape == "C" else 0
    if shared > 1:
        evidence.append(Evidence(f"{shared} patterns share that type converter", pattern.trailing_address))
    details = {
        "shape": pattern.shape,
        "profile": str(pattern.profile),
        "operation": pattern.operation,
        "table": pattern.table,
        "benefit": pattern.benefit,
    }
    confidence = LIKELY if upstream else STRONG
    return BinaryFinding(
        "pattern object", pattern.type_name, pattern.address, tuple(evidence), confidence, details
    )


def _clusters(objects: list[PatternObject]) -> Iterator[BinaryFinding]:
    """Yield one finding for each run of at least three objects that share a table and are at equal distances."""
    ordered = sorted(objects, key=lambda pattern: pattern.address)
    start = 0
    while start < len(ordered):
        end = start + 1
        stride = ordered[end].address - ordered[start].address if end < len(ordered) else 0
        while (
            end < len(ordered)
            and ordered[end].table == ordered[start].table
            and ordered[end].address - ordered[end - 1].address == stride
        ):
            end += 1
        count = end - start
        if count >= MINIMUM_CLUSTER:
            first = ordered[start]
            text = f"{count} patterns with the table {first.table:#x} lie {stride:#x} bytes apart"
            details = {"count": count, "stride": stride, "table": first.table}
            yield BinaryFinding(
                "object cluster",
                first.type_name,
                first.address,
                (Evidence(text, first.address),),
                STRONG,
                details,
            )
        start = end if count >= MINIMUM_CLUSTER else start + 1
