"""All rules, and the preparation of steps by them."""

from __future__ import annotations

from tilewright.ptx.model import PtxInstruction
from tilewright.ptx.table.instructions import by_name
from tilewright.ptxsim import code as ptxsim_code, faults, program
from tilewright.ptxsim.instructions import (
    bulk,
    conversion,
    copies,
    floating,
    flow,
    fragments,
    groups,
    integer,
    loads_and_stores,
    logic,
    mbarriers,
    products,
    proxies,
    tensormaps,
    warp,
    wmma,
)
from tilewright.ptxsim.instructions.remote import clusters, launchcontrol, multimem, stores
from tilewright.ptxsim.instructions.rules import RULES, Rule, refuse
from tilewright.ptxsim.instructions.tensor import tensormemory, tensorproducts

CHAPTERS = (
    integer,
    floating,
    logic,
    conversion,
    loads_and_stores,
    multimem,
    copies,
    mbarriers,
    bulk,
    tensormaps,
    proxies,
    clusters,
    launchcontrol,
    stores,
    warp,
    fragments,
    products,
    wmma,
    groups,
    tensormemory,
    tensorproducts,
    flow,
)
"""The modules that register rules when they are imported."""


def prepared(step: ptxsim_code.SimulatedStep, site: program.InstructionSite) -> None:
    """Set the function or control of `step` by the rule of its instruction.

    Raises `StoppedError`, a `DiagnosticError`, with the `Fault` of an instruction that is not simulated.
    """
    try:
        found = RULES.get(site.form.name)
        if found is None:
            raise refuse(site)
        step.run = found(site, step)
    except faults.Fault as fault:
        raise faults.located(fault, site.resolver.file_name, step.instruction, step.line, ()) from None


def unit_of(instruction: PtxInstruction) -> str:
    """Return the kind of an instruction in counts: the name of the module that has its rule; integers and
    floats are separate kinds. Raises `KeyError` for an instruction that is not simulated.
    """
    chapter = RULES[instruction.form.name].__module__.rpartition(".")[2]
    of_floats = instruction.modifier("type").startswith(("f", "bf"))
    return "floating" if chapter == "integer" and of_floats else chapter


def rule_of(name: str) -> Rule | None:
    """Return the rule of an instruction, or `None` if it is not simulated."""
    return RULES.get(name)


def simulated() -> tuple[list[str], list[str]]:
    """Return the names of the instructions with a rule, and of the instructions without a rule."""
    names = sorted(by_name())
    return [name for name in names if name in RULES], [name for name in names if name not in RULES]
