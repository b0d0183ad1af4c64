"""Arrays that may not be written, and kernels that write: the rule for every target.

An array that a kernel may write has to be writeable; one that it only reads may be read-only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.interp.codes import READ_ONLY
from tilewright.interp.memory.access_messages import argument_name, memory_name
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity

HINT = "pass a writeable copy, such as numpy.array(x)"
THROUGH_PARAMETER = "the kernel writes to it"
FROM_INTEGERS = "the kernel writes through addresses made from integers, which may lead there"


@dataclass(frozen=True, slots=True)
class Writes:
    """The memory that a kernel may change: the memory of the parameters with these numbers; with
    ``anywhere``, any memory.
    """

    parameters: frozenset[int] = frozenset()
    anywhere: bool = False

    def may_change(self, parameter: int) -> bool:
        """Return whether the kernel may change the memory of parameter number `parameter`."""
        return self.anywhere or parameter in self.parameters


class ReadOnlyError(DiagnosticError):
    """A kernel may write to memory that is read-only.

    ``parameter`` is the number of the parameter that leads there; for further arrays that the kernel reaches,
    ``memory`` is the number among these. The other one is None. ``reason`` says why the array is refused.
    """

    def __init__(
        self,
        diagnostics: Sequence[Diagnostic],
        message: str | None = None,
        *,
        parameter: int | None = None,
        memory: int | None = None,
        reason: str = "",
    ) -> None:
        super().__init__(diagnostics, message)
        self.parameter = parameter
        self.memory = memory
        self.reason = reason


def refuse_parameter(writes: Writes, kernel: str, parameter: int) -> ReadOnlyError:
    """Return the error for a read-only array passed for parameter number `parameter` of the entry called
    `kernel`, to be raised. Its reason is that the kernel writes to the array, or, with ``writes.anywhere``,
    that it writes through addresses made from integers.
    """
    reason = FROM_INTEGERS if writes.anywhere else THROUGH_PARAMETER
    subject = f"{argument_name(parameter)} of entry '{kernel}'"
    return ReadOnlyError([_diagnostic(subject, reason)], parameter=parameter, reason=reason)


def refuse_memory(kernel: str, number: int) -> ReadOnlyError:
    """Return the error for a read-only array, number `number` of those that the entry called `kernel` reaches
    beside its parameters, to be raised. Its reason is that the kernel writes through addresses made from
    integers.
    """
    subject = f"{memory_name(number)} of entry '{kernel}'"
    return ReadOnlyError([_diagnostic(subject, FROM_INTEGERS)], memory=number, reason=FROM_INTEGERS)


def _diagnostic(subject: str, reason: str) -> Diagnostic:
    message = f"{subject} is read-only, and {reason}"
    found = Diagnostic(Severity.ERROR, message, code=READ_ONLY)
    found.hint(HINT)
    return found
