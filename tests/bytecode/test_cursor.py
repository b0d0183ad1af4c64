"""The primitive encodings, against a writer of four lines."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.support.synthetic.assembler import varint, zigzag
from tilewright.bytecode.codes import TRUNCATED
from tilewright.bytecode.cursor import Cursor, OffsetTable, ReadError, reading

UINT64 = st.integers(0, 2**64 - 1)


@given(UINT64, st.binary(max_size=3))
def test_varint(value: int, rest: bytes) -> None:
    cursor = Cursor(varint(value) + rest)
    assert cursor.varint() == value
    assert cursor.remaining == len(rest)


@given(UINT64, st.integers(0, 10))
def test_overlong_varint(value: int, extra: int) -> None:
    data = bytearray(varint(value))
    while extra and len(data) < 10:
        data[-1] |= 0x80
        data.append(0)
        extra -= 1
    assert Cursor(bytes(data)).varint() == value


@given(st.integers(-(2**63), 2**63 - 1))
def test_signed_varint(value: int) -> None:
    assert Cursor(zigzag(value)).signed_varint() == value


def test_varint_drops_bits_above_63() -> None:
    assert Cursor(b"\xff" * 9 + b"\x7f").varint() == 2**64 - 1


@given(UINT64)
def test_truncated_varint(value: int) -> None:
    data = varint(value)[:-1]
    with pytest.raises(ReadError) as caught:
        Cursor(data).varint()
    assert caught.value.code is TRUNCATED
    assert caught.value.offset == len(data)


def test_varint_of_eleven_bytes() -> None:
    with pytest.raises(ReadError, match="exceeds ten bytes") as caught:
        Cursor(b"\xff" * 11).varint()
    assert caught.value.offset == 10


@given(st.lists(st.integers(-(2**31), 2**31 - 1)))
def test_integers(values: list[int]) -> None:
    data = varint(len(values)) + b"".join(v.to_bytes(4, "little", signed=True) for v in values)
    assert Cursor(data).integers(4) == tuple(values)


@given(st.integers(1, 2**32 - 2), st.integers(0, 40))
def test_integers_cut_short(count: int, available: int) -> None:
    head = varint(count)
    if available >= 4 * count:
        return
    with pytest.raises(ReadError) as caught:
        Cursor(head + bytes(available)).integers(4)
    assert caught.value.offset == len(head) + available // 4 * 4


def test_nothing_is_read_beyond_the_end() -> None:
    cursor = Cursor(bytes(10), 2, 4)
    assert cursor.take(2) == bytes(2)
    for read in (cursor.varint, cursor.byte, lambda: cursor.take(1), lambda: cursor.skip_padding(8)):
        with pytest.raises(ReadError):
            read()


@given(st.integers(0, 40), st.sampled_from([1, 2, 4, 8, 64]), st.integers(0, 30))
def test_padding_counts_from_the_start(start: int, alignment: int, position: int) -> None:
    cursor = Cursor(bytes(200), start)
    cursor.position = start + position
    cursor.skip_padding(alignment)
    assert (cursor.position - start) % alignment == 0
    assert 0 <= cursor.position - start - position < alignment
    cursor.skip_padding(alignment, from_file_start=True)
    assert cursor.position % alignment == 0


def test_offset_table() -> None:
    data = b"".join(n.to_bytes(4, "little") for n in (0, 2, 1)) + b"abc"
    entries = OffsetTable(Cursor(data), 3, 4)
    assert entries.size == 3
    assert entries.span(0) == (12, 14)
    assert entries.span(1) is None
    assert entries.span(2) == (13, 15)


def test_errors_say_what_was_being_read() -> None:
    cursor = Cursor(b"\x80", 0)
    with pytest.raises(ReadError) as caught, reading("outer"), reading("inner", cursor):
        cursor.varint()
    diagnostic = caught.value.diagnostic()
    assert diagnostic.message == "inner"
    assert [note.message for note in diagnostic.notes] == [
        "the data ends at offset 1, inside a variable-length integer",
        "outer",
    ]
    assert diagnostic.offset == 1
