"""Where kernels print."""

from __future__ import annotations

import io
import os
import sys

import pytest

from tilewright.ir.support.print_conversions import write_out


def test_the_output_of_the_process(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes of the text are written as they are, after what Python has buffered."""
    with os.fdopen(1, "w", encoding="ascii", closefd=False) as output:
        monkeypatch.setattr(sys, "stdout", output)
        print("first", end=" ")
        write_out("\u00e9\udcff\n")
        monkeypatch.undo()
    assert capfd.readouterr().out.startswith("first \u00e9")


def test_what_is_no_character(monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    output = io.TextIOWrapper(held, "utf-8", write_through=True)
    monkeypatch.setattr(sys, "stdout", output)
    write_out("a\udcffb")
    monkeypatch.undo()
    assert not output.closed
    assert held.getvalue() == b"a\\udcffb"


def test_a_process_without_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    write_out("x")
