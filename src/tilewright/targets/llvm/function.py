"""The text of a function; values and blocks have the numbers that LLVM would assign."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.ops import control as llvm_control, conversion, memory
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir.block import Block
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets import codes
from tilewright.targets.llvm import instructions as llvm_instructions, intrinsics, spelling

RULES: dict[type[Operation], spelling.Rule] = {
    **llvm_instructions.INSTRUCTIONS,
    **dict.fromkeys(intrinsics.INTRINSICS, intrinsics.intrinsic_call),
    llvm_control.CallIntrinsicOp: intrinsics.named_call,
}


def _cast_expression(word: str) -> spelling.Rule:
    return lambda emit, op: f"{word} ({emit.typed(op.operands[0])} to {emit.type(op.results[0].type)})"


def _address_expression(emit: spelling.Spelling, op: memory.GEPOp) -> str:
    positions = "".join(f", i32 {position}" for position in op.rawConstantIndices)
    return f"getelementptr ({emit.type(op.elem_type)}, {emit.typed(op.base)}{positions})"


INITIALIZERS: dict[type[Operation], spelling.Rule] = {
    conversion.AddrSpaceCastOp: _cast_expression("addrspacecast"),
    conversion.PtrToIntOp: _cast_expression("ptrtoint"),
    conversion.IntToPtrOp: _cast_expression("inttoptr"),
    conversion.BitcastOp: _cast_expression("bitcast"),
    memory.GEPOp: _address_expression,
}
"""Operations that may compute the initial value of a global: LLVM's constant expressions."""


class FunctionEmitter(spelling.Spelling):
    """Spells the operations of a function, block by block."""

    __slots__ = ()

    def lines(self, function: LLVMFuncOp) -> list[str]:
        """Return the lines of the body, block by block: labels, phis and instructions. Raises
        `DiagnosticError` for an operation without a form in LLVM IR.
        """
        blocks = list(function.body.blocks)
        self._number(blocks)
        incoming = self._incoming(blocks)
        lines: list[str] = []
        for position, block in enumerate(blocks):
            if position:
                lines.append("")
                lines.append(f"{self._labels[block][1:]}:")
                lines += self._phis(block, incoming.get(block, ()))
            for op in block.ops:
                if op.__class__ not in llvm_instructions.CONSTANTS:
                    lines.append(f"  {self._instruction(op)}")
            lines += self._between(block)
        return lines

    def _fresh(self) -> str:
        number = self._next
        self._next = number + 1
        return f"%{number}"

    def _number(self, blocks: Sequence[Block]) -> None:
        """Assign the text of every value and block, in LLVM's numbering order."""
        values = self._values
        for argument in blocks[0].arguments:
            values[argument] = self._fresh()
        for position, block in enumerate(blocks):
            self._labels[block] = self._fresh()
            for argument in block.arguments if position else ():
                values[argument] = self._fresh()
            for op in block.ops:
                rule = llvm_instructions.CONSTANTS.get(op.__class__)
                if rule is not None:
                    values[op.results[0]] = rule(self, op)
                elif op.results:
                    values[op.results[0]] = self._fresh()
            self._split_edges(block)

    def _split_edges(self, block: Block) -> None:
        """Plan a new block on all but the first of the edges from `block` to one target with block arguments.

        The entries of a phi must be equal for equal predecessors; the values of the edges may differ.
        """
        end = block.terminator
        assert end is not None, "the module was verified"
        self._targets[block] = llvm_instructions.successor_operands(end)
        seen: set[Block] = set()
        for at, (target, operands) in enumerate(self._targets[block]):
            if target in seen and operands:
                self._edges[block, at] = self._fresh()
            seen.add(target)

    def _between(self, block: Block) -> list[str]:
        lines: list[str] = []
        for at, (target, _) in enumerate(self._targets[block]):
            edge = self._edges.get((block, at))
            if edge is not None:
                place = self.places.at() if self.places is not None else ""
                lines += ["", f"{edge[1:]}:", f"  br label {self._labels[target]}{place}"]
        return lines

    def _incoming(self, blocks: Sequence[Block]) -> dict[Block, list[tuple[str, tuple[Value, ...]]]]:
        """Return for each block, for its phis, the label of each predecessor and the values that it passes."""
        found: dict[Block, list[tuple[str, tuple[Value, ...]]]] = {}
        for block in blocks:
            for at, (target, operands) in enumerate(self._targets[block]):
                origin = self._edges.get((block, at)) or self._labels[block]
                found.setdefault(target, []).append((origin, operands))
        return found

    def _phis(self, block: Block, incoming: Sequence[tuple[str, tuple[Value, ...]]]) -> list[str]:
        lines: list[str] = []
        for at, argument in enumerate(block.arguments):
            pairs = ", ".join(f"[ {self._values[operands[at]]}, {origin} ]" for origin, operands in incoming)
            lines.append(f"  {self._values[argument]} = phi {self.type(argument.type)} {pairs}")
        return lines

    def _instruction(self, op: Operation) -> str:
        rule = RULES.get(op.__class__)
        if rule is None:
            raise failure(
                codes.NO_LLVM_FORM,
                f"operation '{op.kind.name}' has no form in LLVM IR",
                op.location,
                hint="lower everything to the dialect 'llvm' first",
            )
        text = rule(self, op)
        if self.places is not None:
            text += self.places.at(op)
        return f"{self._values[op.results[0]]} = {text}" if op.results else text

    def constant_of(self, ops: Sequence[Operation]) -> str:
        """Return the constant that `ops`, the operations of a region, compute for the initial value of a
        global; ``undef`` without a terminator. Raises `DiagnosticError` for operations that are no constant
        expressions.
        """
        for op in ops:
            rule = llvm_instructions.CONSTANTS.get(op.__class__) or INITIALIZERS.get(op.__class__)
            if rule is None:
                return self._returned(op)
            self._values[op.results[0]] = rule(self, op)
        return "undef"

    def _returned(self, op: Operation) -> str:
        if op.kind.is_terminator and op.operands:
            return self._values[op.operands[0]]
        raise failure(
            codes.NO_LLVM_CONSTANT,
            f"the initial value of a global is computed by '{op.kind.name}'",
            op.location,
            hint="constants, addresses, casts and addresses of members can be initial values",
        )
