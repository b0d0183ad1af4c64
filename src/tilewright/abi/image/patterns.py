"""Pattern registries in memory images.

Patterns are code; an image holds a pattern's root, its benefit, the operations that it may create, its captures, and
tables of addresses that stand for its methods. One address stands for one Python function, so patterns that inherit a
method share the slot, and the invariant slots of a table shape are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.abi import hash_tables, table_shapes
from tilewright.abi.image import module, segments
from tilewright.abi.image.views import checked_count, malformed, view_of
from tilewright.abi.image.writer import MemoryImage, not_representable
from tilewright.abi.layout import POINTER_SIZE, Profile, Struct
from tilewright.abi.layouts import patterns as shapes, uniquer as layouts_uniquer
from tilewright.abi.layouts.containers import POINTER_BUCKET, STRING_REF
from tilewright.ir.operation import Operation
from tilewright.rewrite.conversion.pattern import ClosurePattern, ConversionPattern
from tilewright.rewrite.pattern import Pattern, PatternRootKind
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet

AnyPattern = Pattern[Any]
PatternSet = RewritePatternSet | FrozenRewritePatternSet
UPSTREAM_ROOTS = {
    PatternRootKind.ANY: 0,
    PatternRootKind.OPERATION: 1,
    PatternRootKind.INTERFACE: 2,
    PatternRootKind.TRAIT: 3,
}
RETURN = b"\xc3"
"""The body of a function in an image: an x86 return."""


@dataclass(frozen=True, slots=True)
class PatternRecord:
    """The properties of a pattern that an image stores. ``shape`` is the letter, A to D, of its byte layout;
    ``root`` is the result of `root_text`; ``generated_ops`` are the names of the operations that it may
    create. ``converter`` is the number of its type converter among the converters of the registry, from 0;
    None without a type converter.
    """

    shape: str
    kind: PatternRootKind
    root: str
    benefit: int
    type_name: str
    debug_name: str
    generated_ops: tuple[str, ...]
    labels: tuple[str, ...]
    has_bounded_recursion: bool
    converter: int | None


def records_of(patterns: PatternSet) -> list[PatternRecord]:
    """Return a record for each pattern of a set, in order: the records that `read_patterns` returns for the
    image of the set.
    """
    converters: dict[int, int] = {}
    return [_record_of(pattern, converters) for pattern in patterns.patterns]


def _record_of(pattern: AnyPattern, converters: dict[int, int]) -> PatternRecord:
    converter = getattr(pattern, "type_converter", None)
    number = None if converter is None else converters.setdefault(id(converter), len(converters))
    return PatternRecord(
        pattern.role.value,
        pattern.kind,
        root_text(pattern),
        pattern.benefit,
        pattern.type_name,
        pattern.debug_name,
        tuple(pattern.generated_ops),
        tuple(pattern.labels),
        pattern.has_bounded_recursion,
        number,
    )


def root_text(pattern: AnyPattern) -> str:
    """Return the name of the operation that a pattern is rooted at, or the Python name, with its module, of
    the interface or trait; empty if the pattern matches any operation.
    """
    root = pattern.root
    if root is None or isinstance(root, str):
        return root or ""
    if issubclass(root, Operation):
        return root.op_kind.name
    return f"{root.__module__}.{root.__qualname__}"


class _RegistryWriter:
    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.modules = module.WRITERS[profile](segments.AbiImage())
        self.image = self.modules.image
        self.objects = self.image.add_segment("patterns")
        self.tables = self.image.add_segment("tables")
        self.code = self.image.add_segment("code")
        self.context = self._put(layouts_uniquer.CONTEXT.encode(context_id=1))
        self._functions: dict[object, int] = {}
        self._tables: dict[type, int] = {}
        self._converters: dict[int, int] = {}
        self._records: dict[str, int] = {}

    def write(self, patterns: PatternSet) -> int:
        places = [self._pattern(pattern) for pattern in patterns.patterns]
        extras = [self._extra(pattern) for pattern in patterns.patterns]
        frozen = isinstance(patterns, FrozenRewritePatternSet)
        values = {
            "patterns": self._vector([_word(place) for place in places]),
            "extras": self._vector(extras),
            "frozen": int(frozen),
        }
        if frozen:
            values["by_name"] = self._by_name(zip(patterns.patterns, places, strict=True))
        return self._put(shapes.PATTERN_REGISTRY.encode(values))

    def _put(self, data: bytes, segment: segments.MemorySegment | None = None) -> int:
        held = segment or self.objects
        address = held.allocate(len(data))
        held.data[address - held.base : address - held.base + len(data)] = data
        return address

    def _vector(self, items: Sequence[bytes]) -> dict[str, int]:
        data = b"".join(items)
        begin = self._put(data) if data else 0
        return {"begin": begin, "end": begin + len(data), "capacity_end": begin + len(data)}

    def _text(self, text: str) -> dict[str, int]:
        address, length = self.modules.texts.add_text(text)
        return {"data": address, "length": length}

    def _pattern(self, pattern: AnyPattern) -> int:
        shape = pattern.role.value
        if not 0 <= pattern.benefit <= 0xFFFF:
            raise not_representable(f"benefit {pattern.benefit} of {pattern.debug_name} does not fit 16 bits")
        struct = PATTERN_STRUCTS[self.profile][shape]
        address = self.objects.allocate(struct.size)
        values = self._prefix(pattern, address) | self._captured(pattern, shape)
        data = struct.encode(values)
        self.objects.data[address - self.objects.base : address - self.objects.base + len(data)] = data
        return address

    def _prefix(self, pattern: AnyPattern, address: int) -> dict[str, Any]:
        generated = [self._kind_record(name) for name in pattern.generated_ops]
        listed = self._put(b"".join(map(_word, generated))) if generated else 0
        table = self._table(pattern)
        if self.profile is Profile.TILEIRAS:
            name = self._text(pattern.type_name)
            return {
                "vtable": table,
                "op_name": self._text(pattern.root_name) if pattern.root_name else {},
                "benefit": pattern.benefit,
                "kind": int(pattern.kind),
                "context": self.context,
                "type_name": name["data"],
                "type_name_length": name["length"],
                "generated_ops": listed or address + 0x48,
                "generated_ops_size": len(generated),
                "generated_ops_capacity": max(4, len(generated)),
            }
        labels = [STRING_REF.encode(self._text(label)) for label in pattern.labels]
        head = {"size": len(generated), "capacity": max(2, len(generated))}
        return {
            "vtable": table,
            "root": self._root(pattern),
            "root_kind": UPSTREAM_ROOTS[pattern.kind],
            "benefit": pattern.benefit,
            "context": self.context >> 3,
            "has_bounded_recursion": int(pattern.has_bounded_recursion),
            "generated_ops": {"data": listed or address + 0x30, **head},
            "debug_name": self._text(pattern.debug_name),
            "debug_labels": {
                "data": self._put(b"".join(labels)) if labels else address + 0x60,
                "size": len(labels),
                "capacity": len(labels),
            },
        }

    def _captured(self, pattern: AnyPattern, shape: str) -> dict[str, int]:
        converter = getattr(pattern, "type_converter", None)
        held = 0 if converter is None else self._converter(converter)
        if shape == "A":
            return {}
        if shape == "D":
            closure = self._closure(pattern, held)
            upstream = {"type_converter": held} if self.profile is Profile.UPSTREAM else {}
            return {"closure": closure, **upstream}
        if self.profile is Profile.TILEIRAS and shape == "B":
            return {"context_again": self.context}
        return {"type_converter": held}

    def _closure(self, pattern: AnyPattern, converter: int) -> int:
        predicate = pattern.predicate if isinstance(pattern, ClosurePattern) else None
        called = 0 if predicate is None else self._function(("predicate", id(predicate)))
        manager = 0 if predicate is None else self._function("function manager")
        return self._put(
            shapes.CLOSURE_TUPLE.encode(
                predicate={"invoker": called, "manager": manager}, type_converter=converter
            )
        )

    def _converter(self, converter: object) -> int:
        address = self._converters.get(id(converter))
        if address is None:
            address = self._converters[id(converter)] = self._put(bytes(POINTER_SIZE))
        return address

    def _kind_record(self, name: str) -> int:
        address = self._records.get(name)
        if address is None:
            from tilewright.ir.declaration.discardable import UnregisteredKind

            address = self._records[name] = self.modules.kind(UnregisteredKind(name))
        return address

    def _root(self, pattern: AnyPattern) -> int:
        if pattern.root_name is not None:
            return self._kind_record(pattern.root_name)
        root: Any = pattern.root
        return 0 if root is None else self.modules.class_id(root)

    def _table(self, pattern: AnyPattern) -> int:
        cls = type(pattern)
        address = self._tables.get(cls)
        if address is None:
            shape = table_of(pattern, self.profile)
            slots = [self._slot(shape, cls, position) for position in range(len(shape.slots))]
            start = self._put(shape.encode(slots), self.tables)
            address = self._tables[cls] = start + POINTER_SIZE * shape.prefix_words
        return address

    def _slot(self, shape: table_shapes.TableShape, cls: type, position: int) -> int:
        if position in shape.invariant:
            return self._function((shape.name, position))
        method = getattr(cls, shape.slots[position], None)
        return self._function(method if method is not None else (cls, position))

    def _function(self, key: Callable[..., Any] | tuple[Any, ...] | str) -> int:
        address = self._functions.get(key)
        if address is None:
            address = self.code.allocate(segments.FUNCTION_SIZE, segments.FUNCTION_SIZE)
            at = address - self.code.base
            self.code.data[at : at + segments.FUNCTION_SIZE] = RETURN * segments.FUNCTION_SIZE
            self._functions[key] = address
        return address

    def _extra(self, pattern: AnyPattern) -> bytes:
        labels = [STRING_REF.encode(self._text(label)) for label in pattern.labels]
        return shapes.PATTERN_EXTRA.encode(
            debug_name=self._text(pattern.debug_name),
            root_class=self._text(root_text(pattern)),
            labels=self._put(b"".join(labels)) if labels else 0,
            num_labels=len(labels),
            has_bounded_recursion=int(pattern.has_bounded_recursion),
            type_name=self._text(pattern.type_name),
        )

    def _by_name(self, placed: Iterable[tuple[AnyPattern, int]]) -> dict[str, int]:
        lists: dict[str, list[int]] = {}
        for pattern, place in placed:
            if pattern.root_name is not None:
                lists.setdefault(pattern.root_name, []).append(place)
        table = hash_tables.PointerTable.empty()
        for name, places in lists.items():
            array = self._put(b"".join(map(_word, places)))
            held = self._put(shapes.PATTERN_LIST.encode(patterns=array, size=len(places)))
            table.insert(self._kind_record(name), held)
        buckets = b"".join(
            POINTER_BUCKET.encode(key=key, value=value)
            for key, value in zip(table.keys, table.values, strict=True)
        )
        return {
            "buckets": self._put(buckets) if buckets else 0,
            "live": table.live,
            "tombstones": table.tombstones,
            "bucket_count": table.buckets,
        }


def _word(value: int) -> bytes:
    return value.to_bytes(POINTER_SIZE, "little")


def table_of(pattern: AnyPattern, profile: Profile) -> table_shapes.TableShape:
    """Return the shape of the table of code pointers for the class of a pattern in ``profile``: the shape
    "conversion pattern" for a `ConversionPattern`, otherwise "rewrite pattern".
    """
    name = "conversion pattern" if isinstance(pattern, ConversionPattern) else "rewrite pattern"
    return table_shapes.table_shape(name, profile)


PATTERN_STRUCTS: dict[Profile, dict[str, Struct]] = {
    Profile.TILEIRAS: shapes.PATTERN_SHAPES,
    Profile.UPSTREAM: {
        "A": shapes.UPSTREAM_REWRITE_PATTERN,
        "B": shapes.UPSTREAM_CONVERSION_PATTERN,
        "C": shapes.UPSTREAM_CONVERSION_PATTERN,
        "D": shapes.UPSTREAM_CLOSURE_PATTERN,
    },
}


def write_patterns(patterns: PatternSet, profile: Profile = Profile.TILEIRAS) -> MemoryImage:
    """Write a set of patterns, frozen or not, to a new address space; the root ``patterns`` is the registry.
    Raises `DiagnosticError` for a benefit that does not fit 16 bits.
    """
    writer = _RegistryWriter(profile)
    root = writer.write(patterns)
    return MemoryImage(writer.image, profile, {"patterns": root})


class PatternReader:
    """Reads the patterns of a registry from an image that `write_patterns` made: as records (`read`), or by
    address. Its methods raise `DiagnosticError` if the image is damaged.
    """

    def __init__(self, image: MemoryImage) -> None:
        self.profile = image.profile
        self.memory: segments.ReadableMemory = image.image
        self.view = view_of(self.memory, image.profile)
        self.registry: dict[str, Any] = segments.read_struct(
            self.memory, shapes.PATTERN_REGISTRY, image.roots["patterns"]
        )
        self._code = image.image.segment("code")
        self._converters: dict[int, int] = {}

    def read(self) -> list[PatternRecord]:
        """Return a record for each pattern, in the order of the set."""
        return [self._record(*pair) for pair in zip(self.addresses(), self._extras(), strict=True)]

    def addresses(self) -> list[int]:
        """Return the addresses of all patterns in order."""
        vector = self.registry["patterns"]
        count = checked_count((vector["end"] - vector["begin"]) // POINTER_SIZE, "patterns", vector["begin"])
        return [segments.read_word(self.memory, vector["begin"] + POINTER_SIZE * at) for at in range(count)]

    def of_kind(self, name: str) -> list[int]:
        """Return the addresses of the patterns of a frozen set that are rooted at the operation ``name``, in
        order of trial, from the hash table of the set. The list is empty if there are none, or if the set is
        not frozen.
        """
        table = self.registry["by_name"]
        for at in range(checked_count(table["bucket_count"], "buckets", table["buckets"])):
            bucket: dict[str, Any] = segments.read_struct(
                self.memory, POINTER_BUCKET, table["buckets"] + POINTER_BUCKET.size * at
            )
            if bucket["value"] and self.view.kind_name(bucket["key"]) == name:
                held: dict[str, Any] = segments.read_struct(self.memory, shapes.PATTERN_LIST, bucket["value"])
                size = checked_count(held["size"], "patterns", bucket["value"])
                return [
                    segments.read_word(self.memory, held["patterns"] + POINTER_SIZE * position)
                    for position in range(size)
                ]
        return []

    def shape(self, address: int) -> str:
        """Return the shape of the pattern at an address: "A" for a rewrite pattern, "B" for a conversion
        pattern, "C" if it has a type converter, "D" if it has a closure. They are told apart by the table of
        code pointers and by the captures.
        """
        table = segments.read_word(self.memory, address)
        conversion = table_shapes.table_shape("conversion pattern", self.profile)
        if not self._is_table(table, conversion):
            return "A"
        if self.profile is Profile.UPSTREAM:
            return self._upstream_shape(address)
        captured = segments.read_word(self.memory, address + shapes.PREFIX_SIZE)
        if captured == segments.read_word(self.memory, address + shapes.PATTERN_A.offset("context")):
            return "B"
        return "D" if self._is_closure(captured) else "C"

    def _upstream_shape(self, address: int) -> str:
        struct = shapes.UPSTREAM_CLOSURE_PATTERN
        offset = struct.offset("closure")
        captured = segments.read_word(self.memory, address + offset)
        if self._is_closure(captured):
            return "D"
        return "C" if segments.read_word(self.memory, address + struct.offset("type_converter")) else "B"

    def _is_table(self, table: int, shape: table_shapes.TableShape) -> bool:
        """True if the words at ``table``, one for each slot of ``shape``, are all addresses of code. Raises
        `DiagnosticError` if the image has no code.
        """
        size = POINTER_SIZE * len(shape.slots)
        if self._code.end <= self._code.base:
            raise malformed("the image holds no code that tables could lead to")
        data = bytes(self._tables_after(table, size))
        words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]
        return len(words) == len(shape.slots) and all(self._code.base <= w < self._code.end for w in words)

    def _tables_after(self, table: int, size: int) -> bytes:
        read = self.memory.read
        words: list[bytes] = []
        for at in range(table, table + size, POINTER_SIZE):
            word = bytes(read(at, POINTER_SIZE)) if self._holds(at) else b""
            if not word or word == bytes(POINTER_SIZE):
                break
            words.append(word)
        return b"".join(words)

    def _holds(self, address: int) -> bool:
        assert isinstance(self.memory, segments.AbiImage)
        segment = self.memory.at(address)
        return segment is not None and address + POINTER_SIZE <= segment.end

    def _is_closure(self, address: int) -> bool:
        if not address or not self._holds(address + shapes.CLOSURE_TUPLE.size - POINTER_SIZE):
            return False
        invoker = shapes.CLOSURE_TUPLE.decode(self.memory.read(address, shapes.CLOSURE_TUPLE.size))
        return self._code.base <= invoker["predicate"]["invoker"] < self._code.end

    def _extras(self) -> list[dict[str, Any]]:
        vector, struct = self.registry["extras"], shapes.PATTERN_EXTRA
        count = checked_count((vector["end"] - vector["begin"]) // struct.size, "patterns", vector["begin"])
        return [
            segments.read_struct(self.memory, struct, vector["begin"] + struct.size * at)
            for at in range(count)
        ]

    def _record(self, address: int, extra: dict[str, Any]) -> PatternRecord:
        shape = self.shape(address)
        struct = PATTERN_STRUCTS[self.profile][shape]
        values: dict[str, Any] = segments.read_struct(self.memory, struct, address)
        generated, count = self._generated(values)
        return PatternRecord(
            shape,
            self._root_kind(values),
            self._string(extra["root_class"]),
            values["benefit"],
            self._string(extra["type_name"]),
            self._string(extra["debug_name"]),
            tuple(
                self.view.kind_name(segments.read_word(self.memory, generated + POINTER_SIZE * at))
                for at in range(checked_count(count, "generated operations", address))
            ),
            tuple(self._labels(extra)),
            bool(extra["has_bounded_recursion"]),
            self._converter_number(values, shape),
        )

    def _generated(self, values: dict[str, Any]) -> tuple[int, int]:
        if self.profile is Profile.TILEIRAS:
            return values["generated_ops"], values["generated_ops_size"]
        return values["generated_ops"]["data"], values["generated_ops"]["size"]

    def _root_kind(self, values: dict[str, Any]) -> PatternRootKind:
        number = values["kind"] if self.profile is Profile.TILEIRAS else values["root_kind"]
        numbers = PatternRootKind.__members__.values()
        names = {
            int(kind) if self.profile is Profile.TILEIRAS else UPSTREAM_ROOTS[kind]: kind for kind in numbers
        }
        if number not in names:
            raise malformed(f"a pattern's root is of kind {number}, which does not exist")
        return names[number]

    def _labels(self, extra: dict[str, Any]) -> list[str]:
        count = checked_count(extra["num_labels"], "labels", extra["labels"])
        return [
            self.view.string_ref(extra["labels"] + STRING_REF.size * at, "a label") for at in range(count)
        ]

    def _string(self, held: dict[str, int]) -> str:
        return segments.read_text(self.memory, held["data"], held["length"], "the name of a pattern")

    def _converter_number(self, values: dict[str, Any], shape: str) -> int | None:
        converter = values.get("type_converter", 0)
        if shape == "D" and self.profile is Profile.TILEIRAS:
            held: dict[str, Any] = segments.read_struct(self.memory, shapes.CLOSURE_TUPLE, values["closure"])
            converter = held["type_converter"]
        return self._converters.setdefault(converter, len(self._converters)) if converter else None


def read_patterns(image: MemoryImage) -> list[PatternRecord]:
    """Return a record for each pattern in an image that `write_patterns` made, in the order of the set.
    Raises `DiagnosticError` if the image is damaged.
    """
    return PatternReader(image).read()
