"""Matrix products by the matrix instructions of warps.

The factors and the accumulator are fragments: `nv-tileas-assign-layouts` chose the instruction and its
layouts. An atom of the result takes one instruction for each atom along the common dimension; the sums stay
in registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tilewright.dialects.cute_nvgpu import mma_types as cute_nvgpu_mma_types
from tilewright.dialects.cute_nvgpu.dialect import MmaSM80Op
from tilewright.dialects.llvm.ops.conversion import BitcastOp
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.value import Value
from tilewright.layouts.fragments import mma_fragment
from tilewright.layouts.matrix_instructions import Multiplication
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.matrix_layouts import atom_of, has_steps_first
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import shape_of
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern

WORD = 32
"""The width in bits of a register for elements of factors, unless a single element is wider."""
ELEMENTS: Mapping[str, Type] = {
    **{
        type.spelling: type
        for type in (
            builtin_types.f16,
            builtin_types.bf16,
            builtin_types.tf32,
            builtin_types.f32,
            builtin_types.f64,
        )
    },
    **{name: type for type, name in cute_nvgpu_mma_types.PTX_NAMES.items()},
}
"""The element types by their PTX names."""


class MatrixProduct(ThreadPattern[DotOp]):
    """Lower `nv_tileas.dot` to matrix instructions, if `nv-tileas-assign-layouts` chose one for it: for each
    atom of the result, one instruction for each atom along the common dimension.
    """

    def lower(self, op: DotOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        product = atom_of(op)
        if product is None:
            return NoMatch("the product has no matrix instruction")
        steps = shape_of(op.a.type)[-1] // product.instruction.shape[2]
        rows, columns = (
            list(atoms(code, product, operand, values)) for operand, values in (("A", at.a), ("B", at.b))
        )
        sums = list(register_groups(at.c, size_of_atom(product, "C")))
        count = len(rows) * len(columns) // (len(sums) * steps * steps)  # the batches of this warp
        high, wide = (len(part) // (steps * count) for part in (rows, columns))

        def place_in_b(column: int, step: int) -> int:
            return column * steps + step if has_steps_first(product) else step * wide + column

        # Steps are outermost: sums do not wait for each other, and only one step of the factors is live at a
        # time.
        for step in range(steps):
            for number, total in enumerate(sums):
                batch, place = divmod(number, high * wide)
                row, column = divmod(place, wide)
                left = rows[(batch * high + row) * steps + step]
                right = columns[batch * wide * steps + place_in_b(column, step)]
                sums[number] = multiplied(code, product, left, right, total)
        return [[value for total in sums for value in total]]


def size_of_atom(product: Multiplication, operand: str) -> int:
    """Return the number of elements of an atom of the operand ("A", "B" or "C") that a lane holds."""
    type = {"A": product.a, "B": product.b, "C": product.sum}[operand]
    return 1 << len(mma_fragment(product.instruction.shape, operand, type).register)


def register_groups(values: Registers, size: int) -> Iterator[Registers]:
    """Yield consecutive groups of `size` registers."""
    return (values[first : first + size] for first in range(0, len(values), size))


def atoms(code: PatternCode, product: Multiplication, operand: str, values: Registers) -> Iterator[Registers]:
    """Yield the registers of each atom of the factor `operand` ("A" or "B") of `product`, from the elements
    `values`, packed in words as the instruction takes them.
    """
    per_word = max(WORD // product.instruction.bits, 1)
    for atom in register_groups(values, size_of_atom(product, operand)):
        yield [packed(code, word) for word in register_groups(atom, per_word)]


def packed(code: PatternCode, values: Registers) -> Value:
    """Return elements packed in a register as matrix instructions take them: f16 as a vector, f64 and single
    elements alone, the latter as bits, and others as an i32.
    """
    type = values[0].type
    if type is builtin_types.f64:
        return values[0]
    if len(values) == 1:
        return code.bits(values[0])
    word = code.joined(values)
    return word if type is builtin_types.f16 else code(BitcastOp, word, type=builtin_types.i32)


def multiplied(
    code: PatternCode, product: Multiplication, a: Registers, b: Registers, c: Registers
) -> Registers:
    """Emit one matrix instruction for an atom of each operand, and return the registers of ``a * b + c``."""
    atom, types = atom_type(product), [value.type for value in c]
    made = MmaSM80Op(tuple(a), tuple(b), tuple(c), atom, result_types=types, location=code.location)
    return code.rewriter.insert(made).results


def atom_type(product: Multiplication) -> cute_nvgpu_mma_types.MmaAtomType:
    """Return the atom type of `cute_nvgpu` for the instruction of `product`: the type of `sm_89` if the
    factors are 8-bit floats, otherwise of `sm_80`.
    """
    a, b, total = (ELEMENTS[name] for name in (product.a, product.b, product.sum))
    family = (
        cute_nvgpu_mma_types.Sm89MmaType
        if a in cute_nvgpu_mma_types.FLOATS_8
        else cute_nvgpu_mma_types.Sm80MmaType
    )
    return family(product.instruction.shape, a, b, total)


def populate_matrix_products(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file, which precede the patterns of products that threads compute."""
    patterns.add(MatrixProduct(converter, benefit=2))
