"""The tables of the storage uniquer."""

from __future__ import annotations

from tilewright.abi import layout

FAMILY = "uniquer"
_SOURCE = "Storage Uniquer and Context Impl"

LEVEL_ONE_SLOT = layout.Struct(
    "LevelOneSlot",
    16,
    (
        layout.LayoutField(
            "type_id",
            0x00,
            layout.U64,
            "address of the class's id, -4096 (empty) or -8192 (removed)",
            _SOURCE,
        ),
        layout.LayoutField(
            "allocator", 0x08, layout.pointer("StorageAllocator"), "table of the class; written once", _SOURCE
        ),
    ),
    "A slot of the first level: class to table. Hash: (p >> 9) ^ (p >> 4).",
)
STORAGE_ALLOCATOR = layout.Struct(
    "StorageAllocator",
    88,
    (
        layout.LayoutField("buckets", 0x00, layout.pointer("LevelTwoSlot"), "slots", _SOURCE),
        layout.LayoutField("freelist", 0x08, layout.pointer(), "zeroed when the table grows", _SOURCE),
        layout.LayoutField("live", 0x10, layout.U32, "entries", _SOURCE),
        layout.LayoutField("tombstones", 0x14, layout.U32, "removed entries", _SOURCE),
        layout.LayoutField("bucket_count", 0x18, layout.U32, "slots, a power of two, at least 64", _SOURCE),
        layout.LayoutField("resize_threshold", 0x1C, layout.U32, "entries that make it grow", _SOURCE),
        layout.LayoutField("lock", 0x20, layout.RawBytes(56), "pthread_rwlock_t", _SOURCE),
    ),
    "The second level: all instances of one class.",
)
LEVEL_TWO_SLOT = layout.Struct(
    "LevelTwoSlot",
    16,
    (
        layout.LayoutField("hash", 0x00, layout.U32, "hash of the key", _SOURCE),
        layout.LayoutField(
            "storage", 0x08, layout.U64, "the instance, -4096 (empty) or -8192 (removed)", _SOURCE
        ),
    ),
    "A slot of the second level. The reserved values stand in the second word.",
)
BASE_STORAGE = layout.Struct(
    "BaseStorage",
    32,
    (
        layout.LayoutField("vtable", 0x00, layout.pointer("code *"), "table", _SOURCE),
        layout.LayoutField("strong", 0x08, layout.I32, "1 when made", _SOURCE),
        layout.LayoutField("weak", 0x0C, layout.I32, "1 when made", _SOURCE),
        layout.LayoutField(
            "payload",
            0x10,
            layout.pointer(),
            "stored value; images put a StringRef with the text form here",
            _SOURCE,
        ),
        layout.LayoutField("flags", 0x18, layout.U8, "bit 0: owned by the uniquer", _SOURCE),
    ),
    "An instance.",
)
CONTEXT = layout.Struct(
    "MLIRContextImpl",
    0x2B8,
    (
        layout.LayoutField("vtable", 0x000, layout.pointer("code *"), "table", _SOURCE),
        layout.LayoutField("context_id", 0x010, layout.U64, "serial number, atomic", _SOURCE),
        layout.LayoutField("dialects", 0x040, layout.pointer(), "registered dialects", _SOURCE),
        layout.LayoutField("operations", 0x080, layout.pointer(), "registered operations", _SOURCE),
        layout.LayoutField("attributes", 0x110, layout.pointer(), "registered attributes", _SOURCE),
        layout.LayoutField("types", 0x180, layout.pointer(), "registered types", _SOURCE),
        layout.LayoutField(
            "type_buckets", 0x1B0, layout.pointer("LevelOneSlot"), "first level of types", _SOURCE
        ),
        layout.LayoutField("type_bucket_count", 0x1C0, layout.U32, "its slots", _SOURCE),
        layout.LayoutField(
            "attribute_buckets", 0x260, layout.pointer("LevelOneSlot"), "first level of attributes", _SOURCE
        ),
        layout.LayoutField("attribute_bucket_count", 0x270, layout.U32, "its slots", _SOURCE),
        layout.LayoutField("allocator_mutex", 0x278, layout.RawBytes(40), "pthread_mutex_t", _SOURCE),
        layout.LayoutField("affine_uniquer", 0x2B0, layout.pointer(), "state for affine maps", _SOURCE),
    ),
    "The inside of a context.",
    notes=(
        "The stated size of 0x240 bytes is smaller than the offsets; the size here ends at the last "
        "known field.",
    ),
)
LAYOUTS: tuple[layout.AbiLayout, ...] = tuple(
    layout.AbiLayout(name, FAMILY, {layout.Profile.TILEIRAS: struct})
    for name, struct in (
        ("level_one_slot", LEVEL_ONE_SLOT),
        ("storage_allocator", STORAGE_ALLOCATOR),
        ("level_two_slot", LEVEL_TWO_SLOT),
        ("base_storage", BASE_STORAGE),
        ("context", CONTEXT),
    )
)
