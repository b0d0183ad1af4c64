"""Pattern registries in memory images."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.abi.damage import flip_bits, only_diagnostics
from tilewright.abi.image.core_file import core_bytes, image_of_core
from tilewright.abi.image.patterns import (
    PATTERN_STRUCTS,
    PatternReader,
    read_patterns,
    records_of,
    write_patterns,
)
from tilewright.abi.layout import Profile
from tilewright.abi.layouts import patterns as shapes
from tilewright.abi.table_shapes import table_shape
from tilewright.dialects.arith.ops_integer import AddIOp, MulIOp
from tilewright.driver.startup import context
from tilewright.ir.declaration.traits import Commutative
from tilewright.lowering.tileaa_to_tileas.arith_bank import populate_arith_bank
from tilewright.passes.transforms.canonicalize import canonicalization_patterns
from tilewright.rewrite.conversion.pattern import ClosurePattern, ConversionPattern
from tilewright.rewrite.conversion.type_converter import TypeConverter
from tilewright.rewrite.pattern import RewritePattern
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet

CONTEXT = context()
PROFILES = pytest.mark.parametrize("profile", Profile, ids=str)


class Plain(RewritePattern[AddIOp], benefit=3):
    generated_ops = ("arith.muli", "arith.constant")
    labels = ("label one", "two")
    has_bounded_recursion = True


class OnTrait(RewritePattern[Any], root=Commutative):
    pass


class Anything(RewritePattern[Any]):
    pass


class Converting(ConversionPattern[MulIOp]):
    generated_ops = ("llvm.mul", "a", "b", "c", "d")


class Asking(ClosurePattern[MulIOp]):
    pass


def every_shape() -> RewritePatternSet:
    first, second = TypeConverter(), TypeConverter()
    return RewritePatternSet(
        CONTEXT,
        [
            Plain(),
            OnTrait(benefit=0xFFFF),
            Anything(debug_name="shown to people"),
            Converting(),
            Converting(first),
            Converting(second, benefit=9),
            Converting(first),
            Asking(lambda n: n > 3),
            Asking(lambda n: n > 4, second),
        ],
    )


@PROFILES
class TestReadingBack:
    def test_every_shape(self, profile: Profile) -> None:
        patterns = every_shape()
        read = read_patterns(write_patterns(patterns, profile))
        assert read == records_of(patterns)
        assert "".join(record.shape for record in read) == "AAABCCCDD"
        assert [record.converter for record in read] == [None, None, None, None, 0, 1, 0, None, 1]

    def test_frozen_sets(self, profile: Profile) -> None:
        frozen = FrozenRewritePatternSet(every_shape())
        image = write_patterns(frozen, profile)
        reader = PatternReader(image)
        assert reader.read() == records_of(frozen)
        assert reader.registry["frozen"] == 1
        by_address = dict(zip(reader.addresses(), frozen.patterns, strict=True))
        muls = [by_address[address] for address in reader.of_kind("arith.muli")]
        assert muls == [p for p in frozen.patterns if p.root_name == "arith.muli"]
        assert reader.of_kind("arith.subi") == []

    def test_the_canonicalizers_of_all_dialects(self, profile: Profile) -> None:
        CONTEXT.load_available()
        patterns = canonicalization_patterns(CONTEXT)
        assert len(patterns) > 50
        assert read_patterns(write_patterns(patterns, profile)) == records_of(patterns)

    def test_the_bank_of_43(self, profile: Profile) -> None:
        patterns = RewritePatternSet(CONTEXT)
        populate_arith_bank(patterns, TypeConverter())
        image = write_patterns(patterns, profile)
        records = read_patterns(image)
        assert records == records_of(patterns)
        assert len(records) == 43
        assert {(record.shape, record.converter) for record in records} == {("C", 0)}
        assert all(record.type_name.endswith(shapes.TYPE_NAME_END) for record in records)

    def test_through_a_core_file(self, profile: Profile) -> None:
        patterns = every_shape()
        image = image_of_core(core_bytes(write_patterns(patterns, profile)))
        assert read_patterns(image) == records_of(patterns)

    def test_empty_sets(self, profile: Profile) -> None:
        assert read_patterns(write_patterns(RewritePatternSet(CONTEXT), profile)) == []

    @pytest.mark.parametrize("seed", range(60))
    def test_damage(self, profile: Profile, seed: int) -> None:
        image = write_patterns(FrozenRewritePatternSet(every_shape()), profile)
        rng = random.Random(seed)
        flip_bits(image.image, rng, rng.choice((1, 5)))
        with only_diagnostics():
            reader = PatternReader(image)
            reader.read()
            reader.of_kind("arith.muli")


@PROFILES
class TestBytes:
    def test_tables(self, profile: Profile) -> None:
        patterns = every_shape()
        image = write_patterns(patterns, profile)
        tables: dict[str, set[tuple[int, ...]]] = {}
        for address in PatternReader(image).addresses():
            letter = PatternReader(image).shape(address)
            name = "rewrite pattern" if letter == "A" else "conversion pattern"
            shape = table_shape(name, profile)
            table = int.from_bytes(image.image.read(address, 8), "little")
            data = bytes(image.image.read(table - 16, shape.stride))
            assert data[:16] == bytes(16)
            tables.setdefault(name, set()).add(tuple(shape.decode(data).values()))
        assert {name: len(found) for name, found in tables.items()} == {
            "rewrite pattern": 3,
            "conversion pattern": 2,
        }
        for name, found in tables.items():
            for slot in table_shape(name, profile).invariant:
                assert len({table[slot] for table in found}) == 1

    def test_sizes(self, profile: Profile) -> None:
        sizes = {letter: struct.size for letter, struct in PATTERN_STRUCTS[profile].items()}
        expected = {"A": 0x60, "B": 0x68, "C": 0x70, "D": 0x78}
        assert sizes == (expected if profile is Profile.TILEIRAS else {**expected, "C": 0x68, "D": 0x70})


def test_the_fields_that_scans_look_for() -> None:
    image = write_patterns(every_shape(), Profile.TILEIRAS)
    plain, _, _, bare, typed, *_ = PatternReader(image).addresses()
    held = [shapes.PATTERN_B.decode(image.image.read(at, shapes.PATTERN_B.size)) for at in (bare, typed)]
    assert held[0]["context_again"] == held[0]["context"]
    assert held[1]["context_again"] != held[1]["context"]
    empty = RewritePatternSet(CONTEXT, [Anything()])
    (address,) = PatternReader(image := write_patterns(empty, Profile.TILEIRAS)).addresses()
    assert int.from_bytes(image.image.read(address + 0x40, 8), "little") == shapes.GENERATED_OPS_MARKER
    assert plain
