"""The 808-byte value behind every pipe and mutex of the scheduler."""

from __future__ import annotations

from tilewright.abi import layout
from tilewright.abi.layouts.containers import DENSE_MAP, STD_STRING, THREE_POINTER_VECTOR, small_vector

FAMILY = "async values"
_SOURCE = "AsyncValue and BLAKE3 Interning"

_TAG = small_vector(layout.RawBytes(16), 3, "TagVector")
_STAGES = small_vector(layout.U64, 6, "StageVector")
_OPERATIONS = small_vector(layout.pointer("Operation"), 6, "OperationVector")
MUTEX_NAME, PIPE_NAME = "Mutex_", "Pipe_"
MAXIMUM_BARRIERS = 32
"""The number of named barriers of a thread block; a mutex takes one of them."""
SELF_POINTERS = {0: 16, 80: 96, 144: 160, 264: 280, 328: 344, 472: 488, 536: 552}
"""Maps the offsets of pointers that point into the value itself after construction to the offsets that they
point to.
"""


def _optional(name: str, offset: int, meaning: str) -> layout.LayoutField:
    return layout.LayoutField(
        name, offset, layout.U16, f"{meaning}: value in the low byte, 0x100 when there is one", _SOURCE
    )


def _field(name: str, offset: int, form: layout.Form, meaning: str) -> layout.LayoutField:
    return layout.LayoutField(name, offset, form, meaning, _SOURCE)


_VECTORS = (
    "producer_orders",
    "producer_stages",
    "consumer_orders",
    "consumer_stages",
    "producer_pairs_a",
    "consumer_pairs_a",
    "producer_pairs_b",
    "consumer_pairs_b",
)
ASYNC_VALUE = layout.Struct(
    "AsyncValueImpl",
    808,
    (
        _field("name", 0, layout.Embedded(STD_STRING), "`Pipe_` or `Mutex_`; printing adds a number"),
        _field("producer_type", 32, layout.pointer("Operation"), "producer; null for a mutex"),
        _field("consumer_type", 40, layout.pointer("Operation"), "consumer"),
        _field("producer_payload", 48, layout.pointer(), "set when the payload is emitted"),
        _field("consumer_payload", 56, layout.pointer(), "set when the payload is emitted"),
        _field("has_value", 64, layout.U8, "1 once the payload is emitted"),
        _field("region_stage_kind", 72, layout.U32, "kind of stage"),
        _optional("ok_flag", 76, "result of the comparison of (stage, order)"),
        _optional("payload_flag", 78, "no producer range"),
        _field("tag1", 80, layout.Embedded(_TAG), "first tags"),
        _field("tag2", 144, layout.Embedded(_TAG), "second tags"),
        _field("kind", 208, layout.U8, "0 pipe of a scalar, 1 pipe of a tile, or mutex"),
        _field("chain_map_a", 216, layout.Embedded(DENSE_MAP), "operation to chain, slots of 48 bytes"),
        _field("chain_map_b", 240, layout.Embedded(DENSE_MAP), "the same for consumers"),
        _field("stage_vector_a", 264, layout.Embedded(_STAGES), "stages of producers"),
        _field("stage_vector_b", 328, layout.Embedded(_STAGES), "stages of consumers"),
        _field("index_map_0", 392, layout.Embedded(DENSE_MAP), "operation to number, slots of 16 bytes"),
        _field("index_map_1", 416, layout.Embedded(DENSE_MAP), "the same for consumers"),
        _field("status_bits_0", 440, layout.U32, "gathered while the payload is emitted; elsewhere: stage"),
        _field("status_bits_1", 444, layout.U32, "the same for consumers; elsewhere: order"),
        _field("schedule_mirror", 448, layout.pointer(), "data of the map from operations to stages"),
        _field("reserved", 456, layout.U64, "not described"),
        _field("schedule_capacity", 464, layout.U32, "its slots"),
        _field("producer_ops", 472, layout.Embedded(_OPERATIONS), "producers"),
        _field("consumer_ops", 536, layout.Embedded(_OPERATIONS), "consumers"),
        *(
            _field(name, 600 + 24 * at, layout.Embedded(THREE_POINTER_VECTOR), name.replace("_", " "))
            for at, name in enumerate(_VECTORS)
        ),
        _field("status_word", 792, layout.RawBytes(16), "optional register slot"),
    ),
    "A pipe or mutex; its address must not change, because it points into itself and tables hold it.",
    notes=(
        "Pairs are (stage << 32 | order).",
        "Readers use the absolute offsets 64, 72, 76, 78, 208, 440 and 444.",
        "Key of the interning table: the first 8 bytes of BLAKE3 over parent (8 bytes), i (4), j (4), little-endian.",
    ),
)
SCHEDULE = layout.Struct(
    "Schedule",
    64,
    (
        layout.LayoutField("owner", 0, layout.pointer("Operation"), "the loop", "Pipe_ and Mutex_"),
        layout.LayoutField("stages", 8, layout.Embedded(DENSE_MAP), "operation to stage", "Pipe_ and Mutex_"),
        layout.LayoutField(
            "orders", 32, layout.Embedded(DENSE_MAP), "operation to order", "Pipe_ and Mutex_"
        ),
        layout.LayoutField("valid", 56, layout.U8, "1 when it holds", "Pipe_ and Mutex_"),
    ),
    "A schedule in memory.",
    notes=("Stated as 60 bytes; the alignment of its pointers makes it 64.",),
)
LAYOUTS: tuple[layout.AbiLayout, ...] = (
    layout.AbiLayout("async_value", FAMILY, {layout.Profile.TILEIRAS: ASYNC_VALUE}),
    layout.both("schedule", FAMILY, SCHEDULE),
)


def constructed(address: int, name: str, kind: int, stage_kind: int) -> bytes:
    """Return the bytes of an `ASYNC_VALUE` just after its construction at ``address``. ``name`` is ASCII of
    at most 15 characters; ``kind`` and ``stage_kind`` are its fields `kind` and `region_stage_kind`.
    """
    text = name.encode("ascii")
    vectors = {
        "tag1": (96, 3),
        "tag2": (160, 3),
        "stage_vector_a": (280, 6),
        "stage_vector_b": (344, 6),
        "producer_ops": (488, 6),
        "consumer_ops": (552, 6),
    }
    return ASYNC_VALUE.encode(
        {field: {"data": address + inline, "capacity": room} for field, (inline, room) in vectors.items()},
        name={"data": address + 16, "length": len(text), "local": text.ljust(16, b"\0")},
        kind=kind,
        region_stage_kind=stage_kind,
    )
