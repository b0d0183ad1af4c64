"""Launching: arguments, threads, scratch memory, reports, prints."""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")
ml_dtypes = pytest.importorskip("ml_dtypes")

from tests.runtime.images import LOOP, POINTER, SCALARS, SQUARE, kernel  # noqa: E402
from tilewright.ir.diagnostic import DiagnosticError  # noqa: E402
from tilewright.runtime.description import KernelImage  # noqa: E402
from tilewright.runtime.engine import Library  # noqa: E402
from tilewright.runtime.image import Image  # noqa: E402
from tilewright.runtime.kernel import LoadedImage  # noqa: E402
from tilewright.runtime.workers.threads import Crew, available_processors, thread_count  # noqa: E402
from tilewright.targets.cpu.machine.compile import object_code  # noqa: E402
from tilewright.targets.cpu.machine.host import host  # noqa: E402


def passed(element: str, value: object) -> int:
    """The slot that a kernel sees for a number."""
    out = np.full(1, -1, np.int64)
    kernel(f"probe {element}").launch((1, 1, 1), [out, value])
    return int(out[0]) & (1 << 64) - 1


def bits(value: Any) -> int:
    return int.from_bytes(np.asarray(value).tobytes(), "little")


class TestNumbers:
    @pytest.mark.parametrize("element", [name for name in SCALARS if name.startswith("i")])
    def test_integers(self, element: str) -> None:
        width = int(element[1:])
        mask = (1 << width) - 1
        values = [0, 1, mask, *([-1, -(1 << (width - 1)), 5] if width > 1 else [])]
        for value in values:
            for given in (value, np.int64(value) if value < 1 << 63 else value):
                assert passed(element, given) & mask == value & mask, given

    @pytest.mark.parametrize(
        ("element", "convert"),
        [
            ("f16", np.float16),
            ("bf16", ml_dtypes.bfloat16),
            ("f32", np.float32),
            ("f64", np.float64),
            ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
            ("f8E5M2", ml_dtypes.float8_e5m2),
        ],
    )
    def test_floats(self, element: str, convert: Callable[[float], Any]) -> None:
        width = np.dtype(convert).itemsize * 8
        for value in (0.0, -0.0, 1.5, 0.1, -3.25, 7, float("inf"), np.float32(0.3)):
            if element == "f8E4M3FN" and value == float("inf"):
                continue
            assert passed(element, value) & (1 << width) - 1 == bits(convert(value)), value

    @pytest.mark.parametrize("element", SCALARS)
    def test_launches_of_numbers_pass_what_others_pass(self, element: str) -> None:
        out = np.full(1, -1, np.int64)
        widest = (1 << (int(element[1:]) - 1)) - 1 if element.startswith("i") else 1e300
        for value in (True,) if element == "i1" else (1, widest, 2 * widest):
            kernel(f"probe {element}").launch_numbers((1, 1, 1), [out.ctypes.data, value])
            assert int(out[0]) & (1 << 64) - 1 == passed(element, value), value

    def test_launches_of_numbers_refuse_what_does_not_fit(self) -> None:
        with pytest.raises(DiagnosticError, match="i32"):
            kernel("probe i32").launch_numbers((1, 1, 1), [0, 1 << 40])

    def test_numbers_too_large_for_the_type(self) -> None:
        assert passed("f32", 1e300) & 0xFFFFFFFF == bits(np.float32("inf"))
        assert passed("f16", 1e6) & 0xFFFF == bits(np.float16("inf"))

    @pytest.mark.parametrize(
        ("element", "value"),
        [
            ("i32", ctypes.c_int32(-7)),
            ("i64", ctypes.c_int64(-7)),
            ("i1", ctypes.c_bool(True)),
            ("f32", ctypes.c_float(1.25)),
            ("f64", ctypes.c_double(0.1)),
        ],
    )
    def test_ctypes(self, element: str, value: Any) -> None:
        size = ctypes.sizeof(value)
        assert passed(element, value) & (1 << 8 * size) - 1 == int.from_bytes(bytes(value), "little")

    @pytest.mark.parametrize(
        ("element", "value"),
        [
            ("i32", 1.5),
            ("i32", 1 << 32),
            ("i8", -129),
            ("i1", 2),
            ("i1", ctypes.c_int32(2)),
            ("f32", "1"),
            ("i64", None),
            ("f32", 1j),
        ],
    )
    def test_refusals_are_those_of_the_interpreter(self, element: str, value: object) -> None:
        with pytest.raises(DiagnosticError, match=r"TW0401.*argument 1 of entry"):
            passed(element, value)


class TestPointers:
    def test_kinds(self) -> None:
        run = kernel("square").launch
        array = np.zeros(8, np.int64)
        for given in (array, array.ctypes.data, ctypes.c_void_p(array.ctypes.data), memoryview(array)):
            run((4, 1, 1), [given])
        run((2, 1, 1), [array[::2]])
        assert array.tolist() == [0, 5, 16, 36, 0, 0, 0, 0]

    def test_other_elements(self) -> None:
        with pytest.raises(DiagnosticError, match="its elements are float32, not i64"):
            kernel("square").launch((1, 1, 1), [np.zeros(8, np.float32)])

    def test_counts(self) -> None:
        with pytest.raises(DiagnosticError, match="takes 1 arguments, 2 were given"):
            kernel("square").launch((1, 1, 1), [np.zeros(1, np.int64), 1])

    @pytest.mark.parametrize("grid", [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 1, 2)])
    def test_a_prepared_launch_runs_every_tile_block(self, grid: tuple[int, int, int]) -> None:
        array = np.zeros(5, np.int64)
        kernel("probe i64").prepare(grid, [array, 7])()
        assert np.count_nonzero(array) == grid[0] * grid[1] * grid[2]

    @pytest.mark.usefixtures("young_heap")
    def test_prepared(self) -> None:
        array = np.zeros(6, np.int64)
        again = kernel("square").prepare((2, 3, 1), [array])
        again()
        again()
        assert array.tolist() == [2 * n * n for n in range(6)]
        one = kernel("square").prepare((1, 1, 1), [array])
        kept = weakref.ref(array)
        del array, again
        gc.collect()
        one()
        assert kept() is not None


class TestThreads:
    @pytest.mark.parametrize("threads", [1, 2, 7, None])
    def test_every_tile_block_runs_once(self, threads: int | None) -> None:
        array = np.zeros(3000, np.int64)
        kernel("square").launch((10, 100, 3), [array], threads)
        assert (array == np.arange(3000) ** 2).all()

    def test_systems_without_code_for_workers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Launches start threads of their own."""
        crews: list[Crew] = []

        def crew(work: Callable[[], object]) -> Crew:
            crews.append(Crew(work))
            return crews[-1]

        monkeypatch.setattr("tilewright.runtime.kernel.workers", lambda: None)
        monkeypatch.setattr("tilewright.runtime.kernel.Crew", crew)
        array = np.zeros(3000, np.int64)
        row = KernelImage("f", "f", (POINTER,), 0)
        code = object_code(LOOP.format(name="f", body=SQUARE), host())
        LoadedImage(Image(code, (row,))).kernels["f"].launch((3000, 1, 1), [array], 3)
        assert (array == np.arange(3000) ** 2).all()
        assert [crew.count for crew in crews] == [0]

    def test_launches_at_once(self) -> None:
        def go() -> None:
            for _ in range(20):
                array = np.zeros(500, np.int64)
                kernel("square").launch((500, 1, 1), [array], 3)
                wrong.append(int((array != np.arange(500) ** 2).sum()))

        wrong: list[int] = []
        callers = [threading.Thread(target=go) for _ in range(4)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        assert wrong == [0] * 80

    def test_scratch_memory(self) -> None:
        array = np.full(64, -1, np.int64)
        kernel("scratch").launch((64, 1, 1), [array], 2)
        assert not array.any()

    @pytest.mark.parametrize("threads", [1, 2])
    def test_scratch_memory_that_the_system_has_not(self, threads: int) -> None:
        row = KernelImage("f", "f", (POINTER,), 1 << 60)
        code = object_code(LOOP.format(name="f", body=SQUARE), host())
        launch = LoadedImage(Image(code, (row,))).kernels["f"].launch
        with pytest.raises(DiagnosticError, match=r"(?s)TW0958.*1152921504606847040 bytes.*fewer threads"):
            launch((64, 1, 1), [np.zeros(64, np.int64)], threads)
        array = np.full(64, -1, np.int64)
        kernel("scratch").launch((64, 1, 1), [array], threads)
        assert not array.any()

    def test_counts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TILEWRIGHT_THREADS", "3")
        assert (thread_count(), thread_count(5)) == (3, 5)
        monkeypatch.delenv("TILEWRIGHT_THREADS")
        assert thread_count() == available_processors()

    @pytest.mark.parametrize("wrong", ["0", "-1", "many", "", "2000"])
    def test_wrong_counts(self, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
        monkeypatch.setenv("TILEWRIGHT_THREADS", wrong)
        with pytest.raises(DiagnosticError, match="TW0951"):
            thread_count()
        with pytest.raises(DiagnosticError, match="TW0951"):
            thread_count(0)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
    @pytest.mark.filterwarnings("ignore::DeprecationWarning")
    def test_a_child_process_has_threads_of_its_own(self) -> None:
        array = np.zeros(300, np.int64)
        kernel("square").launch((300, 1, 1), [array], 2)
        child = os.fork()
        if child == 0:
            array[:] = 0
            kernel("square").launch((300, 1, 1), [array], 2)
            os._exit(0 if (array == np.arange(300) ** 2).all() else 1)
        assert os.waitpid(child, 0)[1] == 0


class TestReports:
    def test_a_failure_has_its_place(self) -> None:
        with pytest.raises(DiagnosticError) as raised:
            kernel("fail").launch((4, 2, 1), [], 1)
        (diagnostic,) = raised.value.diagnostics
        assert diagnostic.location.source == ("kernel.py", 12, 3)
        assert "in tile block (1, 1, 0): assertion 'must hold' failed" in diagnostic.message

    def test_the_next_launch_starts_anew(self) -> None:
        kernel("fail").launch((5, 1, 1), [])
        again = kernel("fail").prepare((6, 1, 1), [])
        for _ in range(2):
            with pytest.raises(DiagnosticError, match="TW0952"):
                again()

    def test_prints(self, capfd: pytest.CaptureFixture[str]) -> None:
        kernel("print").launch((3, 1, 1), [], 2)
        assert capfd.readouterr().out == "-3 [1.5, 2.0]\n" * 3

    def test_failures_to_print_are_raised(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(text: str) -> None:
            raise OSError("no room")

        monkeypatch.setattr("tilewright.runtime.reports.write_out", fail)
        with pytest.raises(OSError, match="no room"):
            kernel("print").launch((1, 1, 1), [])


class TestLoading:
    def test_functions_of_the_c_library(self) -> None:
        x = np.ones(1)
        kernel("exp").launch((1, 1, 1), [x])
        assert x[0] == np.exp(1.0)

    def test_missing_functions(self) -> None:
        text = "declare void @nobody_has_this()\n" + LOOP.format(
            name="f", body="call void @nobody_has_this()"
        )
        with pytest.raises(DiagnosticError, match="TW0950"):
            Library(object_code(text, host()), ["f"])

    @pytest.mark.usefixtures("young_heap")
    def test_memory_is_given_back(self) -> None:
        image = Image(
            object_code(LOOP.format(name="f", body=SQUARE), host()), (KernelImage("f", "f", (POINTER,), 0),)
        )
        array = np.zeros(4, np.int64)
        for _ in range(3):
            loaded = LoadedImage(image)
            loaded.kernels["f"].launch((4, 1, 1), [array])
            kept = weakref.ref(loaded.kernels["f"])
            del loaded
            gc.collect()
            assert kept() is None
        assert array.tolist() == [3 * n * n for n in range(4)]

    @pytest.mark.parametrize("wrong", [b"", b"12345678", b"\2\0\0\0\0\0\0\0[1", b"\3\0\0\0\0\0\0\0[1]"])
    def test_what_is_no_image(self, wrong: bytes) -> None:
        with pytest.raises(ValueError, match="not an image"):
            Image.from_bytes(wrong)
