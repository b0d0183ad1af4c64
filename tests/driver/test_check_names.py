"""Names of checks: one reader of them, whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

import tilewright
from tilewright import cutile
from tilewright.driver.options import CHECKS, check_names
from tilewright.ir.diagnostic import DiagnosticError

BOTH = ("memcheck", "racecheck")
KERNEL = "cuda_tile.module @m { entry @k() { return } }"


@pytest.mark.parametrize(
    "check",
    [
        "memcheck,racecheck",
        " racecheck , memcheck,",
        ["racecheck", "memcheck"],
        ("memcheck", "racecheck", "memcheck"),
        {"racecheck", "memcheck"},
        frozenset(BOTH),
        ["memcheck,racecheck"],
        dict.fromkeys(BOTH),
        (name for name in BOTH),
    ],
)
def test_texts_and_collections_name_checks_in_the_order_of_the_table(check: Any) -> None:
    assert check_names(check) == BOTH


@pytest.mark.parametrize("check", ["", (), [], set[str](), None, ","])
def test_no_checks(check: Any) -> None:
    assert check_names(check) == ()


@pytest.mark.parametrize("check", ["all", ["all"], {"all", "memcheck"}, "memcheck,all"])
def test_all_checks(check: str | Iterable[str]) -> None:
    assert check_names(check) == CHECKS


def compiled(check: Any) -> object:
    return tilewright.compile(KERNEL, options=tilewright.CompileOptions(checks=check))


def launched(check: Any) -> object:
    return tilewright.launch(KERNEL, "k", 1, [], target="interp", check=check)


def artifact_launched(check: Any) -> object:
    return tilewright.compile(KERNEL, target="interp").launch(1, [], check=check)


def artifact_prepared(check: Any) -> object:
    return tilewright.compile(KERNEL, target="interp").prepare(1, [], check=check)


def installed(check: Any) -> None:
    with cutile.backend("interp", check=check):
        pass


WAYS = [compiled, launched, artifact_launched, artifact_prepared, installed]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("memcheck,rececheck", "unknown check 'rececheck'"),
        (["memcheck", "b,a"], "unknown check 'a'"),
        (7, "checks are named by a text or several, got 7"),
        (["memcheck", 7], "checks are named by a text or several, got 7"),
    ],
)
def test_what_names_no_check_is_refused_with_the_names(
    way: Callable[[Any], object], check: Any, message: str
) -> None:
    if way is installed:
        pytest.importorskip("cuda.tile")
    with pytest.raises(DiagnosticError) as caught:
        way(check)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == message
    assert str(diagnostic).endswith("known checks: memcheck, initcheck, racecheck, fpcheck, promises, all")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "check", ["memcheck,racecheck", ["racecheck", "memcheck"], {"memcheck", "racecheck"}]
)
def test_every_way_in_takes_every_form(way: Callable[[Any], object], check: Any) -> None:
    if way is installed:
        pytest.importorskip("cuda.tile")
    way(check)


def test_options_of_a_compilation_hold_the_names_in_order() -> None:
    text: Any = "racecheck,memcheck"
    assert tilewright.CompileOptions(checks=text).checks == BOTH
    assert hash(tilewright.CompileOptions(checks=text)) == hash(tilewright.CompileOptions(checks=BOTH))
