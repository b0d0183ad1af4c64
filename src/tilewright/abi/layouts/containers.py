"""Strings, vectors and tables as C++ libraries lay them out."""

from __future__ import annotations

from tilewright.abi import layout

FAMILY = "containers"
_CONTAINERS = "Container Fingerprints"
_ADT = "LLVM 22: ADT"


def inline_marker(capacity: int) -> int:
    """Return the 64-bit word of an empty small vector: the size 0 in the lower half, and the inline capacity
    in the upper half.
    """
    return capacity << 32


INLINE_CAPACITY_MARKERS = {n: inline_marker(n) for n in (2, 3, 4, 6)}
"""The words of empty small vectors seen in programs, by inline capacity."""

SMALL_VECTOR_HEAD_SIZE = 16
_SIZE_WORD = layout.view(
    "size_word", 8, layout.U64, "size and capacity as one word; the inline marker when empty", _CONTAINERS
)
_HEAD_FIELDS = (
    layout.LayoutField(
        "data", 0, layout.pointer(), "first element: the inline buffer or the heap", _CONTAINERS
    ),
    layout.LayoutField("size", 8, layout.U32, "elements", _CONTAINERS),
    layout.LayoutField(
        "capacity", 12, layout.U32, "room; the inline capacity until the vector spills", _CONTAINERS
    ),
    _SIZE_WORD,
)

STRING_REF = layout.Struct(
    "StringRef",
    16,
    (
        layout.LayoutField("data", 0, layout.pointer("char"), "first character, not terminated", _ADT),
        layout.LayoutField("length", 8, layout.U64, "characters", _ADT),
    ),
    "A borrowed string.",
)
SMALL_VECTOR_HEAD = layout.Struct(
    "SmallVectorHead",
    SMALL_VECTOR_HEAD_SIZE,
    _HEAD_FIELDS,
    "The head of a small vector; its inline elements follow.",
    "inline elements at self + 16; data == self + 16 while they are used",
)


def small_vector(element: layout.Form, capacity: int, name: str = "") -> layout.Struct:
    """Return the struct of an LLVM small vector with elements of the form ``element`` and the inline capacity
    ``capacity``. It is called ``name``, by default such as ``SmallVector<u64, 6>``.
    """
    size = SMALL_VECTOR_HEAD_SIZE + element.size * capacity
    inline = layout.LayoutField(
        "inline",
        SMALL_VECTOR_HEAD_SIZE,
        layout.ArrayLayout(element, capacity),
        "inline elements",
        _CONTAINERS,
    )
    return layout.Struct(
        name or f"SmallVector<{element.spelling}, {capacity}>",
        -(-size // layout.POINTER_SIZE) * layout.POINTER_SIZE,
        (*_HEAD_FIELDS, *((inline,) if capacity else ())),
        f"A small vector with room for {capacity} elements inside.",
    )


THREE_POINTER_VECTOR = layout.Struct(
    "ThreePointerVector",
    24,
    (
        layout.LayoutField("begin", 0, layout.pointer(), "first element", "Common Compiler Patterns"),
        layout.LayoutField("end", 8, layout.pointer(), "after the last element", "Common Compiler Patterns"),
        layout.LayoutField(
            "capacity_end", 16, layout.pointer(), "after the room", "Common Compiler Patterns"
        ),
    ),
    "std::vector.",
)
STD_STRING = layout.Struct(
    "StdString",
    32,
    (
        layout.LayoutField(
            "data", 0, layout.pointer("char"), "characters; self + 16 when at most 15", "AsyncValue"
        ),
        layout.LayoutField("length", 8, layout.U64, "characters, terminator not counted", "AsyncValue"),
        layout.LayoutField("local", 16, layout.RawBytes(16), "inline characters", "AsyncValue"),
        layout.view("capacity", 16, layout.U64, "room of a string on the heap", "AsyncValue"),
    ),
    "std::string of libstdc++.",
    notes=("One description gives 24 bytes; the field list of the async value needs 32.",),
)
STD_FUNCTION = layout.Struct(
    "StdFunction",
    32,
    (
        layout.LayoutField(
            "functor", 0, layout.RawBytes(16), "the captured state, or a pointer to it", "libstdc++"
        ),
        layout.LayoutField(
            "manager",
            16,
            layout.pointer("code"),
            "copies and destroys the state; null when empty",
            "libstdc++",
        ),
        layout.LayoutField("invoker", 24, layout.pointer("code"), "calls it", "libstdc++"),
    ),
    "std::function of libstdc++.",
)
DENSE_MAP = layout.Struct(
    "DenseMap",
    24,
    (
        layout.LayoutField("buckets", 0, layout.pointer("bucket"), "slots", "AsyncValue"),
        layout.LayoutField("live", 8, layout.U32, "entries", "AsyncValue"),
        layout.LayoutField("tombstones", 12, layout.U32, "removed entries", "AsyncValue"),
        layout.LayoutField("bucket_count", 16, layout.U32, "slots, a power of two", "AsyncValue"),
    ),
    "The head of a DenseMap or DenseSet; reserved keys mark empty and removed slots.",
    "bucket_count buckets of 16, 40, 48, 72, 80 or 208 bytes behind `buckets`",
)
POINTER_BUCKET = layout.Struct(
    "PointerBucket",
    16,
    (
        layout.LayoutField(
            "key", 0, layout.pointer(), "an address, -4096 (empty) or -8192 (removed)", _CONTAINERS
        ),
        layout.LayoutField(
            "value", 8, layout.U64, "the value; a 32-bit value leaves the upper half alone", _CONTAINERS
        ),
    ),
    "A slot of a table from pointers to pointers or small integers.",
    notes=("Two pages swap the two reserved keys; all others, and LLVM, agree on this reading.",),
)
SCHEDULER_TABLE = layout.Struct(
    "SchedulerTable",
    16,
    (
        layout.LayoutField("slots", 0, layout.pointer("SchedulerBucket"), "slots", "Modulo Driver"),
        layout.LayoutField("size", 8, layout.U32, "entries", "Modulo Driver"),
        layout.LayoutField("capacity", 12, layout.U32, "slots", "Modulo Driver"),
    ),
    "The head of the scheduler's local table.",
)
DEAD_IN_RETRY = 0x7FFFFFFF
"""The mark of a scheduler's hash table slot that a retry skips."""
SCHEDULER_BUCKET = layout.Struct(
    "SchedulerBucket",
    16,
    (
        layout.LayoutField("key", 0, layout.U64, "the operation, -4096 or -8192", "Modulo Driver"),
        layout.LayoutField("mark", 8, layout.I32, "mark or depth; 0x7FFFFFFF is dead", "Modulo Driver"),
        layout.LayoutField("extra", 12, layout.U32, "second word", "Modulo Driver"),
    ),
    "A slot of the scheduler's local table.",
)
SWISS_GROUP = layout.Struct(
    "SwissControlGroup",
    16,
    (
        layout.LayoutField(
            "control",
            0,
            layout.ArrayLayout(layout.U8, 16),
            "0..0x7F low hash bits of a live slot, 0x80 empty, 0xFE deleted, 0xFF end",
            _CONTAINERS,
        ),
    ),
    "The control bytes of one group of a Swiss table.",
)
UNION_FIND_BUCKET = layout.Struct(
    "UnionFindBucket",
    72,
    (
        layout.LayoutField("key", 0, layout.U64, "an operation, -4096 or -8192", "Schedule Solve"),
        layout.LayoutField(
            "members",
            8,
            layout.Embedded(small_vector(layout.pointer("Operation"), 3)),
            "operations of the set",
            "Schedule Solve",
        ),
    ),
    "A slot of the scheduler's union-find table.",
    notes=(
        "The notes list {list, capacity, size, three inline operations} and a stride of 72: 24 bytes are not explained.",
    ),
)
CONSTRAINT_SLOT = layout.Struct(
    "ConstraintSlot",
    28,
    tuple(
        layout.LayoutField(name, 4 * at, layout.U32, meaning, "Schedule Constraint Attributes")
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

MAP_HEAD = layout.Struct(
    "InterfaceMap",
    16,
    (
        layout.LayoutField(
            "entries", 0, layout.pointer("InterfaceEntry"), "entries, ascending by id", "Interface Vtables"
        ),
        layout.LayoutField("size", 8, layout.U32, "entries", "Interface Vtables"),
        layout.LayoutField("capacity", 12, layout.U32, "room", "Interface Vtables"),
    ),
    "The interfaces of an operation, type, attribute or dialect: found by binary search over addresses.",
)
UPSTREAM_MAP = layout.Struct(
    "InterfaceMap",
    64,
    (*small_vector(layout.ArrayLayout(layout.U64, 2), 3).fields,),
    "SmallVector of (id, concept) pairs with room for three.",
)
MAP_ENTRY = layout.Struct(
    "InterfaceEntry",
    16,
    (
        layout.LayoutField("id", 0, layout.pointer("TypeID"), "the interface", "Interface Vtables"),
        layout.LayoutField(
            "concept",
            8,
            layout.pointer("Concept"),
            "table of methods, destructor in slot 0",
            "Interface Vtables",
        ),
    ),
    "One interface.",
)

LAYOUTS: tuple[layout.AbiLayout, ...] = (
    layout.both("string_ref", FAMILY, STRING_REF),
    layout.both("small_vector", FAMILY, SMALL_VECTOR_HEAD),
    layout.both("vector", FAMILY, THREE_POINTER_VECTOR),
    layout.both("std_string", FAMILY, STD_STRING),
    layout.both("std_function", FAMILY, STD_FUNCTION),
    layout.both("dense_map", FAMILY, DENSE_MAP),
    layout.both("pointer_bucket", FAMILY, POINTER_BUCKET),
    layout.AbiLayout("scheduler_table", FAMILY, {layout.Profile.TILEIRAS: SCHEDULER_TABLE}),
    layout.AbiLayout("scheduler_bucket", FAMILY, {layout.Profile.TILEIRAS: SCHEDULER_BUCKET}),
    layout.AbiLayout("swiss_group", FAMILY, {layout.Profile.TILEIRAS: SWISS_GROUP}),
    layout.AbiLayout("union_find_bucket", FAMILY, {layout.Profile.TILEIRAS: UNION_FIND_BUCKET}),
    layout.AbiLayout("constraint_slot", FAMILY, {layout.Profile.TILEIRAS: CONSTRAINT_SLOT}),
    layout.AbiLayout(
        "interface_map", FAMILY, {layout.Profile.TILEIRAS: MAP_HEAD, layout.Profile.UPSTREAM: UPSTREAM_MAP}
    ),
    layout.both("interface_entry", FAMILY, MAP_ENTRY),
)
