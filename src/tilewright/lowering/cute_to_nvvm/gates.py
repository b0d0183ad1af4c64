"""The first chip of each instruction: patterns test it, and refuse an operation with its name and the chip's."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dialects.common.interfaces import AtomTypeInterface, concept
from tilewright.dialects.nvvm.base import RequiresSM
from tilewright.ir.attribute import Type
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.lowering import codes
from tilewright.lowering.capability import Capability
from tilewright.lowering.target_facts import target_of
from tilewright.rewrite.pattern import NoMatch

HINT = "write the attributes that `convert-tileaa-to-tileas{compute-capability=sm_80}` writes"


def first_chip(atom: Type) -> int:
    """Return the lowest compute capability that has the instruction of an atom."""
    known = concept(atom, AtomTypeInterface)
    assert known is not None, "atoms say what they need"
    return known.minimum_capability(atom)


@dataclass(frozen=True, slots=True)
class Gate:
    """The chip that code is made for, with tests of whether it has the instruction of an operation."""

    target: Capability

    def refuses(self, op: Operation, first: int) -> NoMatch | None:
        """Return the reason why an operation that exists since compute capability ``first`` is not available
        on the target; None if it is.
        """
        if self.target.number >= first:
            return None
        return NoMatch("'{}' needs sm_{}; the code is for {}", (op.name, first, self.target.chip))

    def refuses_atom(self, op: Operation, atom: Type) -> NoMatch | None:
        """Return the refusal of an operation because of the instruction of its atom, or None."""
        return self.refuses(op, first_chip(atom))

    def refuses_kind(self, op: Operation, made: type[Operation]) -> NoMatch | None:
        """Return the refusal of an operation because of the operation of `nvvm` that would replace it, or None."""
        needed = made.op_kind.trait(RequiresSM)
        return None if needed is None else self.refuses(op, min(needed.versions))


def target_on_gpu(module: Operation) -> Capability:
    """Return the chip of a module.

    Raises `DiagnosticError` if the module has no target, or the processor is its target.
    """
    target = target_of(module)
    if target is None or target.is_host:
        message = "the module does not name its GPU"
        raise failure(codes.NO_COMPUTE_CAPABILITY, message, module.location, hint=HINT)
    return target
