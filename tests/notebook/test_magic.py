"""The cell magic, and what objects look like in notebooks, in a shell within this process."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("IPython")
pytest.importorskip("cuda.tile")

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import tilewright
from tests.cutile.test_mistakes import MISTAKES, TEXT
from tests.house.documents import blocks
from tests.house.tree import ROOT
from tests.support.mistakes import check
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.layout import Layout

NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
RACE = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def total(x, out):
    tile = ct.load(x, (ct.bid(0),), shape=(8,))
    so_far = ct.load(out, (0,), shape=(8,))
    ct.store(out, (0,), so_far + tile)

x, out = np.arange(16, dtype=np.float32), np.zeros(8, np.float32)
ct.launch(None, (2,), total, (x, out))
out.sum()
"""
HOSTILE = '<img src=x onerror=\\"alert(1)\\">'


@pytest.fixture
def shell() -> Iterator[Any]:
    """A shell with the extension; it keeps no history on disk."""
    shell = InteractiveShell.instance(history_load_length=0)
    shell.history_manager.enabled = False
    shell.run_line_magic("load_ext", "tilewright")
    yield shell
    shell.run_line_magic("unload_ext", "tilewright")
    InteractiveShell.clear_instance()


IGNORED = RACE.replace("so_far + tile)", "so_far + tile)  # tilewright: ignore[TW0406]")


@pytest.mark.parametrize("blocks", [1, 2])
def test_ignores_of_a_cell(shell: Any, blocks: int) -> None:
    cell = IGNORED.replace("(2,)", f"({blocks},)")
    result, outputs = shown(shell, f"%%tilewright --target interp --check racecheck\n{cell}")
    assert result.success
    told = [one["text/plain"] for one in outputs if "TW0" in one.get("text/plain", "")]
    assert [("warning[TW0962]: nothing was found here" in one) for one in told] == [True] * (blocks == 1)


def shown(shell: Any, cell: str) -> tuple[Any, list[dict[str, Any]]]:
    """The result of a cell, and the outputs that it displays."""
    with capture_output() as captured:
        result = shell.run_cell(cell, store_history=True)
    return result, [output.data for output in captured.outputs]


def test_a_cell_runs_and_its_last_value_is_the_result(shell: Any) -> None:
    result, _ = shown(shell, f"%%tilewright\n{RACE}")
    assert result.success, result
    assert result.result == shell.user_ns["out"].sum() > 0


def test_a_finding_has_its_line_and_the_line_that_launched(shell: Any) -> None:
    result, outputs = shown(shell, f"%%tilewright --check all\n{RACE}")
    assert isinstance(result.error_in_exec, DiagnosticError)
    (output,) = outputs
    assert ":9:14: error[TW0406]" in output["text/html"]
    assert "so_far = ct.load(out, (0,), shape=(8,))" in output["text/html"]
    assert output["text/plain"].endswith("raised by line 13: ct.launch(None, (2,), total, (x, out))")


def test_diagnostics_of_other_cells_are_shown_alike(shell: Any) -> None:
    result, (output,) = shown(shell, f'import tilewright\ntilewright.Module.parse("module {HOSTILE}")')
    assert not result.success
    assert "expected &#x27;{&#x27;, got &#x27;&lt;&#x27;" in output["text/html"]
    assert "<img" not in output["text/html"]


def test_the_page_is_shown_although_the_kernel_is_wrong(shell: Any) -> None:
    result, (page, finding) = shown(shell, f"%%tilewright --explore\n{RACE}")
    assert not result.success
    frame = ElementTree.fromstring(page["text/html"])
    assert (frame.tag, frame.get("sandbox")) == ("iframe", "allow-scripts")
    assert "<!doctype html>" in (frame.get("srcdoc") or "")
    assert "TW0406" in finding["text/html"]


def test_an_unknown_target_is_a_diagnostic(shell: Any) -> None:
    _, (output,) = shown(shell, "%%tilewright --target ghost\n1")
    assert "unknown target" in output["text/html"]


def test_modules_artifacts_and_layouts_have_pictures(shell: Any) -> None:
    text = "cuda_tile.module @m { entry @f() { return } }"
    module = tilewright.Module.parse(text)
    assert 't-name">@m<' in module._repr_html_()
    assert module.operation._repr_html_() == module._repr_html_()
    artifact = tilewright.compile(text, target="sm_80")._repr_html_()
    assert "<details><summary><code>ptx</code>" in artifact
    assert " ms</small>" in artifact
    draw = shell.display_formatter.format
    (drawn, _), (large, _) = draw(Layout((4, 8), (8, 1))), draw(Layout(1 << 20, 1))
    assert drawn["image/svg+xml"].startswith("<svg")
    assert "image/svg+xml" not in large


def test_the_notebook_of_the_examples_runs(shell: Any) -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    programs = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for program in programs:
        result, outputs = shown(shell, program)
        is_wrong = "# finds" in program
        assert result.success != is_wrong, (program, result)
        assert not is_wrong or "TW0406" in outputs[-1]["text/html"]


def test_a_finding_that_a_cell_catches_is_shown(shell: Any) -> None:
    caught = RACE.replace("ct.launch(", "try:\n    ct.launch(").replace(
        "out.sum()", "except Exception:\n    7"
    )
    result, (output,) = shown(shell, f"%%tilewright --check racecheck\n{caught}")
    assert result.success, result
    assert ":9:14: error[TW0406]" in output["text/html"]
    assert ": error[TW0406]" in output["text/plain"].splitlines()[0]


MISTAKEN = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def mistaken(x):
    ct.stroe(x, 0, 1.0)

ct.launch(None, (1,), mistaken, (np.zeros(1, np.float32),))
"""


def test_a_mistake_in_a_kernel_has_no_traceback(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with capture_output() as captured:
        shell.run_cell(f"%%tilewright\n{MISTAKEN}", store_history=True)
    (output,) = [one.data for one in captured.outputs]
    assert ":8:5: error[TW0520]: Module 'cuda.tile' has no attribute 'stroe'" in output["text/plain"]
    assert "hint: did you mean 'store'?" in output["text/plain"]
    assert len(output["text/plain"].splitlines()) <= 8
    assert captured.stdout + captured.stderr == ""
    monkeypatch.setenv("TILEWRIGHT_TRACEBACK", "1")
    with capture_output() as captured:
        shell.run_cell(f"%%tilewright\n{MISTAKEN}", store_history=True)
    assert "Traceback (most recent call last)" in captured.stdout


def test_every_mistake_in_a_kernel_is_shown_so(shell: Any) -> None:
    cell = f"%%tilewright\n{TEXT}\nX = np.zeros(64, np.float32)"
    assert shown(shell, cell)[0].success
    for mistake in MISTAKES:
        result, (output,) = shown(shell, f"%%tilewright\nct.launch(0, (1,), {mistake.name}, (X, X.copy()))")
        assert not result.success
        message = output["text/plain"]
        check(message, message.partition(":")[0], cell, mistake)


@pytest.mark.parametrize("arguments", ["", "'text',", "np.zeros(1, np.float32),) * 2 + ("])
def test_wrong_arguments_have_no_traceback(shell: Any, arguments: str) -> None:
    cell = MISTAKEN.replace("stroe", "store").replace("np.zeros(1, np.float32),", arguments)
    with capture_output() as captured:
        shell.run_cell(f"%%tilewright\n{cell}", store_history=True)
    (output,) = [one.data for one in captured.outputs]
    head = output["text/plain"].splitlines()[0]
    assert re.search(r":10:1: error\[TW0401\]", head), "the line of the cell that launches"
    assert len(output["text/plain"].splitlines()) <= 8
    assert captured.stdout + captured.stderr == ""


def test_wrong_words_of_the_magic_have_no_traceback(shell: Any) -> None:
    for words in ("--target nowhere", "--check nothing", "--gpu sm_1", "--chekc all"):
        with capture_output() as captured:
            shell.run_cell(f"%%tilewright {words}\n1", store_history=True)
        said = captured.stdout + captured.stderr + "".join(one.data["text/plain"] for one in captured.outputs)
        assert "Traceback" not in said, said
        assert len(said.splitlines()) <= 8, said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--chekc all", "unrecognized arguments: --chekc all; did you mean '--check'?"),
        ("--taget=cpu", "unrecognized arguments: --taget=cpu; did you mean '--target'?"),
        ("--zzzzzz", "unrecognized arguments: --zzzzzz"),
        ("--target", "argument --target: expected one argument"),
    ],
)
def test_a_misspelt_option_of_the_magic_is_corrected(shell: Any, words: str, said: str) -> None:
    with capture_output() as captured:
        shell.run_cell(f"%%tilewright {words}\n1", store_history=True)
    assert captured.stdout + captured.stderr == f"UsageError: {said}\n"


ENDLESS = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def never(out, last: int):
    while ct.load(out, 0, (1,)).item() != last:
        ct.store(out, 0, ct.load(out, 0, (1,)) * last)

ct.launch(None, (1,), never, (np.zeros(1, np.int32), 0))
signal.setitimer(signal.ITIMER_REAL, 0.03)
ct.launch(None, (1,), never, (np.zeros(1, np.int32), 1))
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that interrupts")
@pytest.mark.parametrize("options", ["", "--target interp"])
def test_an_interrupt_stops_a_cell(shell: Any, options: str) -> None:
    """As a notebook does it: by SIGINT, which a timer sends here."""
    before = signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result, _ = shown(shell, "import signal")
        start = time.monotonic()
        result, _ = shown(shell, f"%%tilewright {options}\n" + ENDLESS)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.signal(signal.SIGINT, handler)
    assert isinstance(result.error_in_exec, KeyboardInterrupt)
    assert time.monotonic() - start < 10
    assert shown(shell, "1 + 1")[0].result == 2


def test_the_cells_of_the_guide_run_in_order(shell: Any) -> None:
    text = (ROOT / "docs" / "guides" / "notebooks.md").read_text(encoding="utf-8")
    cells = [block.text for block in blocks(text) if block.language == "python" and not block.runs]
    assert len(cells) == 4
    for cell in cells:
        with capture_output():
            result = shell.run_cell(cell)
        assert result.success, cell
