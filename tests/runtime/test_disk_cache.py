"""The cache on disk: content, damage, sizes, many processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.house.tree import ROOT, imported_from
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime import disk_cache
from tilewright.runtime.disk_cache import DiskCache, default_directory, default_size, key_of, parse_size

KEYS = [key_of([bytes([number])]) for number in range(20)]


@pytest.fixture
def cache(tmp_path: Path) -> DiskCache:
    return DiskCache(tmp_path / "cache", limit=1 << 20)


def record(cache: DiskCache, key: str) -> Path:
    (found,) = cache.directory.glob(f"*/{key}*")
    return found


def test_records_come_back(cache: DiskCache) -> None:
    assert cache.get(KEYS[0]) is None
    for content in (b"", b"one", bytes(100_000)):
        cache.put(KEYS[0], content)
        assert cache.get(KEYS[0]) == content
        assert DiskCache(cache.directory, limit=1 << 20).get(KEYS[0]) == content
    assert cache.get(KEYS[1]) is None


def test_keys_depend_on_every_part() -> None:
    parts = [[b"a", b"b"], [b"ab"], [b"a", b"b", b""], [b"b", b"a"], []]
    assert len({key_of(part) for part in parts}) == len(parts)


def test_the_program_is_known_by_the_places_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("one", "other", "runtime"):
        (tmp_path / folder).mkdir()
    monkeypatch.setattr(disk_cache, "__file__", str(tmp_path / "runtime" / "cache.py"))
    stamp = disk_cache.program_stamp.__wrapped__
    module = tmp_path / "one" / "module.py"
    module.write_text("A = 1\n")
    before = stamp()
    assert stamp() == before
    module = module.rename(tmp_path / "other" / "module.py")
    moved = stamp()
    module.write_text("A = 10\n")
    assert len({before, moved, stamp()}) == 3


@pytest.mark.parametrize("by_content", [False, True])
def test_a_new_installation_of_the_same_files_is_the_same_program_by_content(
    by_content: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runtime").mkdir()
    monkeypatch.setattr(disk_cache, "__file__", str(tmp_path / "runtime" / "cache.py"))
    monkeypatch.setenv("TILEWRIGHT_CACHE_BY_CONTENT", str(int(by_content)))
    stamp = disk_cache.program_stamp.__wrapped__
    module = tmp_path / "module.py"
    module.write_text("A = 1\n")
    os.utime(module, (1, 1))
    before = stamp()
    os.utime(module, (2, 2))
    assert (stamp() == before) == by_content
    module.write_text("A = 2\n")
    os.utime(module, (1, 1))
    if by_content:
        assert stamp() != before


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other"])
def test_damaged_records_are_dropped(cache: DiskCache, damage: str) -> None:
    cache.put(KEYS[0], bytes(1000))
    path = record(cache, KEYS[0])
    data = path.read_bytes()
    changed = data[:500] + bytes([data[500] ^ 1]) + data[501:]
    path.write_bytes({"cut": data[:-1], "changed": changed, "empty": b"", "other": b"x" * 2000}[damage])
    cache.put(KEYS[1], b"whole")
    assert cache.verify() == [KEYS[0]]
    path.write_bytes(changed)
    assert cache.get(KEYS[0]) is None
    assert not path.exists()
    assert cache.get(KEYS[1]) == b"whole"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_in_the_place_of_a_record(cache: DiskCache) -> None:
    """Reading would wait for somebody who writes."""
    for action in (lambda: cache.get(KEYS[0]) is None, lambda: cache.verify() == [KEYS[0]]):
        cache.put(KEYS[0], b"x")
        path = record(cache, KEYS[0])
        path.unlink()
        os.mkfifo(path)
        assert action()
        assert not path.exists()


def test_what_was_not_used_goes_first(cache: DiskCache) -> None:
    for age, key in enumerate(KEYS[:6]):
        cache.put(key, bytes(1000))
        used = time.time() - 100 * (6 - age)
        os.utime(record(cache, key), (used, used))
    assert cache.get(KEYS[0]) is not None  # used again
    assert [entry.key for entry in cache.entries()] == [KEYS[n] for n in (0, 5, 4, 3, 2, 1)]
    size = cache.entries()[0].size
    assert cache.prune(3 * size) == 3 * size
    assert [entry.key for entry in cache.entries()] == [KEYS[n] for n in (0, 5, 4)]


def test_limits(cache: DiskCache, tmp_path: Path) -> None:
    small = DiskCache(tmp_path / "small", limit=10_000)
    small.put(KEYS[0], bytes(20_000))
    assert small.get(KEYS[0]) is None
    for number in range(200):
        small.put(key_of([b"%d" % number]), bytes(1000))
    assert sum(entry.size for entry in small.entries()) < 30_000
    off = DiskCache(tmp_path / "off", limit=0)
    off.put(KEYS[0], b"x")
    assert off.get(KEYS[0]) is None
    assert not off.directory.exists()
    cache.put(KEYS[0], b"x")
    assert DiskCache(cache.directory, limit=0).get(KEYS[0]) is None, "switched off, though there are records"


def test_leftovers_are_swept(cache: DiskCache) -> None:
    cache.put(KEYS[0], b"x")
    left = record(cache, KEYS[0]).with_suffix(".1.new")
    left.write_bytes(b"half")
    cache.prune()
    assert left.exists()
    os.utime(left, (1, 1))
    cache.prune()
    assert not left.exists()
    assert [entry.key for entry in cache.entries()] == [KEYS[0]]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no permissions")
def test_directories_of_others_are_not_used(cache: DiskCache) -> None:
    cache.put(KEYS[0], b"x")
    cache.check()
    cache.directory.chmod(0o777)
    assert cache.get(KEYS[0]) is None
    assert cache.content(KEYS[0]) is None
    with pytest.raises(DiagnosticError, match="TW0954"):
        cache.check()


def test_a_disk_that_fails_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = DiskCache(tmp_path / "file" / "below", limit=1000)
    cache.put(KEYS[0], b"x")
    assert cache.get(KEYS[0]) is None
    assert (cache.entries(), cache.verify(), cache.prune()) == ([], [], 0)


@pytest.mark.parametrize(
    ("text", "size"), [("0", 0), ("12", 12), ("3K", 3072), ("2 MiB", 2 << 20), ("1gb", 1 << 30)]
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "-1", "1.5G", "many", "3X"])
def test_wrong_sizes(text: str) -> None:
    with pytest.raises(DiagnosticError, match="TW0955"):
        parse_size(text)


def test_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "3M")
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    assert (default_size(), default_directory()) == (3 << 20, tmp_path)
    monkeypatch.delenv("TILEWRIGHT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    for system in ("linux", "darwin"):
        monkeypatch.setattr(disk_cache, "_SYSTEM", system)
        assert default_directory() == tmp_path / "x" / "tilewright"


def test_each_system_has_its_place_for_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    platformdirs = pytest.importorskip("platformdirs")
    from platformdirs.macos import MacOS

    def of_a_mac(name: str, *, appauthor: bool) -> Path:
        return MacOS(name, appauthor).user_cache_path

    for name in ("TILEWRIGHT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(platformdirs, "user_cache_path", of_a_mac)
    monkeypatch.setattr(disk_cache, "_SYSTEM", "linux")
    assert default_directory() == tmp_path / ".cache" / "tilewright"
    monkeypatch.setattr(disk_cache, "_SYSTEM", "darwin")
    assert default_directory() == tmp_path / "Library" / "Caches" / "tilewright"
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name, appauthor: Path("~", name))
    assert default_directory() == disk_cache.NOWHERE  # what it makes of a user without a home


HAMMER = """
import random, sys, time
from pathlib import Path
from tilewright.runtime.disk_cache import DiskCache, key_of
cache = DiskCache(Path(sys.argv[1]), limit=40_000)
choice = random.Random(int(sys.argv[2]))
end = time.monotonic() + 1.0
rounds = 0
while time.monotonic() < end or rounds < 50:
    rounds += 1
    number = choice.randrange(12)
    expected = bytes([number]) * (500 * number + 1)
    action = choice.randrange(10)
    if action < 5:
        cache.put(key_of([expected]), expected)
    elif action < 8:
        found = cache.get(key_of([expected]))
        assert found is None or found == expected, number
    elif action < 9:
        cache.prune(choice.randrange(40_000))
    else:
        assert cache.verify() == []
"""


def hammer(place: Path, seed: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": f"{imported_from()}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", HAMMER, str(place), str(seed)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


def test_eight_processes_at_once(tmp_path: Path) -> None:
    """Every record found is whole, and what is left over is small enough; some of the processes are killed."""
    place = tmp_path / "shared"
    running = [hammer(place, seed) for seed in range(8)]
    while not list(place.glob("*/*")):
        time.sleep(0.01)
    for process in running[:3]:
        time.sleep(0.05)
        process.kill()
    for at, process in enumerate(running):
        _, said = process.communicate(timeout=60)
        assert process.returncode == (-9 if at < 3 else 0), said
    cache = DiskCache(place, limit=40_000)
    assert cache.verify() == []
    for left in place.glob("*/*.new"):
        os.utime(left, (1, 1))
    cache.prune()
    assert not list(place.glob("*/*.new"))
    assert sum(entry.size for entry in cache.entries()) <= 40_000
