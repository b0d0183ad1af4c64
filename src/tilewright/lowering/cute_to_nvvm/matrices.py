"""Matrix instructions of `cute_nvgpu`: products become `nvgpu`'s, whose fragments are vectors; loads become
`nvvm`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.cute_nvgpu.copy_types import LdsmType
from tilewright.dialects.cute_nvgpu.dialect import LoadMatrixOp, MmaSM80Op
from tilewright.dialects.cute_nvgpu.enums import MatrixMode
from tilewright.dialects.cute_nvgpu.mma_types import MmaAtomType
from tilewright.dialects.llvm.ops.aggregate import ExtractValueOp
from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.dialects.nvgpu.dialect import LANES, MmaSyncOp
from tilewright.dialects.nvvm.attributes import LdStMatrixShapeAttr
from tilewright.dialects.nvvm.enums.memory import LdStMatrixEltType
from tilewright.dialects.nvvm.enums.mma import MMALayout
from tilewright.dialects.nvvm.ops.mma import LdMatrixOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType, i32
from tilewright.ir.value import Value
from tilewright.lowering.cute_to_nvvm.registers import ChipGate
from tilewright.lowering.inserting import RewritingInserter
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet

EIGHT = LdStMatrixShapeAttr(m=8, n=8)
LAYOUTS = {MatrixMode.M88: MMALayout.ROW, MatrixMode.MT88: MMALayout.COL}
"""The layout of the matrices that ``ldmatrix`` loads, by the mode of the copy."""


def fragment(element: Type, registers: Sequence[Value], elements: int) -> VectorType:
    """Return the type of the fragment of a matrix of `elements` elements, which a lane holds in `registers`:
    a vector of rank 2 with a row for each register. Registers of a single element, as accumulators have,
    share a row in pairs if their number is even.
    """
    rows = len(registers)
    if registers[0].type is element and rows % 2 == 0:
        rows //= 2
    return VectorType((rows, elements // LANES // rows), element)


class MmaConversion(ConversionPattern[MmaSM80Op]):
    """Converts a matrix product to `nvgpu.mma.sync`: the registers of each fragment are several values that
    together replace one vector. It does not match if the chip lacks the instruction.
    """

    def __init__(self, converter: LLVMTypeConverter, gate: ChipGate) -> None:
        super().__init__(converter)
        self.gate = gate

    def match_and_rewrite(
        self, op: MmaSM80Op, adaptor: Adaptor, rewriter: ConversionRewriter
    ) -> NoMatch | None:
        atom = op.atom
        assert isinstance(atom, MmaAtomType), "verified"
        refused = self.gate.refuses_atom(op, atom)
        if refused is not None:
            return refused
        emit = RewritingInserter(rewriter, op.lazy_location)
        m, n, k = atom.shape
        parts = ((atom.a, adaptor.a, m * k), (atom.b, adaptor.b, k * n), (atom.accumulator, adaptor.c, m * n))
        bound = [
            emit(UnrealizedConversionCastOp, tuple(registers), type=fragment(element, registers, size))
            for element, registers, size in parts
        ]
        made = emit(MmaSyncOp, *bound, mmaShape=atom.shape, type=bound[2].type)
        types = [value.type for value in adaptor.c]
        rewriter.replace(op, emit.insert(UnrealizedConversionCastOp, (made,), result_types=types).results)
        return None


class LoadMatrices(ConversionPattern[LoadMatrixOp]):
    """Converts a load of matrices to ``ldmatrix``: a lane gets one 32-bit word of each matrix. Modes other
    than 8 x 8 matrices of 16-bit elements, and chips without the instruction, do not match.
    """

    def __init__(self, converter: LLVMTypeConverter, gate: ChipGate) -> None:
        super().__init__(converter)
        self.gate = gate

    def match_and_rewrite(
        self, op: LoadMatrixOp, adaptor: Adaptor, rewriter: ConversionRewriter
    ) -> NoMatch | None:
        atom = op.atom
        assert isinstance(atom, LdsmType), "verified"
        layout = LAYOUTS.get(atom.mode)
        if layout is None:
            return NoMatch("matrices of the mode {} are loaded by newer instructions", (atom.mode.name,))
        refused = self.gate.refuses_atom(op, atom)
        if refused is not None:
            return refused
        emit = RewritingInserter(rewriter, op.lazy_location)
        type = i32 if atom.count == 1 else LLVMStructType((i32,) * atom.count)
        made = emit(LdMatrixOp, adaptor.ptr, atom.count, layout, EIGHT, LdStMatrixEltType.B16, type=type)
        words = [made] if atom.count == 1 else [emit(ExtractValueOp, made, (at,)) for at in range(atom.count)]
        rewriter.replace(op, words)
        return None


def populate_matrices(patterns: RewritePatternSet, converter: LLVMTypeConverter, gate: ChipGate) -> None:
    """Add the patterns for matrix products and loads of matrices."""
    patterns.add(MmaConversion(converter, gate), LoadMatrices(converter, gate))
