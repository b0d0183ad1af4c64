"""Strings, vectors and tables as C++ libraries lay them out."""

from __future__ import annotations

from tilewright.abi.layout import (
    I32,
    POINTER_SIZE,
    U8,
    U32,
    U64,
    AbiLayout,
    ArrayLayout,
    Embedded,
    Form,
    LayoutField,
    Profile,
    RawBytes,
    Struct,
    both,
    pointer,
    view,
)

FAMILY = "containers"
_CONTAINERS = "Container Fingerprints"
_ADT = "LLVM 22: ADT"


def inline_marker(capacity: int) -> int:
    """Return the one 64-bit store that makes a small vector empty: size 0 below, inline capacity above."""
    return capacity << 32


INLINE_CAPACITY_MARKERS = {n: inline_marker(n) for n in (2, 3, 4, 6)}
"""Markers seen in programs, by inline capacity."""

SMALL_VECTOR_HEAD_SIZE = 16
_SIZE_WORD = view(
    "size_word", 8, U64, "size and capacity as one word; the inline marker when empty", _CONTAINERS
)
_HEAD_FIELDS = (
    LayoutField("data", 0, pointer(), "first element: the inline buffer or the heap", _CONTAINERS),
    LayoutField("size", 8, U32, "elements", _CONTAINERS),
    LayoutField("capacity", 12, U32, "room; the inline capacity until the vector spills", _CONTAINERS),
    _SIZE_WORD,
)

STRING_REF = Struct(
    "StringRef",
    16,
    (
        LayoutField("data", 0, pointer("char"), "first character, not terminated", _ADT),
        LayoutField("length", 8, U64, "characters", _ADT),
    ),
    "A borrowed string.",
)
SMALL_VECTOR_HEAD = Struct(
    "SmallVectorHead",
    SMALL_VECTOR_HEAD_SIZE,
    _HEAD_FIELDS,
    "The head of a small vector; its inline elements follow.",
    "inline elements at self + 16; data == self + 16 while they are used",
)


def small_vector(element: Form, capacity: int, name: str = "") -> Struct:
    """Return the layout of a small vector of an element type and inline capacity."""
    size = SMALL_VECTOR_HEAD_SIZE + element.size * capacity
    inline = LayoutField(
        "inline", SMALL_VECTOR_HEAD_SIZE, ArrayLayout(element, capacity), "inline elements", _CONTAINERS
    )
    return Struct(
        name or f"SmallVector<{element.spelling}, {capacity}>",
        -(-size // POINTER_SIZE) * POINTER_SIZE,
        (*_HEAD_FIELDS, *((inline,) if capacity else ())),
        f"A small vector with room for {capacity} elements inside.",
    )


THREE_POINTER_VECTOR = Struct(
    "ThreePointerVector",
    24,
    (
        LayoutField("begin", 0, pointer(), "first element", "Common Compiler Patterns"),
        LayoutField("end", 8, pointer(), "after the last element", "Common Compiler Patterns"),
        LayoutField("capacity_end", 16, pointer(), "after the room", "Common Compiler Patterns"),
    ),
    "std::vector.",
)
STD_STRING = Struct(
    "StdString",
    32,
    (
        LayoutField("data", 0, pointer("char"), "characters; self + 16 when at most 15", "AsyncValue"),
        LayoutField("length", 8, U64, "characters, terminator not counted", "AsyncValue"),
        LayoutField("local", 16, RawBytes(16), "inline characters", "AsyncValue"),
        view("capacity", 16, U64, "room of a string on the heap", "AsyncValue"),
    ),
    "std::string of libstdc++.",
    notes=("One description gives 24 bytes; the field list of the async value needs 32.",),
)
STD_FUNCTION = Struct(
    "StdFunction",
    32,
    (
        LayoutField("functor", 0, RawBytes(16), "the captured state, or a pointer to it", "libstdc++"),
        LayoutField(
            "manager", 16, pointer("code"), "copies and destroys the state; null when empty", "libstdc++"
        ),
        LayoutField("invoker", 24, pointer("code"), "calls it", "libstdc++"),
    ),
    "std::function of libstdc++.",
)
DENSE_MAP = Struct(
    "DenseMap",
    24,
    (
        LayoutField("buckets", 0, pointer("bucket"), "slots", "AsyncValue"),
        LayoutField("live", 8, U32, "entries", "AsyncValue"),
        LayoutField("tombstones", 12, U32, "removed entries", "AsyncValue"),
        LayoutField("bucket_count", 16, U32, "slots, a power of two", "AsyncValue"),
    ),
    "The head of a DenseMap or DenseSet; reserved keys mark empty and removed slots.",
    "bucket_count buckets of 16, 40, 48, 72, 80 or 208 bytes behind `buckets`",
)
POINTER_BUCKET = Struct(
    "PointerBucket",
    16,
    (
        LayoutField("key", 0, pointer(), "an address, -4096 (empty) or -8192 (removed)", _CONTAINERS),
        LayoutField("value", 8, U64, "the value; a 32-bit value leaves the upper half alone", _CONTAINERS),
    ),
    "A slot of a table from pointers to pointers or small integers.",
    notes=("Two pages swap the two reserved keys; all others, and LLVM, agree on this reading.",),
)
SCHEDULER_TABLE = Struct(
    "SchedulerTable",
    16,
    (
        LayoutField("slots", 0, pointer("SchedulerBucket"), "slots", "Modulo Driver"),
        LayoutField("size", 8, U32, "entries", "Modulo Driver"),
        LayoutField("capacity", 12, U32, "slots", "Modulo Driver"),
    ),
    "The head of the scheduler's local table.",
)
DEAD_IN_RETRY = 0x7FFFFFFF
"""Mark of a scheduler bucket that a retry skips."""
SCHEDULER_BUCKET = Struct(
    "SchedulerBucket",
    16,
    (
        LayoutField("key", 0, U64, "the operation, -4096 or -8192", "Modulo Driver"),
        LayoutField("mark", 8, I32, "mark or depth; 0x7FFFFFFF is dead", "Modulo Driver"),
        LayoutField("extra", 12, U32, "second word", "Modulo Driver"),
    ),
    "A slot of the scheduler's local table.",
)
SWISS_GROUP = Struct(
    "SwissControlGroup",
    16,
    (
        LayoutField(
            "control",
            0,
            ArrayLayout(U8, 16),
            "0..0x7F low hash bits of a live slot, 0x80 empty, 0xFE deleted, 0xFF end",
            _CONTAINERS,
        ),
    ),
    "The control bytes of one group of a Swiss table.",
)
UNION_FIND_BUCKET = Struct(
    "UnionFindBucket",
    72,
    (
        LayoutField("key", 0, U64, "an operation, -4096 or -8192", "Schedule Solve"),
        LayoutField(
            "members",
            8,
            Embedded(small_vector(pointer("Operation"), 3)),
            "operations of the set",
            "Schedule Solve",
        ),
    ),
    "A slot of the scheduler's union-find table.",
    notes=(
        "The notes list {list, capacity, size, three inline operations} and a stride of 72: 24 bytes are not explained.",
    ),
)
CONSTRAINT_SLOT = Struct(
    "ConstraintSlot",
    28,
    tuple(
        LayoutField(name, 4 * at, U32, meaning, "Schedule Constraint Attributes")
        for at, (name, meaning) in enumerate(
            (
                ("group", "group id"),
                ("leader", "group id of the leader"),
                ("max_depth", "greatest depth"),
                ("flags", "flags"),
                ("atom_size", "operations that stay together"),
                ("slices", "slices"),
                ("recomputations", "recomputations"),
            )
        )
    ),
    "A record of the scheduler's constraints.",
)

MAP_HEAD = Struct(
    "InterfaceMap",
    16,
    (
        LayoutField("entries", 0, pointer("InterfaceEntry"), "entries, ascending by id", "Interface Vtables"),
        LayoutField("size", 8, U32, "entries", "Interface Vtables"),
        LayoutField("capacity", 12, U32, "room", "Interface Vtables"),
    ),
    "The interfaces of an operation, type, attribute or dialect: found by binary search over addresses.",
)
UPSTREAM_MAP = Struct(
    "InterfaceMap",
    64,
    (*small_vector(ArrayLayout(U64, 2), 3).fields,),
    "SmallVector of (id, concept) pairs with room for three.",
)
MAP_ENTRY = Struct(
    "InterfaceEntry",
    16,
    (
        LayoutField("id", 0, pointer("TypeID"), "the interface", "Interface Vtables"),
        LayoutField(
            "concept", 8, pointer("Concept"), "table of methods, destructor in slot 0", "Interface Vtables"
        ),
    ),
    "One interface.",
)

LAYOUTS: tuple[AbiLayout, ...] = (
    both("string_ref", FAMILY, STRING_REF),
    both("small_vector", FAMILY, SMALL_VECTOR_HEAD),
    both("vector", FAMILY, THREE_POINTER_VECTOR),
    both("std_string", FAMILY, STD_STRING),
    both("std_function", FAMILY, STD_FUNCTION),
    both("dense_map", FAMILY, DENSE_MAP),
    both("pointer_bucket", FAMILY, POINTER_BUCKET),
    AbiLayout("scheduler_table", FAMILY, {Profile.TILEIRAS: SCHEDULER_TABLE}),
    AbiLayout("scheduler_bucket", FAMILY, {Profile.TILEIRAS: SCHEDULER_BUCKET}),
    AbiLayout("swiss_group", FAMILY, {Profile.TILEIRAS: SWISS_GROUP}),
    AbiLayout("union_find_bucket", FAMILY, {Profile.TILEIRAS: UNION_FIND_BUCKET}),
    AbiLayout("constraint_slot", FAMILY, {Profile.TILEIRAS: CONSTRAINT_SLOT}),
    AbiLayout("interface_map", FAMILY, {Profile.TILEIRAS: MAP_HEAD, Profile.UPSTREAM: UPSTREAM_MAP}),
    both("interface_entry", FAMILY, MAP_ENTRY),
)
