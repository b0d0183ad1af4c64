"""Code that tilewright brings itself: it is compiled once, and kept on disk."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from tilewright.driver.loading import is_loadable
from tilewright.runtime import engine
from tilewright.runtime.disk_cache import DiskCache
from tilewright.runtime.engine import own_library
from tilewright.runtime.image import Image

TEXT = "define i64 @answer() {{\n  ret i64 {value}\n}}\n"


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskCache:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "1M")
    return DiskCache()


def answer(value: int) -> int:
    library = own_library(TEXT.format(value=value), ["answer"])
    return ctypes.CFUNCTYPE(ctypes.c_int64)(library.addresses["answer"])()


def test_it_is_compiled_once(disk: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(42) == 42

    def fail(*_: object) -> bytes:
        raise AssertionError("compiled")

    monkeypatch.setattr(engine, "machine_code", fail)
    assert answer(42) == 42
    with pytest.raises(AssertionError, match="compiled"):
        answer(43)


def test_a_record_that_cannot_be_linked_is_made_anew(disk: DiskCache) -> None:
    assert answer(42) == 42
    (entry,) = disk.entries()
    whole = disk.get(entry.key)
    disk.put(entry.key, Image(b"no object file", ()).to_bytes())
    assert answer(42) == 42
    assert disk.get(entry.key) == whole


def test_it_is_no_damage_to_those_who_look(disk: DiskCache) -> None:
    answer(42)
    (entry,) = disk.entries()
    assert disk.verify(is_loadable) == []
    assert disk.get(entry.key) is not None
