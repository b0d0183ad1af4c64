"""The results of proofs as lines and diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.ir.diagnostic import Diagnostic, Severity, location_text
from tilewright.prover import codes
from tilewright.prover.kernels import BOUNDS, OPEN, PROVED, REFUTED, KernelProver, ProofResult

_REFUTED = {BOUNDS: codes.REFUTED_BOUNDS}


@dataclass(frozen=True, slots=True)
class KernelProof:
    """The results for a kernel: its name, the number of its observed launches, and the results for its
    accesses. Equal results at one source position, as of unrolled loops, occur once.
    """

    name: str
    launches: int
    results: tuple[ProofResult, ...]


def prove(prover: KernelProver) -> KernelProof:
    """Prove the statements about a kernel and return the results. Equal results at one source position occur
    once.
    """
    merged: dict[object, ProofResult] = {}
    for one in prover.results():
        key = one.op.location.source, one.op.name, one.subject, one.status, one.conditions, one.because
        merged.setdefault(key, one)
    return KernelProof(prover.name, len(prover.launches), tuple(merged.values()))


def line(result: ProofResult) -> str:
    """Return the line of text for a result with the status "proved": its position, if it has one, the
    statement, and the conditions after "if", or "for all arguments" if there are none.
    """
    conditions = f" if {' and '.join(result.conditions)}" if result.conditions else " for all arguments"
    place = location_text(result.op.location)
    return (
        f"{place}: proved: {_statement(result)}{conditions}"
        if place
        else f"proved: {_statement(result)}{conditions}"
    )


def _statement(result: ProofResult) -> str:
    kind = _kind(result)
    if result.subject == BOUNDS:
        return f"{kind} is in bounds"
    return f"{kind} races with no other tile block"


def _kind(result: ProofResult) -> str:
    name = result.op.name.partition(".")[2]
    return next((word for word in ("load", "store", "atomic") if word in name), "access")


def diagnostic(kernel: str, result: ProofResult) -> Diagnostic:
    """Return the diagnostic for a result: a warning if the statement is not proved, an error if it is
    refuted. `kernel` is the name of the kernel in the message.
    """
    kind, place = _kind(result), result.op.location
    if result.status == OPEN:
        subject = "in bounds" if result.subject == BOUNDS else "free of races between tile blocks"
        text = f"kernel '{kernel}': it is not proved that the {kind} is {subject}: {result.because}"
        return Diagnostic(Severity.WARNING, text, place, codes.NOT_PROVED)
    fails = "leaves its memory" if result.subject == BOUNDS else "races with another tile block"
    found = Diagnostic(
        Severity.ERROR,
        f"kernel '{kernel}': the {kind} {fails} with {', '.join(result.arguments)}",
        place,
        _REFUTED.get(result.subject, codes.REFUTED_RACE),
    )
    if result.finding is not None:
        found.note(f"the interpreter finds: {result.finding.message}")
    return found


def summary(proofs: Sequence[KernelProof]) -> str:
    """Return the line of text with the number of kernels, and the numbers of results that are proved, refuted
    and not proved.
    """
    counts = Counter(one.status for proof in proofs for one in proof.results)
    words = ", ".join(f"{counts[status]} {status}" for status in (PROVED, REFUTED, OPEN))
    return f"tilewright: {len(proofs)} kernel{'s'[len(proofs) == 1 :]}: {words}"
