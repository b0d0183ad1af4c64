"""What `ptxas` refuses is refused here, too, at a place, and what differs in the mistake only is taken."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.ptx.refused_forms import FORMS, Form
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.reading import read
from tilewright.targets.nvptx.tools import programs

SAMPLE = FORMS[::29]
"""The forms that `ptxas` judges in every run; `TILEWRIGHT_PTXAS_FORMS=all` asks it about all."""
ASKED = FORMS if os.environ.get("TILEWRIGHT_PTXAS_FORMS") == "all" else SAMPLE


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_mistake_is_refused_at_its_place(form: Form) -> None:
    with pytest.raises(DiagnosticError) as error:
        read(form.faulty)
    for found in error.value.diagnostics:
        assert str(found.code).startswith("TW12")
        assert found.location.source is not None
        assert found.location.source[1] > 0


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_its_twin_is_taken(form: Form) -> None:
    read(form.right)


@pytest.mark.parametrize("form", ASKED, ids=lambda form: form.name)
def test_the_assembler_agrees(form: Form, tmp_path: Path) -> None:
    found = programs("ptxas")
    if not found:
        pytest.skip("there is no ptxas")
    assembler = str(found[0].path)
    assert not takes(assembler, form.faulty, tmp_path)
    assert takes(assembler, form.right, tmp_path)


def takes(assembler: str, text: str, folder: Path) -> bool:
    """Whether an assembler takes a module, for the target that it names, or for any one if that is none."""
    target = text.split(".target ", 1)[1].split("\n", 1)[0]
    (folder / "k.ptx").write_text(text)
    for arch in (target, "sm_90"):
        command = [assembler, f"-arch={arch}", "-O0", "-o", str(folder / "k.cubin"), str(folder / "k.ptx")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "gpu-name" not in done.stdout + done.stderr:
            break
    return done.returncode == 0


def test_names_and_numbers() -> None:
    names = [form.name for form in FORMS]
    assert len(names) == len(set(names))
    assert len(names) >= 150
