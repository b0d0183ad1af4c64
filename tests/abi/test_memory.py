"""Address spaces, core files, and tables over many operations."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from tests.abi.damage import only_diagnostics
from tests.abi.test_image_module import CONTEXT, sample
from tilewright.abi.image.core_file import core_bytes, image_of_core, load, save
from tilewright.abi.image.module import read_module, write_module
from tilewright.abi.image.segments import AbiImage, MemorySegment, OtherProcessMemory, read_text, read_word
from tilewright.abi.image.table import OperationTable
from tilewright.abi.image.views import view_of
from tilewright.abi.image.walker import addresses
from tilewright.abi.layout import LayoutError, Profile
from tilewright.abi.layouts import operation as ops
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.equality import difference
from tilewright.testing.strategies import sample_modules

PROFILES = pytest.mark.parametrize("profile", Profile, ids=str)


class TestSegments:
    def test_allocation(self) -> None:
        segment = MemorySegment("s", 0x1000)
        assert [segment.allocate(3), segment.allocate(8), segment.allocate(1, 1), segment.allocate(1, 1)] == [
            0x1000,
            0x1008,
            0x1010,
            0x1011,
        ]
        assert segment.end == 0x1012

    def test_reading_stays_inside(self) -> None:
        image = AbiImage([MemorySegment("a", 0x1000, b"abcd"), MemorySegment("b", 0x1004, b"efgh")])
        assert bytes(image.read(0x1001, 3)) == b"bcd"
        assert image.at(0x1007) is image.segment("b")
        for address, size in ((0xFFF, 1), (0x1002, 4), (0x1008, 1), (0x1006, 3), (0x1000, -1)):
            with pytest.raises(DiagnosticError, match="TW1001"):
                image.read(address, size)
        with pytest.raises(DiagnosticError, match="TW1001"):
            image.write(0x1003, b"xy")
        with pytest.raises(KeyError):
            image.segment("c")

    def test_long_strings_are_damage(self) -> None:
        with pytest.raises(DiagnosticError, match=r"TW1001.*while reading a string"):
            read_text(AbiImage(), 0, 1 << 30)

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
    def test_this_process(self) -> None:
        import ctypes

        held = ctypes.create_string_buffer(b"seen from outside")
        memory = OtherProcessMemory(os.getpid())
        assert memory.read(ctypes.addressof(held), 4) == b"seen"
        for address in (0, 1 << 63, -1):
            with pytest.raises(DiagnosticError, match="TW1001"):
                memory.read(address, 8)
        memory.close()


@PROFILES
class TestCoreFiles:
    def test_round_trip(self, profile: Profile, tmp_path: Path) -> None:
        module = sample()
        image = write_module(module, profile)
        save(image, tmp_path / "image.core")
        again = load(tmp_path / "image.core")
        assert (again.profile, again.roots) == (image.profile, image.roots)
        assert [(s.name, s.base, s.data) for s in again.image.segments] == [
            (s.name, s.base, s.data) for s in image.image.segments
        ]
        assert difference(module, read_module(again, CONTEXT), locations=True) is None

    def test_other_tools_can_read_them(self, profile: Profile) -> None:
        elffile = pytest.importorskip("elftools.elf.elffile")
        import io

        image = write_module(sample(), profile)
        elf = elffile.ELFFile(io.BytesIO(core_bytes(image)))
        assert elf["e_type"] == "ET_CORE"
        loads = [s for s in elf.iter_segments() if s["p_type"] == "PT_LOAD"]
        filled = [s for s in image.image.segments if s.data]
        assert [(s["p_vaddr"], s.data()) for s in loads] == [(s.base, bytes(s.data)) for s in filled]
        (note,) = [n for s in elf.iter_segments() if s["p_type"] == "PT_NOTE" for n in s.iter_notes()]
        assert note["n_name"].startswith("tilewright")

    @pytest.mark.parametrize("seed", range(60))
    def test_damage(self, profile: Profile, seed: int) -> None:
        data = bytearray(core_bytes(write_module(sample(), profile)))
        rng = random.Random(seed)
        if seed % 3 == 0:
            del data[rng.randrange(len(data)) :]
        for _ in range(rng.choice((1, 8))):
            if data:
                data[rng.randrange(min(len(data), 900))] ^= 1 << rng.randrange(8)
        with only_diagnostics():
            image = image_of_core(bytes(data))
            if "module" in image.roots:
                read_module(image, CONTEXT)


def test_what_is_no_core_file() -> None:
    for data in (b"", b"\x7fELF", bytes(100), core_bytes(write_module(sample()))[:200]):
        with pytest.raises(DiagnosticError, match="TW1002"):
            image_of_core(data)


@PROFILES
class TestTables:
    def test_a_scan_finds_every_operation(self, profile: Profile) -> None:
        pytest.importorskip("numpy")
        for module in [sample(), *sample_modules(5, seed="table")]:
            image = write_module(module, profile)
            view = view_of(image.image, profile)
            table = OperationTable.scan(image.image, profile)
            visited = addresses(view, image.root)
            assert table.addresses.tolist() == sorted(visited)
            assert len(table) == len(visited)
            names = [op.name for op in module.walk()]
            assert table.names(view) == {name: names.count(name) for name in names}
            ordered = OperationTable.of(image.image, view, visited)
            assert ordered.column("num_results").tolist() == [len(op.results) for op in module.walk()]

    def test_filters(self, profile: Profile) -> None:
        pytest.importorskip("numpy")
        image = write_module(sample(), profile)
        view = view_of(image.image, profile)
        table = OperationTable.scan(image.image, profile)
        records = {view.kind_name(record): record for record in table.kinds()}
        chosen = table.of_kind(records["a.g"])
        assert [view.name(op) for op in chosen.addresses.tolist()] == ["a.g"]
        both = table.of_kind(records["a.g"], records["a.br"])
        assert sorted(view.name(op) for op in both.addresses.tolist()) == ["a.br", "a.br", "a.g"]
        many = table.where(table.column("num_results") > 1)
        assert many.addresses.tolist() == chosen.addresses.tolist()
        with pytest.raises(LayoutError):
            table.column("no such field")

    def test_a_million_operations(self, profile: Profile) -> None:
        np = pytest.importorskip("numpy")
        count = 1_000_000
        image, first = long_block(profile, count)
        table = OperationTable.scan(image, profile)
        assert len(table) == count
        view = view_of(image, profile)
        names = table.names(view)
        assert names == {"a.even": count // 2, "a.odd": count // 2}
        odd = table.of_kind(max(table.kinds()))
        assert len(odd) == count // 2
        assert int(table.column("num_results").sum()) == count // 2
        steps = np.unique(np.diff(table.addresses))
        assert len(steps) == 1
        assert table.addresses[0] == first

    def test_no_operation(self, profile: Profile) -> None:
        pytest.importorskip("numpy")
        image = write_module(sample(), profile)
        with pytest.raises(DiagnosticError, match="TW1002"):
            OperationTable.of(image.image, view_of(image.image, profile), [])


def long_block(profile: Profile, count: int) -> tuple[AbiImage, int]:
    """A block of operations of two kinds in turn, written column by column; operations of odd number have a result."""
    import numpy as np

    writer = {Profile.TILEIRAS: tileiras_columns, Profile.UPSTREAM: upstream_columns}[profile]
    from tilewright.abi.image.module import WRITERS
    from tilewright.ir.declaration.discardable import UnregisteredKind

    held = WRITERS[profile]()
    records = [held.kind(UnregisteredKind(name)) for name in ("a.even", "a.odd")]
    numbers = np.arange(count, dtype=np.uint64)
    data, first = writer(held.operations.base, numbers, np.array(records, dtype=np.uint64)[numbers % 2])
    held.operations.data = memoryview(data)
    return held.image, first


def tileiras_columns(base: int, numbers: object, kinds: object) -> tuple[object, int]:
    import numpy as np

    assert isinstance(numbers, np.ndarray)
    header, link = ops.OPERATION.dtype(), ops.OPERATION_LINK.dtype()
    stride = 16 + ops.trailing_of_image(1, 0, 0, 0).end
    row = np.dtype(
        {"names": ["link", "op"], "formats": [link, header], "offsets": [0, 16], "itemsize": stride}
    )
    rows = np.zeros(len(numbers), dtype=row)
    places = base + 16 + numbers * np.uint64(stride)
    rows["link"]["previous"][1:] = places[:-1]
    rows["link"]["next"][:-1] = places[1:]
    rows["op"]["name"] = kinds
    word = "num_results_and_trailing_result_flag_and_num_inline_results"
    odd = (numbers % 2).astype(np.uint32)
    rows["op"][word] = odd | odd << 23 | 1 << 24
    return rows.view(np.uint8).reshape(-1).data, base + 16


def upstream_columns(base: int, numbers: object, kinds: object) -> tuple[object, int]:
    import numpy as np

    assert isinstance(numbers, np.ndarray)
    header = ops.UPSTREAM_OPERATION.dtype()
    stride, start = 16 + header.itemsize, 16 + ops.UPSTREAM_BLOCK.size + 8
    row = np.dtype({"names": ["op"], "formats": [header], "offsets": [16], "itemsize": stride})
    rows = np.zeros(len(numbers), dtype=row)
    places = base + start + 16 + numbers * np.uint64(stride)
    head = base + 16 + ops.BLOCK_OPERATIONS_OFFSET
    rows["op"]["previous"][1:] = places[:-1]
    rows["op"]["previous"][0] = head
    rows["op"]["next"][:-1] = places[1:]
    rows["op"]["next"][-1] = head
    rows["op"]["block"] = base + 16
    rows["op"]["name"] = kinds
    rows["op"]["num_results"] = numbers % 2
    data = np.concatenate([np.zeros(start, dtype=np.uint8), rows.view(np.uint8).reshape(-1)])
    return data.data, base + start + 16


def test_reading_words() -> None:
    assert read_word(AbiImage([MemorySegment("a", 8, (5).to_bytes(8, "little"))]), 8) == 5
