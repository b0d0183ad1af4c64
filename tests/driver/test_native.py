"""Machine code of modules: what is kept, on disk and in the process; what cannot be compiled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

import tilewright  # noqa: E402
from tests.house.tree import ROOT, run_python  # noqa: E402
from tilewright.driver.compile import compile  # noqa: E402
from tilewright.driver.launch import FallbackWarning, kernels  # noqa: E402
from tilewright.driver.loading import UncompilableError, cache_key, is_loadable  # noqa: E402
from tilewright.driver.stages import CompileOptions  # noqa: E402
from tilewright.driver.target import TARGETS  # noqa: E402
from tilewright.ir.diagnostic import DiagnosticError  # noqa: E402
from tilewright.runtime import crashes  # noqa: E402
from tilewright.runtime.disk_cache import DiskCache  # noqa: E402
from tilewright.runtime.image import Image  # noqa: E402
from tilewright.runtime.keyed_cache import KeyedCache  # noqa: E402
from tilewright.targets.cpu.kernel import kernel as back_end  # noqa: E402

CPU = TARGETS["cpu"]
KernelCache = KeyedCache[Any, Any]
KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
BYTECODE = tilewright.Module.parse(KERNEL.read_text()).to_bytecode()


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskCache:
    crashes.install()  # its code is kept, too, by whoever is first to load a kernel
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "1M")
    return DiskCache()


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> KernelCache:
    made: KernelCache = KeyedCache(2)
    monkeypatch.setattr("tilewright.driver.launch.KERNELS", made)
    return made


def scaled(source: object = BYTECODE, **options: object) -> list[float]:
    x = np.arange(4, dtype=np.float32)
    tilewright.launch(source, "scale", (1, 1, 1), [x, 1.5], **options)  # pyright: ignore
    return x.tolist()


EXPECTED = [0.0, 3.0, 6.0, 9.0]


def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(back_end, "make_plan", fail)


class TestOnDisk:
    def test_the_second_process_does_not_compile(self, disk: DiskCache) -> None:
        program = (
            "import sys, numpy as np, tilewright\n"
            "x = np.arange(4, dtype=np.float32)\n"
            f"tilewright.launch(open({str(KERNEL)!r}).read(), None, 1, [x, 1.5])\n"
            "print(x.tolist(), 'tilewright.targets.cpu.kernel.kernel' in sys.modules)"
        )
        assert run_python(program).strip() == f"{EXPECTED} True"
        assert run_python(program).strip() == f"{EXPECTED} False"
        contents = [disk.get(entry.key) for entry in disk.entries()]
        kernels = [Image.from_bytes(content).kernels for content in contents if content is not None]
        assert sorted(map(len, kernels)) == [0, 1]  # the code that reports crashes, and the kernel

    def test_damage_is_repaired(self, disk: DiskCache, fresh: KernelCache) -> None:
        assert scaled() == EXPECTED
        (path,) = disk.directory.glob("*/*")
        whole = path.read_bytes()
        path.write_bytes(whole[:-10])
        assert scaled(bytearray(BYTECODE)) == EXPECTED
        assert path.read_bytes() == whole

    def test_a_record_of_another_kind(self, disk: DiskCache, fresh: KernelCache) -> None:
        disk.put(cache_key(BYTECODE, CompileOptions(), CPU), b"something else")
        assert scaled() == EXPECTED
        assert disk.entries()[0].size > 100

    @pytest.mark.parametrize("kind", ["object", "symbol", "head"])
    def test_records_that_cannot_be_loaded(self, disk: DiskCache, fresh: KernelCache, kind: str) -> None:
        """Their digests are right.  They are made anew, and `cache verify` finds them."""
        assert scaled() == EXPECTED
        (key,) = (entry.key for entry in disk.entries())
        content = disk.get(key)
        assert content is not None
        image = Image.from_bytes(content)
        (found,) = image.kernels
        nested = b"[" * 100_000
        foreign = {
            "object": Image(b"no object file", image.kernels).to_bytes(),
            "symbol": Image(image.object_code, (replace(found, symbol="other"),)).to_bytes(),
            "head": len(nested).to_bytes(8, "little") + nested,
        }
        disk.put(key, foreign[kind])
        assert disk.verify() == []
        assert scaled(bytearray(BYTECODE)) == EXPECTED
        assert disk.get(key) == content
        disk.put(key, foreign[kind])
        assert disk.verify(is_loadable) == [key]

    def test_keys(self) -> None:
        plain = CompileOptions()
        cases = [
            (b"a", plain, CPU),
            (b"b", plain, CPU),
            (b"a", CompileOptions(pipeline="cse"), CPU),
            (b"a", CompileOptions(opt_level=0), CPU),
            (b"a", CompileOptions(debug_info=True), CPU),
            (b"a", CompileOptions(cpu="aarch64"), CPU),
            (b"a", plain, CPU.replace(name="another")),
        ]
        assert len({cache_key(*case) for case in cases}) == len(cases)
        assert cache_key(b"a", CompileOptions(isolate=True), CPU) == cache_key(*cases[0])

    def test_options_are_not_mixed_up(self, disk: DiskCache) -> None:
        """The same module for another processor is not found in the record of this one's."""
        x = np.arange(4, dtype=np.float32)
        compile(BYTECODE).launch(1, [x, 1.5])
        with pytest.raises(DiagnosticError, match="TW0950"):
            compile(BYTECODE, options=CompileOptions(cpu="aarch64")).launch(1, [x, 1.5])


class TestInProcess:
    def test_code_is_kept(self, fresh: KernelCache, monkeypatch: pytest.MonkeyPatch) -> None:
        assert scaled() == EXPECTED
        no_compiler(monkeypatch)
        assert scaled() == EXPECTED
        with pytest.raises(UncompilableError, match="compiled"):
            scaled(bytearray(BYTECODE))

    def test_the_oldest_goes(self, fresh: KernelCache) -> None:
        text = KERNEL.read_text()
        renamed = [text.replace('"scale"', f'"{name}"') for name in "ab"]
        sources = [BYTECODE, *(tilewright.Module.parse(other).to_bytecode() for other in renamed)]
        first = kernels(sources[0])
        assert kernels(sources[0]) is first
        for source in sources[1:]:
            kernels(source)
        assert kernels(sources[0]) is not first

    def test_no_silent_fallback(self, fresh: KernelCache, monkeypatch: pytest.MonkeyPatch) -> None:
        no_compiler(monkeypatch)
        for _ in range(2):
            with pytest.raises(UncompilableError, match="TW0606"):
                scaled()
        with pytest.warns(FallbackWarning, match="interpreted instead: .*TW0606"):
            assert scaled(fallback="interp") == EXPECTED
        assert scaled(target="interp") == EXPECTED
        with pytest.raises(DiagnosticError, match="no fallback 'gpu'"):
            scaled(fallback="gpu")

    def test_failures_are_remembered(self, fresh: KernelCache, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patch:
            no_compiler(patch)
            with pytest.raises(UncompilableError):
                scaled()
        with pytest.raises(UncompilableError):
            scaled()

    def test_invalid_modules_are_no_fallback_case(self, fresh: KernelCache) -> None:
        with pytest.raises(DiagnosticError, match="TW03") as raised:
            scaled(BYTECODE[:40], fallback="interp")
        assert not isinstance(raised.value, UncompilableError)

    def test_wrong_threads(self) -> None:
        x = np.zeros(4, np.float32)
        with pytest.raises(DiagnosticError, match="TW0951"):
            tilewright.launch(BYTECODE, None, 2, [x, 1.0], threads=0)


def test_the_program_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_key(b"a", CompileOptions(), CPU)
    monkeypatch.setattr("tilewright.runtime.disk_cache.program_stamp", lambda: "changed")
    assert cache_key(b"a", CompileOptions(), CPU) != before
