"""The tables of the storage uniquer."""

from __future__ import annotations

from tilewright.abi.layout import (
    I32,
    U8,
    U32,
    U64,
    AbiLayout,
    LayoutField,
    Profile,
    RawBytes,
    Struct,
    pointer,
)

FAMILY = "uniquer"
_SOURCE = "Storage Uniquer and Context Impl"

LEVEL_ONE_SLOT = Struct(
    "LevelOneSlot",
    16,
    (
        LayoutField(
            "type_id", 0x00, U64, "address of the class's id, -4096 (empty) or -8192 (removed)", _SOURCE
        ),
        LayoutField(
            "allocator", 0x08, pointer("StorageAllocator"), "table of the class; written once", _SOURCE
        ),
    ),
    "A slot of the first level: class to table. Hash: (p >> 9) ^ (p >> 4).",
)
STORAGE_ALLOCATOR = Struct(
    "StorageAllocator",
    88,
    (
        LayoutField("buckets", 0x00, pointer("LevelTwoSlot"), "slots", _SOURCE),
        LayoutField("freelist", 0x08, pointer(), "zeroed when the table grows", _SOURCE),
        LayoutField("live", 0x10, U32, "entries", _SOURCE),
        LayoutField("tombstones", 0x14, U32, "removed entries", _SOURCE),
        LayoutField("bucket_count", 0x18, U32, "slots, a power of two, at least 64", _SOURCE),
        LayoutField("resize_threshold", 0x1C, U32, "entries that make it grow", _SOURCE),
        LayoutField("lock", 0x20, RawBytes(56), "pthread_rwlock_t", _SOURCE),
    ),
    "The second level: all instances of one class.",
)
LEVEL_TWO_SLOT = Struct(
    "LevelTwoSlot",
    16,
    (
        LayoutField("hash", 0x00, U32, "hash of the key", _SOURCE),
        LayoutField("storage", 0x08, U64, "the instance, -4096 (empty) or -8192 (removed)", _SOURCE),
    ),
    "A slot of the second level. The reserved values stand in the second word.",
)
BASE_STORAGE = Struct(
    "BaseStorage",
    32,
    (
        LayoutField("vtable", 0x00, pointer("code *"), "table", _SOURCE),
        LayoutField("strong", 0x08, I32, "1 when made", _SOURCE),
        LayoutField("weak", 0x0C, I32, "1 when made", _SOURCE),
        LayoutField(
            "payload",
            0x10,
            pointer(),
            "stored value; images put a StringRef with the text form here",
            _SOURCE,
        ),
        LayoutField("flags", 0x18, U8, "bit 0: owned by the uniquer", _SOURCE),
    ),
    "An instance.",
)
CONTEXT = Struct(
    "MLIRContextImpl",
    0x2B8,
    (
        LayoutField("vtable", 0x000, pointer("code *"), "table", _SOURCE),
        LayoutField("context_id", 0x010, U64, "serial number, atomic", _SOURCE),
        LayoutField("dialects", 0x040, pointer(), "registered dialects", _SOURCE),
        LayoutField("operations", 0x080, pointer(), "registered operations", _SOURCE),
        LayoutField("attributes", 0x110, pointer(), "registered attributes", _SOURCE),
        LayoutField("types", 0x180, pointer(), "registered types", _SOURCE),
        LayoutField("type_buckets", 0x1B0, pointer("LevelOneSlot"), "first level of types", _SOURCE),
        LayoutField("type_bucket_count", 0x1C0, U32, "its slots", _SOURCE),
        LayoutField(
            "attribute_buckets", 0x260, pointer("LevelOneSlot"), "first level of attributes", _SOURCE
        ),
        LayoutField("attribute_bucket_count", 0x270, U32, "its slots", _SOURCE),
        LayoutField("allocator_mutex", 0x278, RawBytes(40), "pthread_mutex_t", _SOURCE),
        LayoutField("affine_uniquer", 0x2B0, pointer(), "state for affine maps", _SOURCE),
    ),
    "The inside of a context.",
    notes=(
        "The stated size of 0x240 bytes is smaller than the offsets; the size here ends at the last "
        "known field.",
    ),
)
LAYOUTS: tuple[AbiLayout, ...] = tuple(
    AbiLayout(name, FAMILY, {Profile.TILEIRAS: struct})
    for name, struct in (
        ("level_one_slot", LEVEL_ONE_SLOT),
        ("storage_allocator", STORAGE_ALLOCATOR),
        ("level_two_slot", LEVEL_TWO_SLOT),
        ("base_storage", BASE_STORAGE),
        ("context", CONTEXT),
    )
)
