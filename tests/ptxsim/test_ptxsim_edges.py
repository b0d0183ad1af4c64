"""Every arithmetic instruction of the table, with all its modifiers, on edge values: as the ISA defines it.

The definitions (`tests/ptxsim/definitions`) are in whole numbers of Python and know nothing of the simulator.
"""

from __future__ import annotations

import pytest

from tests.ptxsim.definitions.kernels import APPROXIMATE, DEFINED, REFUSED, failures, groups, text_of
from tests.support.samples import samples
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.table.notation import InstructionForm
from tilewright.ptxsim import launch

WORK = samples(800, of=2000)
"""So many results are compared for a form, at most."""


def label(form: InstructionForm) -> str:
    return form.syntax().partition(" ")[0] + "-" + "|".join(form.slots[-1].choices[:3])


@pytest.mark.parametrize("form", DEFINED, ids=map(label, DEFINED))
def test_values_are_those_of_the_definition(form: InstructionForm) -> None:
    found = failures(form, work=WORK)
    assert not found, "\n".join([f"{len(found)} results", *found[:20]])


@pytest.mark.parametrize("form", APPROXIMATE, ids=map(label, APPROXIMATE))
def test_approximations_stay_within_their_bounds(form: InstructionForm) -> None:
    found = failures(form, seed=7, work=WORK)
    assert not found, "\n".join([f"{len(found)} results", *found[:20]])


@pytest.mark.parametrize("form", REFUSED, ids=map(label, REFUSED))
def test_what_has_no_meaning_yet_is_refused(form: InstructionForm) -> None:
    for types, group in groups(form):
        names = "abcd"[: len(types)]
        for one in group:
            with pytest.raises(DiagnosticError, match="is not simulated"):
                launch(text_of([one], types, names, 1), "k", (1,), (1,), [0] * (len(types) + 1))


def test_few_forms_are_refused() -> None:
    assert len(REFUSED) == 2
