"""How PDL fails: hard, with one code and one text; the cause is a note at the operation that is to blame."""

from __future__ import annotations

from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.rewrite.codes import PDL_LOWERING

LOWERING_FAILED = "failed to lower PDL pattern module to the PDL Interpreter"
"""The text is an interface: tools search for it."""


def lowering_failure(cause: str, location: Location, hint: str) -> DiagnosticError:
    """Return the error that a module of patterns cannot be compiled, with the ``cause`` as a note at
    ``location`` and ``hint`` as its hint.
    """
    return failure(PDL_LOWERING, LOWERING_FAILED, location, hint=hint, notes=[(cause, location)])


def rewriting_failure(function: str, cause: str, op: Operation, location: Location) -> DiagnosticError:
    """Return the error that the PDL function ``function`` cannot continue, because a native function returned
    an undeclared result or the rewrite is impossible. ``op`` is the root of the match, ``location`` the step
    of the function.
    """
    return failure(
        PDL_LOWERING,
        f"PDL function '@{function}' cannot go on at '{op.name}': {cause}",
        op.location,
        hint="constrain the pattern, so that it matches only operations that it can rewrite",
        notes=[("this step failed", location)],
    )
