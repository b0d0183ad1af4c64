"""Memory images of live pattern sets are found by the same search that looks into programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")
pytest.importorskip("capstone")

from tests.abi.test_image_patterns import every_shape
from tilewright.abi.image.core_file import core_bytes
from tilewright.abi.image.patterns import records_of, write_patterns
from tilewright.abi.layout import Profile
from tilewright.driver.startup import context
from tilewright.inspect.analysis import Inspection, inspect_image
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.loader import load
from tilewright.lowering.tileaa_to_tileas.arith_bank import populate_arith_bank
from tilewright.rewrite.conversion.type_converter import TypeConverter
from tilewright.rewrite.pattern_set import RewritePatternSet

PROFILES = pytest.mark.parametrize("profile", Profile, ids=str)


def inspected(patterns: RewritePatternSet, profile: Profile) -> Inspection:
    return inspect_image(load(octets(core_bytes(write_patterns(patterns, profile))), "image"))


def arith_bank() -> RewritePatternSet:
    patterns = RewritePatternSet(context())
    populate_arith_bank(patterns, TypeConverter())
    return patterns


@PROFILES
@pytest.mark.parametrize("make", [every_shape, arith_bank], ids=["every shape", "arith bank"])
def test_patterns_of_an_image_are_found(make: Callable[[], RewritePatternSet], profile: Profile) -> None:
    patterns = make()
    found = inspected(patterns, profile).of_kind("pattern object")
    assert Counter(f.details["shape"] for f in found) == Counter(r.shape for r in records_of(patterns))
    assert {finding.details["profile"] for finding in found} == {str(profile)}
    names = Counter(
        r.debug_name if profile is Profile.UPSTREAM else r.type_name.removesuffix("]")
        for r in records_of(patterns)
    )
    assert Counter(finding.name for finding in found) == names
    assert Counter(f.details["benefit"] for f in found) == Counter(r.benefit for r in records_of(patterns))


def test_roots_are_read_in_the_profile_that_has_their_names() -> None:
    found = inspected(arith_bank(), Profile.TILEIRAS).of_kind("pattern object")
    assert {finding.details["operation"] for finding in found} == {r.root for r in records_of(arith_bank())}
    assert len(found) == 43


@PROFILES
def test_tables_are_known_by_the_objects_that_point_at_them(profile: Profile) -> None:
    found = inspected(every_shape(), profile)
    tables = {f.address for f in found.findings if f.kind.endswith("pattern table")}
    assert tables == {finding.details["table"] for finding in found.of_kind("pattern object")}
