"""Diagnostics in memory images."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from tests.abi.damage import flip_bits, only_diagnostics
from tilewright.abi.image.core_file import core_bytes, image_of_core
from tilewright.abi.image.diagnostics import Piece, read_diagnostic, write_diagnostic
from tilewright.abi.layout import Profile
from tilewright.abi.layouts import diagnostic as layouts
from tilewright.ir.codes import CATALOGUE
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FileLineColLocation, NameLocation

CONTEXT = Context()
PROFILES = pytest.mark.parametrize("profile", Profile, ids=str)
PLACE = FileLineColLocation.at("k.py", 3, 7)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def diagnostics(depth: int = 2) -> st.SearchStrategy[Diagnostic]:
    notes = st.lists(diagnostics(depth - 1), max_size=2) if depth else st.just(list[Diagnostic]())
    return st.builds(
        Diagnostic,
        st.sampled_from(Severity),
        TEXTS,
        st.sampled_from([UNKNOWN, PLACE, NameLocation("n", PLACE), CallSiteLocation(PLACE, PLACE)]),
        st.sampled_from([None, *CATALOGUE.values()]),
        notes,
        st.lists(TEXTS, max_size=3),
        st.sampled_from([None, 0, 77]),
    )


@PROFILES
@given(data=st.data())
def test_reading_back(profile: Profile, data: st.DataObject) -> None:
    diagnostic = data.draw(diagnostics())
    assert read_diagnostic(write_diagnostic(diagnostic, profile), CONTEXT) == diagnostic


@PROFILES
@given(pieces=st.lists(st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), TEXTS), max_size=9))
def test_arguments(profile: Profile, pieces: list[Piece]) -> None:
    diagnostic = Diagnostic(Severity.ERROR, "".join(map(str, pieces)), PLACE)
    image = write_diagnostic(diagnostic, profile, pieces)
    assert read_diagnostic(image, CONTEXT) == diagnostic
    address = image.roots["diagnostic"]
    word = int.from_bytes(image.image.read(address + 0x20, 8), "little")
    assert word == max(4, len(pieces)) << 32 | len(pieces)
    data = int.from_bytes(image.image.read(address + 0x18, 8), "little")
    assert (data == address + 0x28) is (len(pieces) <= 4)


def test_pieces_must_make_up_the_message() -> None:
    with pytest.raises(ValueError, match="do not make up"):
        write_diagnostic(Diagnostic(Severity.ERROR, "a"), pieces=["b"])


def test_the_bytes_of_profile_tileiras() -> None:
    image = write_diagnostic(Diagnostic(Severity.ERROR, "broken", PLACE).note("here"))
    address = image.roots["diagnostic"]
    held = layouts.DIAGNOSTIC.decode(image.image.read(address, 208))
    assert held["severity_word"] == layouts.ERROR_WORD == 259
    assert held["sink"] == address + 0xC8
    assert held["alive"] == 1
    assert held["inline_arguments"][0]["kind"] == 4
    note = int.from_bytes(image.image.read(held["notes"]["begin"], 8), "little")
    assert layouts.NOTE.decode(image.image.read(note, 192))["severity_word"] == layouts.NOTE_WORD


def test_the_bytes_of_profile_upstream() -> None:
    image = write_diagnostic(Diagnostic(Severity.REMARK, "slow", PLACE), Profile.UPSTREAM)
    held = layouts.UPSTREAM_DIAGNOSTIC.decode(image.image.read(image.roots["diagnostic"], 208))
    assert held["engaged"] == 1
    assert held["diagnostic"]["severity"] == 3


@PROFILES
def test_through_a_core_file(profile: Profile) -> None:
    diagnostic = Diagnostic(Severity.WARNING, "w", PLACE, CATALOGUE[1], hints=["do"], offset=3)
    image = image_of_core(core_bytes(write_diagnostic(diagnostic, profile)))
    assert read_diagnostic(image, CONTEXT) == diagnostic


@PROFILES
@pytest.mark.parametrize("seed", range(80))
def test_damage(profile: Profile, seed: int) -> None:
    diagnostic = Diagnostic(Severity.ERROR, "m", PLACE, CATALOGUE[1], hints=["do"]).note("a").note("b")
    image = write_diagnostic(diagnostic, profile, ["m"])
    rng = random.Random(seed)
    flip_bits(image.image, rng, rng.choice((1, 4)))
    with only_diagnostics():
        read_diagnostic(image, CONTEXT)


@PROFILES
def test_notes_that_hold_themselves(profile: Profile) -> None:
    image = write_diagnostic(Diagnostic(Severity.ERROR, "m").note("n"), profile)
    struct, base = (
        (layouts.NOTE, 0)
        if profile is Profile.TILEIRAS
        else (layouts.UPSTREAM_NOTE, layouts.UPSTREAM_DIAGNOSTIC.offset("diagnostic"))
    )
    root = image.roots["diagnostic"] + base
    at = struct.offset("notes")
    notes = bytes(image.image.read(root + at, 24))
    note = int.from_bytes(image.image.read(int.from_bytes(notes[:8], "little"), 8), "little")
    image.image.write(note + at, notes)
    with pytest.raises(DiagnosticError, match=r"TW1002.*without end"):
        read_diagnostic(image, CONTEXT)


@PROFILES
def test_deep_notes(profile: Profile) -> None:
    def nested(depth: int) -> Diagnostic:
        outer = Diagnostic(Severity.NOTE, "0")
        for number in range(1, depth):
            outer = Diagnostic(Severity.NOTE, str(number), notes=[outer])
        return Diagnostic(Severity.ERROR, "top", notes=[outer])

    assert read_diagnostic(write_diagnostic(nested(50), profile), CONTEXT) == nested(50)
    with pytest.raises(DiagnosticError, match=r"TW1003.*50 deep"):
        write_diagnostic(nested(51), profile)
