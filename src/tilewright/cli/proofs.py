"""`tilewright verify --prove`: run a program, and prove what its kernels access."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tilewright.cli import errors, program as cli_program
from tilewright.cli.kept_runs import ProgramCommand, keep
from tilewright.runtime.last_runs import PROOFS

if TYPE_CHECKING:
    from tilewright.cli import verdict_shapes
    from tilewright.ir.diagnostic import Diagnostic
    from tilewright.prover.report import KernelProof


def prove_program(words: Sequence[str], form: str, target: str) -> int:
    """Run the program ``words[0]`` on a target, with the other words as its arguments, and print the proofs
    about the accesses of its kernels in a form: text, json, sarif or github. Return the exit status of the
    program; if the status is 0 and a statement is refuted, return 1. Raises `UsageError` if ``words[0]`` is
    no Python program, or launches no kernel about which something can be proved, and `DiagnosticError` if
    packages of the extra ``prove`` are missing.
    """
    from tilewright.driver.dependencies import require
    from tilewright.gpu_programs.settings import ProgramSettings

    if not words or not cli_program.is_script(words[0]):
        raise errors.UsageError("--prove needs a Python program", "name a FILE.py that launches kernels")
    require("prove")
    from tilewright.prover import kernels, program, report

    begin = time.perf_counter()
    collector, status = program.observe(words[0], words[1:], ProgramSettings.of(target))
    proofs = [report.prove(one) for one in program.provers(collector)]
    if not proofs:
        raise errors.UsageError(f"'{words[0]}' launches no kernel of which something can be proved")
    problems = [
        report.diagnostic(proof.name, one)
        for proof in proofs
        for one in proof.results
        if one.status != kernels.PROVED
    ]
    _show(words[0], proofs, problems, form)
    kept = ProgramCommand(words[0], words[1:])
    keep(
        PROOFS, kept, time.perf_counter() - begin, partial(_with_findings, words[0], proofs, problems), target
    )
    is_refuted = any(one.status == kernels.REFUTED for proof in proofs for one in proof.results)
    return status or int(is_refuted)


def _with_findings(
    name: str, proofs: Sequence[KernelProof], problems: Sequence[Diagnostic]
) -> Mapping[str, Any]:
    """Return the results as a JSON object with the diagnostics about refuted and open statements."""
    from tilewright.cli.diagnostic_formats import diagnostic_object
    from tilewright.driver.verification import VerificationFinding

    found = [diagnostic_object(VerificationFinding(one)) for one in problems]
    return {**report_of(name, proofs), "findings": found}


def _show(name: str, proofs: Sequence[KernelProof], problems: Sequence[Diagnostic], form: str) -> None:
    from tilewright.cli.diagnostic_formats import shown_as
    from tilewright.ir.diagnostic import render
    from tilewright.prover import kernels, report

    if form == "json":
        click.echo(json.dumps(report_of(name, proofs), indent=2))
    elif form != "text":
        for line in shown_as(form, name, problems):
            click.echo(line)
    else:
        for proof in proofs:
            for one in proof.results:
                if one.status == kernels.PROVED:
                    click.echo(report.line(one))
        sys.stdout.flush()
        for problem in problems:
            click.echo(render(problem), err=True)
        click.echo(report.summary(proofs), err=True)


def report_of(name: str, proofs: Sequence[KernelProof]) -> verdict_shapes.ProofReport:
    """Return the proofs for the kernels of the program ``name`` as a JSON object, with every statement
    whatever its status.
    """
    from tilewright.cli.diagnostic_formats import SCHEMA_VERSION, place

    kernels: list[verdict_shapes.KernelProofReport] = [
        {
            "name": proof.name,
            "launches": proof.launches,
            "statements": [
                {
                    **place(one.op.location),
                    "operation": one.op.name,
                    "subject": one.subject,
                    "status": one.status,
                    "conditions": list(one.conditions),
                    "because": one.because or None,
                    "arguments": list(one.arguments),
                    "finding": one.finding.message if one.finding else None,
                }
                for one in proof.results
            ],
        }
        for proof in proofs
    ]
    return {"schema": SCHEMA_VERSION, "program": name, "kernels": kernels}
