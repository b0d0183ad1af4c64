"""Code that tilewright brings itself: it is compiled once, and kept on disk."""

from __future__ import annotations

import ctypes
import subprocess
import sys
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


FAR_APART = """
import ctypes
import subprocess
import sys
from tilewright.runtime.engine import Library, machine_code

c = ctypes.CDLL(None)
c.mmap.restype = ctypes.c_void_p
c.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
c.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
NO_ACCESS, PRIVATE_ANONYMOUS_NO_RESERVE = 0, 0x4022

def mapped(size):
    return c.mmap(None, size, NO_ACCESS, PRIVATE_ANONYMOUS_NO_RESERVE, -1, 0)

constants = ", ".join(f"i32 {number}" for number in range(4096))
code = machine_code(
    f"@table = internal constant [4096 x i32] [{constants}]"
    '''
    define i32 @entry_of(i64 %index) {
      %place = getelementptr [4096 x i32], ptr @table, i64 0, i64 %index
      %entry = load i32, ptr %place
      ret i32 %entry
    }'''
)
Library(code, ["entry_of"])
far = mapped(1 << 33)
size = 1 << 40
while size >= 4096:
    place = mapped(size)
    if place in (None, ctypes.c_void_p(-1).value) or place < far:
        if place not in (None, ctypes.c_void_p(-1).value):
            c.munmap(place, size)
        size //= 2
c.munmap(far + (1 << 33) - 4096, 4096)
library = Library(code, ["entry_of"])
print(ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64)(library.addresses["entry_of"])(4095))
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="the program fills holes in the memory of a Linux process"
)
def test_code_and_its_constants_lie_together_in_torn_memory() -> None:
    """The only hole above a region of 8 GiB is as large as the code, so that another piece would come to lie below."""
    done = subprocess.run([sys.executable, "-c", FAR_APART], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("4095\n", 0), done.stderr
