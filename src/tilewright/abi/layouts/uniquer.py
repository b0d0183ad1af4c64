"""The tables of the storage uniquer."""

from __future__ import annotations

from tilewright.abi.layout import I32, U8, U32, U64, Bytes, Field, Layout, Profile, Struct, pointer

FAMILY = "uniquer"
_SOURCE = "Storage Uniquer and Context Impl"

LEVEL_ONE_SLOT = Struct(
    "LevelOneSlot",
    16,
    (
        Field("type_id", 0x00, U64, "address of the class's id, -4096 (empty) or -8192 (removed)", _SOURCE),
        Field("allocator", 0x08, pointer("StorageAllocator"), "table of the class; written once", _SOURCE),
    ),
    "A slot of the first level: class to table. Hash: (p >> 9) ^ (p >> 4).",
)
STORAGE_ALLOCATOR = Struct(
    "StorageAllocator",
    88,
    (
        Field("buckets", 0x00, pointer("LevelTwoSlot"), "slots", _SOURCE),
        Field("freelist", 0x08, pointer(), "zeroed when the table grows", _SOURCE),
        Field("live", 0x10, U32, "entries", _SOURCE),
        Field("tombstones", 0x14, U32, "removed entries", _SOURCE),
        Field("bucket_count", 0x18, U32, "slots, a power of two, at least 64", _SOURCE),
        Field("resize_threshold", 0x1C, U32, "entries that make it grow", _SOURCE),
        Field("lock", 0x20, Bytes(56), "pthread_rwlock_t", _SOURCE),
    ),
    "The second level: all instances of one class.",
)
LEVEL_TWO_SLOT = Struct(
    "LevelTwoSlot",
    16,
    (
        Field("hash", 0x00, U32, "hash of the key", _SOURCE),
        Field("storage", 0x08, U64, "the instance, -4096 (empty) or -8192 (removed)", _SOURCE),
    ),
    "A slot of the second level. The reserved values stand in the second word.",
)
BASE_STORAGE = Struct(
    "BaseStorage",
    32,
    (
        Field("vtable", 0x00, pointer("code *"), "table", _SOURCE),
        Field("strong", 0x08, I32, "1 when made", _SOURCE),
        Field("weak", 0x0C, I32, "1 when made", _SOURCE),
        Field(
            "payload",
            0x10,
            pointer(),
            "stored value; images put a StringRef with the text form here",
            _SOURCE,
        ),
        Field("flags", 0x18, U8, "bit 0: owned by the uniquer", _SOURCE),
    ),
    "An instance.",
)
CONTEXT = Struct(
    "MLIRContextImpl",
    0x2B8,
    (
        Field("vtable", 0x000, pointer("code *"), "table", _SOURCE),
        Field("context_id", 0x010, U64, "serial number, atomic", _SOURCE),
        Field("dialects", 0x040, pointer(), "registered dialects", _SOURCE),
        Field("operations", 0x080, pointer(), "registered operations", _SOURCE),
        Field("attributes", 0x110, pointer(), "registered attributes", _SOURCE),
        Field("types", 0x180, pointer(), "registered types", _SOURCE),
        Field("type_buckets", 0x1B0, pointer("LevelOneSlot"), "first level of types", _SOURCE),
        Field("type_bucket_count", 0x1C0, U32, "its slots", _SOURCE),
        Field("attribute_buckets", 0x260, pointer("LevelOneSlot"), "first level of attributes", _SOURCE),
        Field("attribute_bucket_count", 0x270, U32, "its slots", _SOURCE),
        Field("allocator_mutex", 0x278, Bytes(40), "pthread_mutex_t", _SOURCE),
        Field("affine_uniquer", 0x2B0, pointer(), "state for affine maps", _SOURCE),
    ),
    "The inside of a context.",
    notes=(
        "The stated size of 0x240 bytes is smaller than the offsets; the size here ends at the last "
        "known field.",
    ),
)
LAYOUTS: tuple[Layout, ...] = tuple(
    Layout(name, FAMILY, {Profile.TILEIRAS: struct})
    for name, struct in (
        ("level_one_slot", LEVEL_ONE_SLOT),
        ("storage_allocator", STORAGE_ALLOCATOR),
        ("level_two_slot", LEVEL_TWO_SLOT),
        ("base_storage", BASE_STORAGE),
        ("context", CONTEXT),
    )
)
