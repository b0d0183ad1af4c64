"""What `ptxas` refuses is refused here, too, at a place, and what differs in the mistake only is taken."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.ptx.refused_forms import FORMS, Form, module
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.registers import SPECIAL
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


NUMBERED = {"pm": 8, "envreg": 32}
"""Special registers that are counted, by their prefixes."""


def test_every_special_register_is_there() -> None:
    """The list of the ISA, beside the table that is made from prefixes."""
    words = (
        "laneid warpid nwarpid smid nsmid cluster_ctarank cluster_nctarank clock clock_hi clock64 globaltimer"
    )
    words += " globaltimer_lo globaltimer_hi gridid current_graph_exec total_smem_size aggr_smem_size dynamic_smem_size"
    words += " lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt is_explicit_cluster"
    words += (
        " reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap reserved_smem_offset_0"
    )
    words += " reserved_smem_offset_1"
    vectors = ["tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"]
    wanted = {f"%{name}" for name in words.split()} | {
        f"%{name}.{axis}" for name in vectors for axis in "xyz"
    }
    wanted |= {f"%{name}{at}" for name, count in NUMBERED.items() for at in range(count)}
    wanted |= {f"%pm{at}_64" for at in range(8)}
    assert set(SPECIAL) == wanted


@pytest.mark.parametrize("operand", ["5", "0f3F800000", "[%d1]"])
def test_a_vector_is_no_number(operand: str) -> None:
    for line in (f"st.global.v2.b32 [%d0], {operand};", f"mov.b64 {operand}, %d0;"):
        with pytest.raises(DiagnosticError, match="TW1203"):
            read(module(line))
