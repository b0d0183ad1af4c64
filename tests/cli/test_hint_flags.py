"""`-Wunsupported-hints` and `-Werr-hints` of `tilewright opt` and `tilewright translate`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.dialects.cuda_tile.test_hints import WRONG
from tilewright.bytecode import write_bytecode
from tilewright.cli.commands.opt import run_opt
from tilewright.cli.commands.translate import run_translate
from tilewright.driver.startup import context
from tilewright.ir.text.parser import parse_module

KERNEL = """cuda_tile.module @m {
  // expected-warning @below {{integer value in the range [1, 32] is expected for sm_90.occupancy}}
  // expected-warning @below {{unknown hint key sm_900}}
  entry @k(%p: tile<ptr<f32>>) optimization_hints=<sm_90 = {occupancy = 64}, sm_900 = {}> {
    // expected-warning @below {{occupancy is not known hint for current Operation}}
    %x, %t = load_ptr_tko weak %p optimization_hints = <default = {occupancy = 1}> : tile<ptr<f32>> -> tile<f32>, token
    return
  }
}
"""
ENTRY = (
    "<stdin>:4:3: warning[TW0202]: integer value in the range [1, 32] is expected for sm_90.occupancy",
    "<stdin>:4:3: warning[TW0202]: unknown hint key sm_900",
)
LOAD = "<stdin>:6:14: warning[TW0202]: occupancy is not known hint for current Operation"
ERRORS = (
    "<stdin>:4:3: error[TW0202]: 'cuda_tile.entry' op Optimization hints verification failed",
    "<stdin>:6:14: error[TW0202]: 'cuda_tile.load_ptr_tko' op Optimization hints verification failed",
)
EXPECTED_ERRORS = KERNEL.replace(
    "  entry @k",
    "  // expected-error @below {{Optimization hints verification failed}}\n  entry @k",
).replace("    %x,", "    // expected-error @below {{Optimization hints verification failed}}\n    %x,")


class Answer(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def headlines(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith("<stdin>")]


def opt(text: str, *words: str) -> Answer:
    out, err = io.StringIO(), io.StringIO()
    status = run_opt(words, io.StringIO(text), out, err)
    return Answer(status, out.getvalue(), err.getvalue())


class Bytes:
    """A stdin that has bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


class Translate:
    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def __call__(self, given: str | bytes, *words: str) -> Answer:
        data = given.encode() if isinstance(given, str) else given
        self.monkeypatch.setattr("sys.stdin", Bytes(data))
        status = run_translate(words)
        return Answer(status, *self.capsys.readouterr())


@pytest.fixture
def translate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Translate:
    return Translate(capsys, monkeypatch)


class TestOpt:
    def test_hints_without_effect_are_ignored_in_silence(self) -> None:
        answer = opt(KERNEL)
        assert (answer.status, answer.err) == (0, "")

    @pytest.mark.parametrize("dashes", ["-", "--"])
    def test_warnings_have_code_place_and_way_out(self, dashes: str) -> None:
        answer = opt(KERNEL, f"{dashes}Wunsupported-hints")
        assert answer.status == 0
        assert answer.headlines == [*ENTRY, LOAD]
        assert "hint: targets are default, sm_80, " in answer.err
        assert "hint: it knows latency\n" in answer.err
        assert "entry @k" in answer.out

    @pytest.mark.parametrize("words", [["-Werr-hints"], ["-Wunsupported-hints", "-Werr-hints"]])
    def test_errors_follow_the_warnings_of_each_operation(self, words: list[str]) -> None:
        answer = opt(KERNEL, *words)
        assert (answer.status, answer.out) == (1, "")
        assert answer.headlines == [*ENTRY, ERRORS[0], LOAD, ERRORS[1]]

    def test_expected_warnings_and_errors(self) -> None:
        assert opt(KERNEL, "-Wunsupported-hints", "-verify-diagnostics") == (0, "", "")
        assert opt(EXPECTED_ERRORS, "-Werr-hints", "-verify-diagnostics") == (0, "", "")
        assert opt(KERNEL, "-Werr-hints", "-verify-diagnostics").status == 1
        assert opt(KERNEL, "-verify-diagnostics").status == 1

    def test_a_flag_can_be_taken_back(self) -> None:
        assert opt(KERNEL, "-Wunsupported-hints", "-Wunsupported-hints=false").err == ""


class TestTranslate:
    def test_text_to_text(self, translate: Translate) -> None:
        assert translate(KERNEL, "-no-implicit-module").err == ""
        answer = translate(KERNEL, "-Wunsupported-hints")
        assert answer.status == 0
        assert answer.headlines == [*ENTRY, LOAD]
        assert "entry @k" in answer.out

    def test_errors_write_nothing(self, translate: Translate, tmp_path: Path) -> None:
        target = tmp_path / "out"
        answer = translate(KERNEL, "-Werr-hints", "-o", str(target))
        assert (answer.status, answer.out) == (1, "")
        assert answer.headlines == [*ENTRY, ERRORS[0], LOAD, ERRORS[1]]
        assert not target.exists()

    def test_bytecode(self, translate: Translate) -> None:
        data = write_bytecode(parse_module(context(), KERNEL))
        assert translate(data).err == ""
        answer = translate(data, "-Wunsupported-hints")
        assert answer.status == 0
        assert answer.err.count("warning[TW0202]") == 3

    def test_pieces(self, translate: Translate) -> None:
        text = f"{KERNEL}// -----\n{KERNEL}"
        assert len(translate(text, "-Wunsupported-hints", "-split-input-file").headlines) == 6
        assert translate(text, "-Wunsupported-hints", "-split-input-file", "-verify-diagnostics").status == 0
        text = f"{EXPECTED_ERRORS}// -----\n{EXPECTED_ERRORS}"
        assert translate(text, "-Werr-hints", "-split-input-file", "-verify-diagnostics").status == 0


def test_every_complaint_has_a_way_out() -> None:
    from tests.dialects.cuda_tile.test_hints import build
    from tilewright.dialects.cuda_tile.rules.hints import check_hints

    for op, given, messages in WRONG.values():
        scratch = build(op, given)
        found = check_hints(scratch.root, as_errors=True)
        assert [diagnostic.message for diagnostic in found[:-1]] == messages
        assert all(diagnostic.hints for diagnostic in found)
