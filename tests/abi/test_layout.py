"""The declarative form: encoders, decoders, NumPy types, and what declarations are refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tilewright.abi.catalogue import CATALOGUE, families, layout, struct
from tilewright.abi.layout import (
    I32,
    U8,
    U16,
    U32,
    U64,
    ArrayLayout,
    Embedded,
    Form,
    IntegerLayout,
    LayoutError,
    LayoutField,
    Profile,
    RawBytes,
    Struct,
    bit_field,
    view,
)
from tilewright.abi.packing import packer, word_names
from tilewright.ir.diagnostic import DiagnosticError

EVERY = [
    pytest.param(held, id=f"{entry.name}-{profile}")
    for entry in CATALOGUE.values()
    for profile, held in entry.structs.items()
]


def values_of(form: Form) -> st.SearchStrategy[Any]:
    if isinstance(form, IntegerLayout):
        return st.integers(*form.limits)
    if isinstance(form, RawBytes):
        return st.binary(min_size=form.size, max_size=form.size)
    if isinstance(form, ArrayLayout):
        return st.tuples(*[values_of(form.element)] * form.count)
    return struct_values(form.struct)


def struct_values(held: Struct) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {f.name: st.integers(0, f.bits.mask) if f.bits else values_of(f.form) for f in held.stored}
    )


def without_views(held: Struct, values: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for f in held.stored:
        value = values[f.name]
        if isinstance(f.form, Embedded):
            value = without_views(f.form.struct, value)
        elif isinstance(f.form, ArrayLayout) and isinstance(f.form.element, Embedded):
            value = tuple(without_views(f.form.element.struct, item) for item in value)
        found[f.name] = value
    return found


def covered(held: Struct) -> bytes:
    """0xFF for every bit that a field owns."""
    mask = bytearray(held.size)
    for f in held.stored:
        run = f.bits.mask << f.bits.shift if f.bits else int.from_bytes(_covered(f.form), "little")
        at = int.from_bytes(mask[f.offset : f.end], "little") | run
        mask[f.offset : f.end] = at.to_bytes(f.form.size, "little")
    return bytes(mask)


def _covered(form: Form) -> bytes:
    if isinstance(form, Embedded):
        return covered(form.struct)
    if isinstance(form, ArrayLayout):
        return _covered(form.element) * form.count
    return b"\xff" * form.size


@pytest.mark.parametrize("held", EVERY)
@settings(max_examples=12)
@given(st.data())
def test_decoding_undoes_encoding(held: Struct, data: st.DataObject) -> None:
    values = data.draw(struct_values(held))
    encoded = held.encode(values)
    assert len(encoded) == held.size
    assert without_views(held, held.decode(encoded)) == values
    shifted = bytes(3) + encoded
    assert held.decode(shifted, 3) == held.decode(encoded)


@pytest.mark.parametrize("held", EVERY)
@settings(max_examples=12)
@given(st.data())
def test_encoding_undoes_decoding_of_any_bytes(held: Struct, data: st.DataObject) -> None:
    raw = data.draw(st.binary(min_size=held.size, max_size=held.size))
    masked = bytes(a & b for a, b in zip(raw, covered(held), strict=True))
    assert held.encode(held.decode(raw)) == masked


@pytest.mark.parametrize("held", EVERY)
def test_numpy_sees_the_same(held: Struct) -> None:
    np = pytest.importorskip("numpy")
    dtype = held.dtype()
    assert dtype.itemsize == held.size
    raw = bytes(range(256)) * 4
    record = np.frombuffer(raw[: held.size], dtype=dtype)[0]
    for f in held.encoded_fields():
        if isinstance(f.form, IntegerLayout):
            name = next(n for n in dtype.names if dtype.fields[n][1] == f.offset)
            assert int(record[name]) == f.form.load(raw, f.offset)


@pytest.mark.parametrize("form", [U32, I32, RawBytes(4), ArrayLayout(U16, 2), LayoutField("f", 0, U32, "")])
@pytest.mark.parametrize("at", [1, -1])
def test_a_short_buffer_is_refused(form: Form | LayoutField, at: int) -> None:
    with pytest.raises(LayoutError, match=f"at {at}|at 3"):
        form.load(bytes(4), at)
    buffer = bytearray(4)
    with pytest.raises(LayoutError, match=f"at {at}|at 3"):
        form.store(buffer, at, form.zero)
    assert buffer == bytes(4)


@pytest.mark.parametrize("held", EVERY)
def test_the_packer_agrees_with_the_encoder(held: Struct) -> None:
    try:
        pack, names = packer(held), word_names(held)
    except LayoutError:
        assert any(isinstance(f.form, RawBytes) and f.form.size % 8 for f in held.stored)
        return
    assert pack.size == held.size
    words = pack.unpack(bytes(range(256)) * 4 if held.size == 1024 else (bytes(range(256)) * 4)[: held.size])
    decoded = held.decode(bytes(range(256)) * 4)
    for name, word in zip(names, words, strict=True):
        if name in decoded and isinstance(decoded[name], int):
            assert word == decoded[name]


class TestDeclarations:
    def test_overlap(self) -> None:
        with pytest.raises(LayoutError, match="overlaps"):
            Struct("S", 8, (LayoutField("a", 0, U32, ""), LayoutField("b", 3, U8, "")), "")

    def test_bits_may_share_an_integer_but_no_bit(self) -> None:
        Struct("S", 4, (bit_field("a", 0, U32, 0, 27, ""), bit_field("b", 0, U32, 27, 5, "")), "")
        with pytest.raises(LayoutError, match="overlaps"):
            Struct("S", 4, (bit_field("a", 0, U32, 0, 27, ""), bit_field("b", 0, U32, 26, 5, "")), "")

    def test_the_end(self) -> None:
        with pytest.raises(LayoutError, match="after the struct's 8 bytes"):
            Struct("S", 8, (LayoutField("a", 4, U64, ""),), "")

    def test_a_name_twice(self) -> None:
        with pytest.raises(LayoutError, match="twice"):
            Struct("S", 8, (LayoutField("a", 0, U16, ""), LayoutField("a", 2, U16, "")), "")

    def test_views_own_nothing(self) -> None:
        held = Struct("S", 8, (LayoutField("a", 0, U64, ""), view("low", 0, U16, "")), "")
        assert held.encode(a=0x12345, low=7) == held.encode(a=0x12345)
        assert held.decode(held.encode(a=0x12345)) == {"a": 0x12345, "low": 0x2345}


class TestRefusals:
    STRUCT = Struct(
        "S",
        16,
        (
            LayoutField("n", 0, I32, ""),
            LayoutField("s", 8, RawBytes(8), ""),
            bit_field("b", 4, U32, 4, 3, ""),
        ),
        "",
    )

    @pytest.mark.parametrize(
        "values",
        [{"n": 1 << 31}, {"n": "1"}, {"s": b"short"}, {"b": 8}, {"b": -1}, {"nothing": 1}],
    )
    def test_values_that_do_not_fit(self, values: dict[str, Any]) -> None:
        with pytest.raises(LayoutError):
            self.STRUCT.encode(values)

    def test_short_buffers(self) -> None:
        with pytest.raises(LayoutError, match="needs 16 bytes at 1"):
            self.STRUCT.decode(bytes(16), 1)

    def test_arrays_and_embedded_structs(self) -> None:
        held = Struct(
            "T",
            40,
            (LayoutField("a", 0, ArrayLayout(U32, 2), ""), LayoutField("e", 8, Embedded(self.STRUCT), "")),
            "",
        )
        for wrong in ({"a": [1]}, {"a": 3}, {"e": 1}, {"e": {"n": 1 << 40}}):
            with pytest.raises(LayoutError):
                held.encode(wrong)
        assert held.decode(held.encode(a=[1, 2], e={"n": -1}))["e"]["n"] == -1


class TestCatalogue:
    def test_families_cover_it(self) -> None:
        assert sum(map(len, families().values())) == len(CATALOGUE)

    def test_unknown_names(self) -> None:
        with pytest.raises(DiagnosticError, match=r"(?s)TW1000.*did you mean operation"):
            layout("operatoin")

    def test_unknown_profiles(self) -> None:
        with pytest.raises(DiagnosticError, match=r"(?s)TW1000.*exists in tileiras-13.1"):
            struct("walk_frame", Profile.UPSTREAM)
        with pytest.raises(LayoutError):
            layout("walk_frame").struct(Profile.UPSTREAM)

    def test_everything_says_what_it_is_and_who_says_so(self) -> None:
        for entry in CATALOGUE.values():
            for held in entry.structs.values():
                assert held.doc.endswith((".", ")"))
                for f in held.fields:
                    assert f.meaning, (held.name, f.name)
                    assert f.source or f.name == "reserved", (held.name, f.name)
