"""Offsets and sizes that the notes on tileiras 13.1 state, asserted number by number."""

from __future__ import annotations

import pytest

from tilewright.abi.catalogue import struct
from tilewright.abi.hash_tables import EMPTY, TOMBSTONE
from tilewright.abi.layout import U64, LayoutError, Profile
from tilewright.abi.layouts import async_value, descriptors, operation, patterns
from tilewright.abi.layouts.containers import inline_marker, small_vector
from tilewright.abi.table_shapes import (
    ARITH_CLUSTER_FIRST,
    ARITH_CLUSTER_LAST,
    ARITH_CLUSTER_TABLES,
    CONVERSION_PATTERN_TABLE,
    PASS_CONCEPT_TABLE,
    REWRITE_PATTERN_TABLE,
    TABLE_SHAPES,
    UPSTREAM_CONVERSION_PATTERN_TABLE,
    UPSTREAM_PASS_CONCEPT_TABLE,
    WALK_VISITOR_TABLE,
    table_shape,
)

SIZES = {
    "operation": 0x48,
    "op_operand": 32,
    "region": 24,
    "block_operand": 24,
    "block": 96,
    "walk_frame": 40,
    "operation_name": 0x70,
    "pattern_a": 0x60,
    "pattern_b": 0x68,
    "pattern_c": 0x70,
    "pattern_d": 0x78,
    "storage_allocator": 88,
    "level_one_slot": 16,
    "level_two_slot": 16,
    "base_storage": 32,
    "async_value": 808,
    "diagnostic": 208,
    "diagnostic_note": 192,
    "diagnostic_argument": 24,
    "std_string": 32,
    "string_ref": 16,
    "dense_map": 24,
    "interface_map": 16,
    "interface_entry": 16,
    "pointer_bucket": 16,
    "constraint_slot": 28,
    "union_find_bucket": 72,
    "unranked_memref": 16,
    "tiled_view": 32,
    "pipeline_token": 4,
}
OFFSETS: dict[str, dict[str, int]] = {
    "operation": {
        "block": 0x00,
        "regions_inline": 0x08,
        "parent": 0x10,
        "first_use": 0x18,
        "operand_storage": 0x20,
        "num_operands": 0x28,
        "num_results": 0x2C,
        "trailing_result_byte": 0x2E,
        "inline_results_byte": 0x2F,
        "location": 0x38,
        "name": 0x40,
    },
    "op_operand": {"value": 0, "next": 8, "previous": 0x10, "owner": 0x18},
    "walk_frame": {
        "op": 0,
        "visitor": 8,
        "region_cursor": 0x10,
        "block_cursor": 0x18,
        "phase": 0x20,
        "flags": 0x24,
    },
    "operation_name": {
        "vtable": 0,
        "mnemonic": 0x08,
        "inliner": 0x18,
        "opasm": 0x20,
        "fold": 0x28,
        "typeinfer": 0x30,
        "bytecode": 0x38,
        "memeffects": 0x40,
        "destinationstyle": 0x48,
        "alias": 0x50,
        "extra": 0x58,
        "canonicalize": 0x60,
        "alias_token": 0x68,
    },
    "pattern_b": {
        "vtable": 0,
        "op_name": 8,
        "benefit": 0x18,
        "kind": 0x1A,
        "context": 0x20,
        "type_name": 0x28,
        "type_name_length": 0x30,
        "generated_ops": 0x38,
        "generated_ops_word": 0x40,
        "context_again": 0x60,
    },
    "pattern_c": {"type_converter": 0x60},
    "pattern_d": {"closure": 0x60},
    "storage_allocator": {
        "buckets": 0,
        "freelist": 8,
        "live": 0x10,
        "tombstones": 0x14,
        "bucket_count": 0x18,
        "resize_threshold": 0x1C,
        "lock": 0x20,
    },
    "base_storage": {"vtable": 0, "strong": 8, "weak": 0xC, "payload": 0x10, "flags": 0x18},
    "level_two_slot": {"hash": 0, "storage": 8},
    "context": {
        "context_id": 0x10,
        "dialects": 0x40,
        "operations": 0x80,
        "attributes": 0x110,
        "types": 0x180,
        "type_buckets": 0x1B0,
        "type_bucket_count": 0x1C0,
        "attribute_buckets": 0x260,
        "attribute_bucket_count": 0x270,
        "allocator_mutex": 632,
        "affine_uniquer": 688,
    },
    "async_value": {
        "producer_type": 0x20,
        "consumer_type": 0x28,
        "producer_payload": 0x30,
        "consumer_payload": 0x38,
        "has_value": 64,
        "region_stage_kind": 72,
        "ok_flag": 76,
        "payload_flag": 78,
        "tag1": 0x50,
        "tag2": 0x90,
        "kind": 208,
        "chain_map_a": 0xD8,
        "chain_map_b": 0xF0,
        "stage_vector_a": 0x108,
        "stage_vector_b": 0x148,
        "index_map_0": 0x188,
        "index_map_1": 0x1A0,
        "status_bits_0": 440,
        "status_bits_1": 444,
        "schedule_mirror": 0x1C0,
        "reserved": 0x1C8,
        "schedule_capacity": 0x1D0,
        "producer_ops": 0x1D8,
        "consumer_ops": 0x218,
        "producer_orders": 600,
        "producer_stages": 624,
        "consumer_orders": 648,
        "consumer_stages": 672,
        "producer_pairs_a": 696,
        "consumer_pairs_a": 720,
        "producer_pairs_b": 744,
        "consumer_pairs_b": 768,
        "status_word": 792,
    },
    "diagnostic": {
        "location": 0,
        "severity_word": 0x10,
        "arguments": 0x18,
        "arguments_size": 0x20,
        "arguments_capacity": 0x24,
        "inline_arguments": 0x28,
        "owned_strings": 0x88,
        "notes": 0xA0,
        "sink": 0xB8,
        "alive": 0xC8,
    },
    "diagnostic_argument": {"kind": 0, "value": 8, "aux": 16},
    "tiled_view": {"base": 0, "swizzle_encoding": 8, "tile_dim0": 12, "tile_dims1_to_3": 16},
}
UPSTREAM_SIZES = {
    "operation": 0x40,
    "op_operand": 32,
    "block_operand": 32,
    "region": 24,
    "operation_name": 0x70,
    "pattern_a": 0x60,
    "pattern_b": 0x68,
    "diagnostic": 208,
    "diagnostic_note": 192,
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    assert struct(name, Profile.TILEIRAS).size == SIZES[name]


@pytest.mark.parametrize("name", UPSTREAM_SIZES)
def test_upstream_sizes(name: str) -> None:
    assert struct(name, Profile.UPSTREAM).size == UPSTREAM_SIZES[name]


@pytest.mark.parametrize("name", OFFSETS)
def test_offsets(name: str) -> None:
    held = struct(name, Profile.TILEIRAS)
    assert {field: held.offset(field) for field in OFFSETS[name]} == OFFSETS[name]


class TestOperation:
    def test_masks(self) -> None:
        operands = operation.OPERATION["num_operands"].bits
        results = operation.OPERATION["num_results"].bits
        assert operands is not None
        assert results is not None
        assert operands.mask == operation.OPERAND_COUNT_MASK == 0x7FFFFFF
        assert results.mask == operation.RESULT_COUNT_MASK == 0x7FFFFF

    def test_the_trailing_flag_is_bit_7_of_the_byte_at_0x2e(self) -> None:
        header = operation.OPERATION.encode(trailing_result_flag=1, num_inline_results=3, num_results=5)
        assert header[0x2E] >> 7 == 1
        assert header[0x2F] == 3
        assert operation.OPERATION.decode(header)["flags"] == 3 << 1 | 1

    @pytest.mark.parametrize(
        ("flag", "cells", "operands", "expected"),
        [(0, 0, 0, 0x40), (0, 1, 0, 0x48), (1, 0, 0, 0x50), (1, 2, 3, 0x60 + 96), (0, 0, 1 << 27, 0x40)],
    )
    def test_the_decoder(self, flag: int, cells: int, operands: int, expected: int) -> None:
        op = 0x10000
        assert operation.trailing_storage(op, flag, cells, operands) == op + expected
        word = 1 | flag << 23 | cells << 24
        assert operation.decoder(op, operands, word) == op + expected

    def test_the_decoder_answers_zero_without_results(self) -> None:
        assert operation.decoder(0x10000, 3, 0xFF800000) == 0

    def test_the_base_is_rounded_up(self) -> None:
        assert operation.trailing_storage(0x10001, 0, 0, 0) == 0x10048

    def test_upstream_reads_the_first_region_with_the_same_arithmetic(self) -> None:
        for flag, properties, successors in ((0, 0, 0), (1, 2, 0), (1, 0, 3), (0, 5, 1)):
            expected = operation.upstream_trailing(flag, properties, successors, 1, 0).regions
            assert operation.trailing_storage(0x1000, flag, properties, successors) == 0x1000 + expected

    @pytest.mark.parametrize("results", [0, 1, 6, 255, 256, 1000])
    def test_images_keep_the_header_clear_of_its_trailing_storage(self, results: int) -> None:
        trailing = operation.trailing_of_image(results, 2, 1, 1)
        assert trailing.operands >= operation.OPERATION.size
        if results:
            assert operation.FIRST_CELL + 8 * operation.result_words(results) <= trailing.operands
        assert trailing.regions == trailing.operands + 64
        assert trailing.successors == trailing.regions + 24
        assert trailing.end == trailing.successors + 24 + 8

    def test_results_before_an_upstream_operation(self) -> None:
        offsets = [operation.upstream_result_offset(index) for index in range(8)]
        assert offsets == [16, 32, 48, 64, 80, 96, 120, 144]


class TestTables:
    def test_strides(self) -> None:
        assert CONVERSION_PATTERN_TABLE.stride == 0x50
        assert REWRITE_PATTERN_TABLE.stride == 0x38
        assert PASS_CONCEPT_TABLE.stride == UPSTREAM_PASS_CONCEPT_TABLE.stride == 0x40
        assert REWRITE_PATTERN_TABLE.stride == 0x59B4538 - 0x59B4500

    def test_the_cluster_of_43(self) -> None:
        span = ARITH_CLUSTER_LAST - ARITH_CLUSTER_FIRST
        assert span == (ARITH_CLUSTER_TABLES - 1) * CONVERSION_PATTERN_TABLE.stride

    @pytest.mark.parametrize(
        ("slot", "name"),
        list(
            enumerate(
                (
                    "type_info_helper",
                    "deleting_destructor",
                    "destructor",
                    "empty_trait",
                    "get_debug_name",
                    "match",
                    "match_and_rewrite",
                    "get_dependent_operation_names",
                )
            )
        ),
    )
    def test_slots_of_conversion_patterns(self, slot: int, name: str) -> None:
        assert CONVERSION_PATTERN_TABLE.slot(name) == slot
        assert CONVERSION_PATTERN_TABLE.offset(name) == 8 * slot

    def test_slots_of_the_others(self) -> None:
        assert REWRITE_PATTERN_TABLE.slot("match_and_rewrite") == 3
        assert REWRITE_PATTERN_TABLE.slot("get_debug_name") == 4
        assert [PASS_CONCEPT_TABLE.slot(n) for n in ("run", "name", "is_required", "tail_destructor")] == [
            4,
            5,
            6,
            7,
        ]
        assert PASS_CONCEPT_TABLE.offset("run") == 16  # from the address that objects hold
        assert WALK_VISITOR_TABLE.slots == ("enter", "leave", "per_op")
        assert CONVERSION_PATTERN_TABLE.invariant == UPSTREAM_CONVERSION_PATTERN_TABLE.invariant == (2, 3)

    @pytest.mark.parametrize("shape", TABLE_SHAPES, ids=lambda shape: f"{shape.name}-{shape.profile}")
    def test_tables_round_trip(self, shape: object) -> None:
        from tilewright.abi.table_shapes import TableShape

        assert isinstance(shape, TableShape)
        slots = [0x1000 + 16 * at for at in range(len(shape.slots))]
        data = shape.encode(slots)
        assert list(shape.decode(data).values()) == slots
        assert data[: 8 * shape.prefix_words] == bytes(8 * shape.prefix_words)
        assert table_shape(shape.name, shape.profile) is shape
        for wrong in (slots[1:], [*slots, 0]):
            with pytest.raises(LayoutError):
                shape.encode(wrong)
        with pytest.raises(LayoutError):
            shape.decode(data + b"\0")

    def test_unknown_tables(self) -> None:
        with pytest.raises(LayoutError, match="no table 'pass'"):
            table_shape("pass", Profile.TILEIRAS)
        with pytest.raises(LayoutError, match="has no slot 'x'"):
            REWRITE_PATTERN_TABLE.slot("x")


class TestContainers:
    def test_markers(self) -> None:
        assert [inline_marker(n) for n in (3, 4, 6)] == [0x300000000, 0x400000000, 0x600000000]
        empty = small_vector(U64, 4)
        assert empty.decode(empty.encode(capacity=4))["size_word"] == 0x400000000
        assert (empty.size, empty.offset("inline")) == (48, 16)
        assert patterns.GENERATED_OPS_MARKER == 0x400000000

    def test_sentinels(self) -> None:
        assert (EMPTY, TOMBSTONE) == (0xFFFFFFFFFFFFF000, 0xFFFFFFFFFFFFE000)


class TestAsyncValue:
    def test_a_constructed_value_points_into_itself(self) -> None:
        address = 0x7000
        value = async_value.constructed(address, "Mutex_", 1, 1)
        words = {at: int.from_bytes(value[at : at + 8], "little") for at in async_value.SELF_POINTERS}
        assert words == {at: address + to for at, to in async_value.SELF_POINTERS.items()}
        decoded = async_value.ASYNC_VALUE.decode(value)
        assert decoded["name"]["local"].startswith(b"Mutex_\0")
        assert (decoded["kind"], decoded["region_stage_kind"], decoded["has_value"]) == (1, 1, 0)
        assert decoded["tag1"]["size_word"] == 0x300000000
        assert decoded["stage_vector_b"]["size_word"] == 0x600000000
        assert value[64] == value[440] == 0

    def test_inline_names_end_at_15_characters(self) -> None:
        with pytest.raises(LayoutError):
            async_value.constructed(0, "x" * 17, 0, 0)


class TestDescriptors:
    @pytest.mark.parametrize(("rank", "size"), [(0, 24), (1, 40), (2, 56), (5, 104)])
    def test_ranked(self, rank: int, size: int) -> None:
        held = descriptors.ranked_memref(rank)
        assert held.size == size
        if rank:
            assert (held.offset("sizes"), held.offset("strides")) == (24, 24 + 8 * rank)

    def test_tokens(self) -> None:
        token = descriptors.pipeline_token(5, True)
        assert token == 11
        assert (descriptors.token_slot(token), descriptors.token_phase(token)) == (5, True)
        assert descriptors.token_phase(descriptors.pipeline_token(5, False)) is False
        for wrong in (-1, 1 << 31):
            with pytest.raises(LayoutError):
                descriptors.pipeline_token(wrong, False)

    def test_negative_ranks(self) -> None:
        with pytest.raises(LayoutError):
            descriptors.ranked_memref(-1)

    def test_address_spaces(self) -> None:
        assert descriptors.ADDRESS_SPACES["shared"] == 3
        assert descriptors.ADDRESS_SPACES["generic"] == 101
