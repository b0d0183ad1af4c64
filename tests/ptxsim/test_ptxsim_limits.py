"""Programs without an end, and variables that nobody has room for: each is told, none takes time or memory first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.ptxsim.harness import HEAD, run
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.support.option_spelling import COMMAND_LINE, PYTEST, PYTHON, options_spelled_for
from tilewright.ptxsim import launch

LOOP = ".entry k() {\nagain: bra again;\n}"
NESTED = """.func f(.reg .b32 %n) {
    .reg .b32 %m; .reg .pred %p;
    STOP sub.u32 %m, %n, 1;
    call f, (%m);
    ret;
}
.entry k() {
    call f, (50);
    ret;
}"""


def told(text: str, *args: Any, **options: Any) -> str:
    with pytest.raises(DiagnosticError) as error:
        launch(HEAD + text, "k", (1,), (32,), list(args), **options)
    return str(error.value)


@pytest.mark.parametrize("limit", [1, 100, 60_000])
@pytest.mark.parametrize("schedule", [0, 3])
def test_a_loop_without_an_end(limit: int, schedule: int) -> None:
    found = told(LOOP, limit=limit, schedule=schedule)
    assert f"<ptx>:5:8: error[TW1257]: the launch exceeds its limit of {limit:,} instructions" in found
    assert f"hint: limit={10 * limit} of launch allows more" in found


def test_the_limit_is_exact() -> None:
    """Five instructions of one block end within a limit of five, and not within one of four."""
    text = (
        ".entry k() { .reg .b32 %a<4>; mov.b32 %a0, 1; mov.b32 %a1, 1; mov.b32 %a2, 1; mov.b32 %a3, 1; ret; }"
    )
    assert launch(HEAD + text, "k", (1,), (32,), [], limit=5).steps == 5
    assert "TW1257" in told(text, limit=4)
    assert launch(HEAD + text, "k", (3,), (32,), [], limit=15).steps == 15
    with pytest.raises(DiagnosticError, match="TW1257"):
        launch(HEAD + text, "k", (3,), (32,), [], limit=10)


def test_calls_without_an_end() -> None:
    launch(HEAD + NESTED.replace("STOP", "setp.eq.u32 %p, %n, 0; @%p ret;"), "k", (1,), (32,), [])
    found = told(NESTED.replace("STOP", ""))
    assert "<ptx>:7:5: error[TW1254]: more than 2000 calls are open, the last one of 'f'" in found


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        (".global .b8 huge[1099511627775];", "variables up to 'huge', of 1,099,511,627,775 bytes"),
        (".global .b8 some[100000]; .global .b8 more[1073691824];", "variables up to 'more'"),
        (
            ".global .align 1073741824 .b8 aligned[4];",
            "variables up to 'aligned', of 4 bytes in multiples of 1,073,741,824",
        ),
    ],
)
def test_variables_without_room(declared: str, words: str) -> None:
    found = told(f"{declared}\n.entry k() {{ ret; }}")
    assert words in found
    assert "1,073,741,824 bytes that the simulator allows" in found


def test_local_variables_without_room() -> None:
    assert "TW1250]: variables take 600,000 bytes of local memory" in told(
        ".entry k() { .local .b8 a[600000]; ret; }"
    )


def test_local_memory_is_as_large_as_its_variables() -> None:
    """A large array is there as a whole, and behind a small one nothing is, with calls and without."""
    body = ".local .align 4 .b8 words[SIZE]; .reg .b64 %y; mov.u64 %y, words; st.local.b32 [%y+AT], 3; ld.local.b32 %r, [%y+AT];"

    def stored(size: int, at: int) -> Any:
        return run(
            body.replace("SIZE", str(size)).replace("AT", str(at)), "b32 -> b32", np.zeros(32, np.uint32)
        )

    assert (stored(100_000, 99_996) == 3).all()
    assert (stored(16, 12) == 3).all()
    for size, at in ((16, 16), (32, 32), (100_000, 100_000)):
        with pytest.raises(DiagnosticError, match=r"TW1254\]: store at local address"):
            stored(size, at)


def test_shared_memory_up_to_its_limit() -> None:
    """Half a megabyte, of which the system has the first kilobyte."""
    most = (1 << 19) - (1 << 10)
    text = f"{HEAD}.entry k() {{ ret; }}"
    launch(text, "k", (1,), (1,), [], shared=most)
    with pytest.raises(DiagnosticError, match="TW1250"):
        launch(text, "k", (1,), (1,), [], shared=most + 1)


def test_shared_memory_without_room() -> None:
    assert "TW1250]: a block needs 1,000,001,024 bytes of shared memory" in told(
        ".entry k() { ret; }", shared=10**9
    )


def test_the_command_has_the_option(tmp_path: Path) -> None:
    (tmp_path / "loop.ptx").write_text(HEAD + LOOP)
    command = [sys.executable, "-m", "tilewright", "sim", str(tmp_path / "loop.ptx")]
    command += ["--max-instructions", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "exceeds its limit of 1,000 instructions" in done.stderr
    assert "hint: --max-instructions 10000 allows more" in done.stderr


@pytest.mark.parametrize(
    ("door", "words"),
    [
        (PYTHON, 'CompileOptions(max_instructions="30") allows more'),
        (PYTEST, "TILEWRIGHT_MAX_INSTRUCTIONS=30 allows more"),
        (COMMAND_LINE, "TILEWRIGHT_MAX_INSTRUCTIONS=30 allows more"),
    ],
)
def test_a_simulated_target_names_the_option_of_the_door(
    door: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_MAX_INSTRUCTIONS", "3")
    artifact = tilewright.compile(KERNEL, target="sim:sm_80")
    with options_spelled_for(door), pytest.raises(DiagnosticError, match="TW1257") as error:
        artifact.launch((1, 1, 1), [np.zeros(1, np.int32)])
    assert words in str(error.value)
    monkeypatch.setenv("TILEWRIGHT_MAX_INSTRUCTIONS", "many")
    with pytest.raises(DiagnosticError, match="the variable 'TILEWRIGHT_MAX_INSTRUCTIONS' is a number"):
        artifact.launch((1, 1, 1), [np.zeros(1, np.int32)])


KERNEL = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %stored = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""


def launched(limit: str) -> str:
    options = tilewright.CompileOptions(max_instructions=limit)
    with pytest.raises(DiagnosticError) as error:
        tilewright.compile(KERNEL, target="sim:sm_80", options=options).launch(1, [np.zeros(4, np.int32)])
    return str(error.value)


def test_targets_have_the_option() -> None:
    found = launched("3")
    assert "kernel 'k' in tile block (0, 0, 0): the launch exceeds its limit of 3 instructions" in found
    assert "TW0926]: the option 'max_instructions' is a number of instructions from 1 on" in launched("many")
