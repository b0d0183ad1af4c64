"""Choices of modifiers: what each needs beyond its form, and a sample of the table held against the assembler."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.ptx.refused_forms import module
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.table.instructions import FORMS
from tilewright.ptx.table.notation import InstructionForm
from tilewright.targets.nvptx.tools import programs
from tools.ptx_forms import KNOWN, Assembler, variants

SAMPLE = [form for form in FORMS if not form.only][::30]
"""The forms whose choices the assembler judges in every run; ``make ptx-forms`` asks it about all."""
REFUSED = (
    ("ld.mmio.relaxed.sys.b32 %r0, [%d0];", "8.1", "sm_90", "needs sm_70 and PTX 8.2"),
    ("ld.relaxed.cluster.b32 %r0, [%d0];", "8.0", "sm_80", "needs sm_90 and PTX 7.8"),
    ("ld.shared::cta.b32 %r0, [tile];", "7.7", "sm_80", "needs PTX 7.8"),
    ("cvt.rn.bf16.f32 %h0, %f0;", "7.0", "sm_75", "needs sm_80 and PTX 7.0"),
    ("cvt.rn.sat.bf16.f32 %h0, %f0;", "8.7", "sm_90", "has no .sat beside .bf16"),
    ("ld.global.L2::cache_hint.b32 %r0, [%d0];", "8.7", "sm_90", "takes a cache policy"),
    ("elect.sync %r0, %r1;", "8.7", "sm_90", "writes a predicate, too"),
    ("discard.global.L2 [%d0], 64;", "8.7", "sm_90", "takes 128 bytes, not 64"),
    ("mbarrier.arrive.release.b64 %d1, [tile];", "8.7", "sm_90", "takes a scope beside its order"),
    ("atom.shared.add.v2.f32 {%f0, %f1}, [tile], {%f2, %f3};", "8.7", "sm_90", "in global memory only"),
)


@pytest.mark.parametrize(("line", "version", "target", "words"), REFUSED, ids=lambda one: str(one)[:24])
def test_a_choice_is_refused_where_it_is_not(line: str, version: str, target: str, words: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        read(module(line, version, target))
    assert words in str(error.value)
    assert error.value.diagnostics[0].location.source is not None


@pytest.mark.parametrize("form", SAMPLE, ids=lambda form: form.syntax())
def test_the_assembler_takes_the_choices_of_a_form(form: InstructionForm, tmp_path: Path) -> None:
    found = programs("ptxas")
    if not found:
        pytest.skip("there is no ptxas")
    assembler, known = (
        Assembler(Path(found[0].path), tmp_path),
        KNOWN.read_text(encoding="utf-8").splitlines(),
    )
    told = [assembler.judged(one) for one in itertools.islice(variants(form), 2) if one.line not in known]
    assert not any(told), told
