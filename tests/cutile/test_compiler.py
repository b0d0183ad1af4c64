"""Compiling through the real frontend: versions, entry layout against the disassembler, cache, errors."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.support.corpora.frontend_corpus import corpus, launches
from tests.support.real.real_tools import disassemble
from tilewright import cutile
from tilewright.cutile import LaunchError, compiler
from tilewright.cutile.frontend import Frontend, frontend

kernels: Any = pytest.importorskip("tests.cutile.kernels", exc_type=ImportError)
ct: Any = pytest.importorskip("cuda.tile")

X = np.zeros((16, 32), np.float32)


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cutile.clear_cache()


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The versions that were really compiled, in order."""
    seen: list[str] = []
    original = frontend().compiler.compile_tile

    def counted(*arguments: Any, **options: Any) -> Any:
        seen.append(options["bytecode_version"].as_string())
        return original(*arguments, **options)

    monkeypatch.setattr(frontend().compiler, "compile_tile", counted)
    return seen


def entry_types(text: str) -> list[str]:
    """The parameter types of the only entry in a disassembly."""
    match = re.search(r"entry @\S+?\((.*?)\) (?:optimization_hints|\{|attributes)", text, re.DOTALL)
    assert match, text[:300]
    return re.findall(r": tile<((?:ptr<[^>]*>)|[^>]*)>", match[1])


def test_the_default_version_is_the_newest_release(compilations: list[str]) -> None:
    made = cutile.compile_to_bytecode(kernels.one, (X,))
    assert compilations == [cutile.writable_versions()[-1]]
    assert tuple(made.bytecode[8:10]) == tuple(int(part) for part in made.version.split("."))


class Written(IntEnum):
    """Versions of bytecode, in no order."""

    V_13_5 = 130500
    V_13_3 = 130300
    V_13_6 = 130600
    V_13_4 = 130400

    def as_string(self) -> str:
        return f"13.{self.value // 100 % 100}"


def double(*, released: tuple[str, ...]) -> Frontend:
    """A cuTile that can write 13.3 to 13.6, and says that some of these are released."""

    def parse(name: str) -> str:
        if name not in released:
            raise ValueError(f"Invalid bytecode version {name}")
        return name

    made = SimpleNamespace(parse_bytecode_version=parse)
    return Frontend(tile=None, compilation=None, compiler=made, versions=Written, extension=None)


@pytest.mark.parametrize(
    ("released", "newest"), [(("13.3", "13.4"), "13.4"), (("13.3", "13.4", "13.5", "13.6"), "13.5")]
)
def test_versions_in_development_are_not_released(
    released: tuple[str, ...], newest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """13.5 is the default only where cuTile says that it is released; 13.6 is not read here."""
    front = double(released=released)
    assert front.all_versions() == ("13.3", "13.4", "13.5", "13.6")
    assert front.released_versions() == released
    monkeypatch.setattr(compiler, "frontend", lambda: front)
    assert cutile.writable_versions()[-1] == compiler.default_version.__wrapped__() == newest
    assert cutile.writable_versions(development=True) == ("13.3", "13.4", "13.5")


def test_the_installed_frontend_has_not_released_13_5() -> None:
    """As of 1.7; a release that has changes the default version, and `compiler.WARPS_SINCE` is needless then."""
    assert cutile.writable_versions() == ("13.1", "13.2", "13.3", "13.4")
    assert "13.5" not in frontend().released_versions()


@pytest.mark.parametrize("version", ["13.1", "13.2", "13.3", "13.4", "13.5"])
def test_the_layout_is_that_of_the_entry(version: str) -> None:
    if version not in cutile.writable_versions(development=True):
        pytest.skip(f"the installed cuda-tile does not write {version}")
    arguments = (X, 3, 5, (1.5, True, X.astype(np.int8)), [X, X])
    made = cutile.compile_to_bytecode(kernels.mixed, arguments, version=version)
    code, text, error = disassemble(made.bytecode)
    assert code == 0, error
    assert f"@{made.symbol}(" in text
    assert entry_types(text) == [parameter.type for parameter in made.parameters]


def test_the_layout_names_arguments() -> None:
    made = cutile.compile_to_bytecode(kernels.mixed, (X, 3, 5, (1.5, True), [X]))
    named = [(p.argument, p.role, p.axis) for p in made.parameters]
    assert named == [
        ("x", "address", None),
        ("x", "length", 0),
        ("x", "length", 1),
        ("x", "stride", 0),
        ("x", "stride", 1),
        ("n", "value", None),
        ("t[0]", "value", None),
        ("t[1]", "value", None),
        ("arrays", "table", None),
        ("arrays", "count", None),
    ]


def test_flat_values_match_the_layout() -> None:
    for launch in launches():
        made = cutile.compile_to_bytecode(launch.kernel, launch.arguments)
        _, binding = compiler.bind_arguments(launch.kernel, launch.arguments)
        assert len(binding.flat) == len(made.parameters)
        for value, parameter in zip(binding.flat, made.parameters, strict=True):
            assert isinstance(value, np.ndarray) == parameter.type.startswith("ptr<")


def test_a_signature_may_be_given() -> None:
    made = cutile.compile_to_bytecode(kernels.two, (X, X))
    again = cutile.compile_to_bytecode(kernels.two, made.signature.with_symbol("renamed"))
    assert again.symbol == "renamed"
    assert again.parameters == made.parameters


def test_cache_hits_and_misses(compilations: list[str]) -> None:
    compile_ = cutile.compile_to_bytecode
    first = compile_(kernels.scale, (X[0], X[0], 2.0, 16))
    assert compile_(kernels.scale, (X[1], X[2], 3.0, 16)) is first
    assert len(compilations) == 1
    compile_(kernels.scale, (X[0], X[0], 2.0, 32))
    compile_(kernels.scale, (X[0], X[0, :15], 2.0, 16))
    compile_(kernels.scale, (X[0], X[0], 2.0, 16), version="13.3")
    compile_(kernels.scale, (X[0], X[0], 2.0, 16), architecture="sm_90")
    compile_(kernels.scale.replace_hints(occupancy=4), (X[0], X[0], 2.0, 16))
    assert len(compilations) == 6


def test_one_compilation_for_many_threads(compilations: list[str]) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(
            pool.map(lambda _: cutile.compile_to_bytecode(kernels.scale, (X[0], X[1], 1.0, 8)), range(16))
        )
    assert len(compilations) == 1
    assert len({id(item) for item in made}) == 1


def test_the_same_bytes_again() -> None:
    first = cutile.compile_to_bytecode(kernels.scale, (X[0], X[0], 2.0, 16)).bytecode
    cutile.clear_cache()
    assert cutile.compile_to_bytecode(kernels.scale, (X[0], X[0], 2.0, 16)).bytecode == first


def test_errors_of_the_frontend_pass_through() -> None:
    with pytest.raises(ct.TileTypeError):
        cutile.compile_to_bytecode(kernels.scale, (1.0, X[0], 2.0, 16))
    with pytest.raises(ValueError, match=r"does not write bytecode version '12\.0'"):
        cutile.compile_to_bytecode(kernels.one, (X,), version="12.0")


@pytest.mark.parametrize("value", [lambda: None, 5, None])
def test_only_kernels_are_compiled(value: Any) -> None:
    with pytest.raises(LaunchError, match="not a cuTile kernel"):
        cutile.compile_to_bytecode(value, ())


def test_every_example_compiles_to_legal_bytecode_of_every_version() -> None:
    names = {name for name, _, _ in corpus()}
    assert len(corpus()) == len(names) * len(cutile.writable_versions(development=True))
    for name, version, bytecode in corpus():
        code, text, error = disassemble(bytecode)
        assert code == 0, f"{name} {version}: {error}"
        assert f"@{name.partition('.')[2]}(" in text
