"""Refuses modules that cannot be converted, before any conversion, with the location, the reason and a way
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.dialects.cuda_tile.rules.memory import ATOMIC_ELEMENTS, EXCHANGEABLE
from tilewright.dialects.llvm.intrinsics.memory import AssumeOp
from tilewright.dialects.tt.ops import atomic as tt_atomic, external as tt_external
from tilewright.dialects.tt.types import TensorDescType, element_type_of
from tilewright.dialects.ttg.dialect import BarrierOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.ir.operation import Operation
from tilewright.lowering import codes
from tilewright.lowering.triton_to_cuda_tile.control_patterns import ENTERED
from tilewright.lowering.triton_to_cuda_tile.elementwise.libdevice import FUNCTIONS
from tilewright.lowering.triton_to_cuda_tile.memory_patterns import MODES
from tilewright.lowering.triton_to_cuda_tile.type_conversion import TritonTypeConverter, refusal

DIALECTS = ("tt", "arith", "math", "scf", "cf", "ub")
"""The dialects of TTIR, which the conversion removes completely."""
BESIDES = (AssumeOp, BarrierOp)
"""Operations of other dialects that occur in TTIR."""


def refuse(functions: Sequence[Operation], converter: TritonTypeConverter) -> None:
    """Raise a `DiagnosticError` if Tile IR cannot express an operation or a type in `functions`. It has one
    error for each kind of construct, at its first location.
    """
    found: dict[str, Diagnostic] = {}
    for function in functions:
        for op in function.walk():
            for diagnostic in _refused(op, converter):
                found.setdefault(diagnostic.message, diagnostic)
    if found:
        raise DiagnosticError(list(found.values()))


def _refused(op: Operation, converter: TritonTypeConverter) -> Iterator[Diagnostic]:
    reason = _reason(op)
    if reason is not None:
        message, hint = reason
        yield Diagnostic(Severity.ERROR, message, op.location, codes.TRITON_UNSUPPORTED).hint(hint)
        return
    blocks = [block for region in op.regions for block in region.blocks]
    for type in dict.fromkeys((*op.result_types, *(a.type for block in blocks for a in block.arguments))):
        if converter.converted(type) is None or _has_layout(type):
            yield _of_type(type, op)


def _reason(op: Operation) -> tuple[str, str] | None:
    """Return the reason why an operation cannot be converted, and a hint; None if it can be converted."""
    match op:
        case tt_external.ElementwiseInlineAsmOp():
            return (
                "inline assembly is written for one chip",
                "write the expression with operations of triton.language",
            )
        case tt_external.ExternElementwiseOp() if op.symbol not in FUNCTIONS:
            return (
                f"the external function '{op.symbol}' is not known here",
                "write it with operations of triton.language",
            )
        case tt_atomic.AtomicPollOp():
            return (
                "'tt.atomic_poll' waits for a program that may run later on the same processor",
                "split the kernel in two launches where one waits for the other",
            )
        case tt_atomic.AtomicCASOp() | tt_atomic.AtomicRMWOp() if not _is_atomic(op):
            return (
                f"'{op.name}' updates {element_type_of(op.val.type)} in one step, and Tile IR only 32 and 64 bits",
                "keep in 32 bits what programs update together",
            )
        case _ if op.kind.dialect in DIALECTS or isinstance(op, (*BESIDES, *ENTERED)):
            return None
        case _:
            return (
                f"'{op.name}' is no part of Triton's first representation (TTIR)",
                "convert the module before passes that choose layouts and memories run on it",
            )


def _is_atomic(op: tt_atomic.AtomicCASOp | tt_atomic.AtomicRMWOp) -> bool:
    """Return whether Tile IR has this atomic operation for the element type."""
    if isinstance(op, tt_atomic.AtomicCASOp):
        return element_type_of(op.val.type) in EXCHANGEABLE
    return element_type_of(op.val.type) in ATOMIC_ELEMENTS[MODES[op.atomic_rmw_op]][0]


def _has_layout(type: Type) -> bool:
    tensor = isinstance(type, RankedTensorType) and type.encoding is not None
    return tensor or (isinstance(type, TensorDescType) and type.layout is not None)


def _of_type(type: Type, op: Operation) -> Diagnostic:
    if _has_layout(type):
        message, hint = f"{type} has a layout", "convert the module before layouts are chosen"
    else:
        reason = refusal(type)
        message = f"{type} has no form in Tile IR" + (f": {reason}" if reason else "")
        hint = "convert the numbers to a type that tiles have, or use extents that are powers of two"
    return Diagnostic(Severity.ERROR, message, op.location, codes.TRITON_TYPE).hint(hint)
