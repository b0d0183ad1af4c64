"""Special registers: thread, block and cluster numbers, and clocks."""

from __future__ import annotations

from tilewright.dialects.nvvm.ops import environment, register
from tilewright.ir.operation import Operation
from tilewright.ptx.model import IntegerConstant, Name
from tilewright.ptx.registers import CONSTANTS, SPECIAL
from tilewright.ptx.value_types import TYPES
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter, Rule
from tilewright.targets.nvptx.nvvm_to_ptx.legal import register_bits

PREFIX = "nvvm.read.ptx.sreg."
CLUSTERED = ("clusterid", "nclusterid", "cluster_")
"""Name prefixes of registers that only chips with clusters have."""


def spelt(op: type[Operation]) -> str:
    """Return the register that an operation reads, from the suffix of the operation's name: ``tid.x``,
    ``cluster.ctaid.x``.
    """
    words = op.op_kind.name.removeprefix(PREFIX).split(".")
    joined = "_".join(words)
    dotted = f"{'_'.join(words[:-1])}.{words[-1]}"
    return next(name for name in (f"%{dotted}", f"%{joined}") if name in SPECIAL)


def _reads(op_class: type[Operation]) -> Rule:
    name = spelt(op_class)
    base, _, component = name.partition(".")
    bits = TYPES[SPECIAL[name]].bits
    source = Name(base, component)

    def rule(emit: PtxFunctionEmitter, op: Operation) -> None:
        if base[1:].startswith(CLUSTERED) and not emit.chip.clusters:
            raise emit.lacking("it has no clusters")
        value = emit.compute(f"mov.{SPECIAL[name].replace('b', 'u')}", source)
        width = emit.width(op.results[0].type)
        same = register_bits(width) == bits
        emit.bind(op.results[0], [value if same else emit.resized(value, bits, width)])

    return rule


def _warp_size(emit: PtxFunctionEmitter, op: Operation) -> None:
    emit.bind(op.results[0], [IntegerConstant(CONSTANTS["WARP_SZ"])])


OPERATIONS = (*register.OPERATIONS, *environment.OPERATIONS)
ROWS: dict[type[Operation], Rule] = {
    **{op: _reads(op) for op in OPERATIONS if op is not register.WarpSizeOp},
    register.WarpSizeOp: _warp_size,
}
"""The rules of all registers that the dialect reads."""
