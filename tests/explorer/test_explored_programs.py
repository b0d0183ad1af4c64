"""Pages of programs: findings on their lines, which tile block touches what, and nothing that a kernel could inject."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

from tilewright.explorer import collect
from tilewright.explorer.accesses import runs_of
from tilewright.explorer.html import page_text
from tilewright.explorer.passes import difference
from tilewright.explorer.program import of_file, of_script
from tilewright.explorer.schema import Kernel, Page, Source
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.ir.diagnostic import DiagnosticError

RACE = """
import sys
import cuda.tile as ct
import numpy as np

@ct.kernel
def add_up(x, out):
    i = ct.bid(0)
    tile = ct.load(x, (i,), shape=(4,))
    so_far = ct.load(out, (0,), shape=(4,))
    ct.store(out, (0,), so_far + tile)

x, out = np.arange(8, dtype=np.float32), np.zeros(4, np.float32)
ct.launch(None, (2,), add_up, (x, out))
"""


def explored(folder: Path, text: str, target: str = "cpu") -> tuple[Page, int]:
    """The page of a program."""
    script = folder / "program.py"
    script.write_text(text)
    return of_script(str(script), [], ProgramSettings.of(target), "tilewright explore program.py")


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> tuple[Page, int]:
    return explored(tmp_path_factory.mktemp("race"), RACE)


def line(page: Page, place: int) -> int:
    """The line of a place; 0 for none."""
    return page.places[place].line if place >= 0 else 0


def test_a_map_of_a_part_of_a_launch_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = explored(tmp_path, RACE)
    monkeypatch.setattr(collect, "_MOST_STEPS", 30)
    part, _ = explored(tmp_path, RACE)
    assert [array.cut for array in whole.kernels[0].arrays] == [False, False]
    assert [array.cut for array in part.kernels[0].arrays] == [True, True]


def test_a_race_is_on_its_line_and_ends_the_program(race: tuple[Page, int]) -> None:
    page, status = race
    (kernel,) = page.kernels
    assert status == 1, "the program sees what the launch raised"
    found = [finding for finding in kernel.findings if finding.code == "TW0406"]
    assert found
    assert line(page, found[0].place) in (10, 11)
    assert page.sources[page.places[found[0].place].source].text == RACE


def test_the_map_of_an_array_has_the_accesses_of_each_tile_block_and_the_conflicts(
    race: tuple[Page, int],
) -> None:
    page, _ = race
    x, out = page.kernels[0].arrays
    assert [(touch.block, touch.kind, touch.runs) for touch in x.touches] == [
        (0, "load", [(0, 4, 1)]),
        (1, "load", [(4, 4, 1)]),
    ]
    assert (x.name, x.conflicts, out.name, out.conflicts) == ("x", [], "out", [0, 1, 2, 3])
    assert [line(page, touch.place) for touch in out.touches] == [10, 11, 10, 11]


def test_an_atomic_update_and_a_plain_load_conflict_and_two_updates_do_not(tmp_path: Path) -> None:
    plain = "    so_far = ct.load(out, (0,), shape=(4,))\n    ct.store(out, (0,), so_far + tile)\n"
    updates = "    ct.atomic_add(out, ct.arange(4, dtype=ct.int32), tile)\n"
    page, _ = explored(tmp_path, RACE.replace(plain, updates))
    assert page.kernels[0].arrays[1].conflicts == []
    mixed = f"    so_far = ct.load(out, (0,), shape=(4,))\n{updates.replace('tile)', 'tile + so_far)')}"
    page, _ = explored(tmp_path, RACE.replace(plain, mixed))
    assert page.kernels[0].arrays[1].conflicts == [0, 1, 2, 3]


def test_stages_and_passes_are_there_with_patterns(race: tuple[Page, int]) -> None:
    kernel: Kernel = race[0].kernels[0]
    assert [stage.name for stage in kernel.stages] == ["tileir", "tileaa", "tileas", "plan", "llvm", "asm"]
    assert all(stage.text and not stage.error for stage in kernel.stages)
    conversion = next(run for run in kernel.passes if run.name.startswith("convert-cuda-tile-to-tileaa"))
    assert any(pattern.matches for pattern in conversion.patterns)
    assert "cuda_tile.addf" not in conversion.diff.partition("+++")[0]


def test_strided_arrays_are_mapped_where_they_lie(tmp_path: Path) -> None:
    text = RACE.replace("np.arange(8, dtype=np.float32)", "np.arange(16, dtype=np.float32)[::2]")
    page, _ = explored(tmp_path, text)
    touched = page.kernels[0].arrays[0]
    assert touched.shape == [15]
    assert touched.touches[1].runs == [(8, 4, 2)]


def test_a_program_may_end_itself_and_what_ran_before_is_shown(tmp_path: Path) -> None:
    text = RACE.replace("(2,)", "(1,)") + "sys.exit(3)\n"
    page, status = explored(tmp_path, text)
    assert (status, len(page.kernels), page.kernels[0].findings) == (3, 1, [])


def test_the_simulator_counts_what_lines_cost(tmp_path: Path) -> None:
    text = RACE.replace("ct.launch(None, (2,)", "ct.launch(None, (1,)")
    page, _ = explored(tmp_path, text, "sim:sm_80")
    kernel = page.kernels[0]
    assert {line(page, cost.place) for cost in kernel.costs} == {9, 10, 11}
    assert "ptx" in [stage.name for stage in kernel.stages]


def test_a_file_with_a_kernel_and_ptx_have_pages_without_a_run(tmp_path: Path) -> None:
    module = tmp_path / "k.mlir"
    module.write_text("cuda_tile.module @m { entry @f() { return } }")
    page = of_file(module, "sm_80", "")
    ptx = tmp_path / "k.ptx"
    ptx.write_text(next(stage.text for stage in page.kernels[0].stages if stage.name == "ptx"))
    assert of_file(ptx, "cpu", "").kernels[0].stages[0].language == "ptx"


def test_a_file_that_is_not_there_is_a_diagnostic(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticError, match="there is no file"):
        of_file(tmp_path / "none.mlir", "cpu", "")


def test_nothing_of_a_kernel_becomes_html(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script><!--"
    (tmp_path / "main.js").write_text('"</script><!--"')
    (tmp_path / "style.css").write_text("")
    monkeypatch.setattr("tilewright.explorer.html.ASSETS", tmp_path)
    page = Page(hostile, hostile, sources=[Source(hostile, hostile)])
    text = page_text(page)
    assert "alert(1)</script>" not in text
    assert (text.count("<script"), text.count("</script>")) == (2, 2)
    data = re.search(r'id="data">([^<]*)<', text)
    assert data is not None
    assert json.loads(gzip.decompress(base64.b64decode(data[1]))) == page.as_json()


def test_runs_cover_sorted_numbers() -> None:
    numbers = np.array([0, 1, 2, 8, 16, 24, 31, 33])
    assert runs_of(numbers) == [(0, 3, 1), (8, 3, 8), (31, 1, 1), (33, 1, 1)]
    assert runs_of(np.arange(0, 4000, 7) ** 2)[-1][2] == 1, "the rest is one run"


def test_a_difference_is_short_or_says_why_not() -> None:
    assert difference("a\nb", "a\nc").endswith("-b\n+c")
    assert "4000 lines" in difference("x\n" * 3999, "y")


TRITON = """
import numpy as np
import triton
import triton.language as tl

@triton.jit
def add(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n, other=0) + 1, mask=at < n + 4)

add[(2,)](np.arange(10, dtype=np.float32), np.zeros(10, np.float32), 10, BLOCK=8)
"""


def test_kernels_of_triton_are_explored_as_well(tmp_path: Path) -> None:
    pytest.importorskip("triton.language")
    page, _ = explored(tmp_path, TRITON)
    (kernel,) = page.kernels
    assert [(found.code, line(page, found.place)) for found in kernel.findings] == [("TW0402", 9)]
    assert [(array.name, len(array.touches)) for array in kernel.arrays] == [("x_ptr", 2), ("y_ptr", 1)]
    ttir = kernel.stages[0]
    stores = [
        place for text, place in zip(ttir.text.split("\n"), ttir.places, strict=True) if "tt.store" in text
    ]
    assert (ttir.name, [line(page, place) for place in stores]) == ("ttir", [9])


def test_findings_that_a_program_catches_decide_the_status(tmp_path: Path) -> None:
    caught = RACE.replace("ct.launch(", "try:\n    ct.launch(") + "except Exception:\n    pass\n"
    page, status = explored(tmp_path, caught, "interp")
    (kernel,) = page.kernels
    assert status == 1
    assert "TW0406" in {finding.code for finding in kernel.findings}


LATER = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def look_up(x, indices, out):
    ct.store(out, 0, ct.gather(x, ct.load(indices, 0, shape=(4,)), check_bounds=False))

for index in (3, 1 << 27):
    indices = np.array([0, 1, 2, index], np.int32)
    try:
        ct.launch(None, (1,), look_up, (np.ones(64, np.float32), indices, np.zeros(4, np.float32)))
    except Exception:
        pass
"""


def test_later_launches_put_their_findings_onto_the_page(tmp_path: Path) -> None:
    page, status = explored(tmp_path, LATER, "interp")  # which knows the memory of every launch
    (kernel,) = page.kernels
    assert (status, [finding.code for finding in kernel.findings]) == (1, ["TW0402"])


MISTAKEN = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def kernel(x):
    ct.stroe(x, 0, 1.0)

ct.launch(None, (1,), kernel, (np.zeros(1, np.float32),))
"""


def test_the_page_of_a_program_with_a_mistake_says_where(tmp_path: Path) -> None:
    page, status = explored(tmp_path, MISTAKEN)
    assert (status, page.kernels) == (1, [])
    (problem,) = page.problems
    assert (problem.code, line(page, problem.place)) == ("TW0520", 7)


def test_runs_of_rows_are_those_of_steps() -> None:
    rows = np.concatenate([np.arange(row * 100, row * 100 + 8) for row in range(70)])
    found = runs_of(rows)
    assert found[:2] == [(0, 8, 1), (100, 8, 1)]
    assert found[64:] == [(6400, 508, 1)]
    mixed = np.array([3, 7, 8, 9, 20, 30, 31])
    assert runs_of(mixed) == [(3, 1, 1), (7, 3, 1), (20, 1, 1), (30, 2, 1)]


BEFORE = """module {
  %0 = constant <i32: 1>
  %cst = constant <i32: 2>
  %1 = addi %0, %cst
  %2 = for %i in (%0 to %1) {
    %3 = muli %i, %cst
  }
}"""


def test_a_difference_does_not_show_values_that_only_got_other_numbers() -> None:
    after = BEFORE.replace("%2", "%1").replace("addi %0, %cst", "addi %cst, %0")
    after = after.replace("  %1 = addi %cst", "  %9 = addi %cst").replace("to %1", "to %9")
    changed = [row for row in difference(BEFORE, after).split("\n")[3:] if row[:1] in "+-"]
    assert changed == ["-  %9 = addi %0, %cst", "+  %9 = addi %cst, %0"]
    renamed = BEFORE.replace("%3", "%17").replace("%cst", "%c")
    assert difference(BEFORE, renamed) == ""


FAILS = {
    "before": ("1 / 0  # never\n" + RACE, "ZeroDivisionError: division by zero", 1),
    "behind": (RACE.replace("(2,)", "(1,)") + "out.nothing\n", "object has no attribute 'nothing'", 15),
    "within a function": (
        "import json\ndef read():\n    json.loads('[')\nread()\n",
        "JSONDecodeError: Expecting value",
        3,
    ),
    "syntax": ("x = 1\ny = (\n", "SyntaxError: '(' was never closed", 2),
}


@pytest.mark.parametrize("name", FAILS)
def test_the_exception_that_ends_a_program_is_on_the_page_with_its_line(tmp_path: Path, name: str) -> None:
    text, message, at = FAILS[name]
    page, status = explored(tmp_path, text)
    (problem,) = page.problems
    assert (status, problem.severity, line(page, problem.place)) == (1, "error", at)
    assert message in problem.message
    assert text.split("\n")[at - 1].split("#")[0].strip() in problem.text
    assert "runpy" not in problem.text
    assert "tilewright/gpu_programs" not in problem.text


def test_a_finding_that_ends_a_program_is_on_the_page_once(race: tuple[Page, int]) -> None:
    assert race[0].problems == []


UNKNOWN = """
import numpy as np
import tilewright

MODULE = "cuda_tile.module @m { entry @f() { return } }"
tilewright.launch(MODULE, "g", (1,), [])
"""


def test_diagnostics_of_no_kernel_are_on_the_page_with_their_hints(tmp_path: Path) -> None:
    page, _ = explored(tmp_path, UNKNOWN)
    (problem,) = page.problems
    assert problem.code.startswith("TW")
    assert problem.text.startswith("error") or "error[" in problem.text


def test_a_program_that_ends_itself_says_with_which_status(tmp_path: Path) -> None:
    page, _ = explored(tmp_path, "import sys\nsys.exit(3)\n")
    assert [problem.message for problem in page.problems] == ["The program ended with status 3."]
