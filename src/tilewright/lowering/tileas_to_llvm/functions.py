"""The function boundary: functions of `nv_tileaa` become functions of `func`, with arguments of LLVM's types.

Bodies are not converted: casts from the new arguments give them the old types until the body conversion runs.
If the module names a target, a kernel's resources become the target's attributes:

| of the kernel | on the function | where |
|---|---|---|
| that it is one | `cute.kernel` | everywhere |
| numWarps | `nvvm.reqntid` = (32 * numWarps, 1, 1) | GPUs |
| clusterDim of more than one block | `nvvm.cluster_dim`, `nvvm.blocksareclusters` | from sm_90 on |
| - | `nvvm.minctasm` = 1 | GPUs |
| maxRegisters, else occupancy | `nvvm.maxnreg` | GPUs, where set |

Attributes that a function already has are kept. The original type of an argument is in its attribute
`nv_tileaa.type`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.func import ops as func
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr
from tilewright.dialects.nv_tileaa.discardable import DECLARED
from tilewright.dialects.nv_tileaa.ops import program as aa
from tilewright.ir import block as ir_block, builtin_types, diagnostic
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT, DictionaryAttr, TypeAttr, dense_integers, integer32
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult
from tilewright.lowering import capability as lowering_capability, codes, pattern as conversion
from tilewright.lowering.llvm_types.converter import SIGNATURE_FAILURE, LLVMOptions, LLVMTypeConverter
from tilewright.lowering.llvm_types.element_forms import TYPED
from tilewright.lowering.pattern import ConversionInserter, LoweringPattern, LoweringResult
from tilewright.lowering.target_facts import KERNEL, is_kernel, target_of
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite import codes as rewrite_codes, pattern_set
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.target import ConversionTarget

_Op = TypeVar("_Op", bound=Operation)

FAILED = "region types conversion failed"
RETURNS = "Kernel functions do not support return with operands"
"""The texts of errors are an interface: tools search for them."""
OWN = ("sym_name", "function_type", "kernel_spec", "sym_visibility", "arg_attrs", "res_attrs")
THREADS = 32
"""The number of threads of a warp."""
REGISTERS = 1 << 16
"""The number of registers of a multiprocessor."""
MAXIMUM_REGISTERS = 255
"""The maximum number of registers of a thread."""
REGISTER_STEP = 8
"""The number of registers of a thread is a multiple of this."""


# --- what a kernel asks of the machine


def maximum_registers(spec: KernelSpecAttr) -> int:
    """Return the maximum number of registers of a thread: the number in the specification, otherwise the
    largest number that allows the requested occupancy, a multiple of `REGISTER_STEP` and at least that.
    Return 0 if the specification has neither.
    """
    if spec.max_registers or not spec.occupancy:
        return spec.max_registers
    fitting = REGISTERS // (spec.occupancy * spec.warps * THREADS)
    return max(REGISTER_STEP, min(MAXIMUM_REGISTERS, fitting // REGISTER_STEP * REGISTER_STEP))


def launch_attributes(spec: KernelSpecAttr, target: lowering_capability.Capability) -> dict[str, Attribute]:
    """Return the attributes of NVVM for a kernel specification, by name: the threads of a block, the cluster
    if it has several blocks and the chip has clusters, the minimum number of blocks of a multiprocessor (1),
    and the maximum number of registers of a thread if there is one. Return an empty dictionary for the host.
    """
    if target.gpu is None:
        return {}
    found: dict[str, Attribute] = {"nvvm.reqntid": dense_integers((THREADS * spec.warps, 1, 1))}
    if target.gpu.clusters and spec.cluster_dim != (1, 1, 1):
        found["nvvm.cluster_dim"] = dense_integers(spec.cluster_dim)
        found["nvvm.blocksareclusters"] = UNIT
    found["nvvm.minctasm"] = integer32(1)
    registers = maximum_registers(spec)
    if registers:
        found["nvvm.maxnreg"] = integer32(registers)
    return found


# --- patterns


class TargetFunctionPattern(LoweringPattern[_Op]):
    """The base of the patterns for functions, calls, returns and casts, which know the target. ``target`` is
    None if the module names none.
    """

    def __init__(self, converter: LLVMTypeConverter, target: lowering_capability.Capability | None) -> None:
        super().__init__(converter)
        self.converter = converter
        self.target = target


class FuncOpConversion(TargetFunctionPattern[aa.FuncOp]):
    """Converts a function, including the types of its arguments, to `func.func`; the body is moved
    unconverted. A kernel gets the mark `KERNEL`, and, for a GPU, its resources as attributes of NVVM. Raises
    `DiagnosticError` if a parameter or result has no LLVM type.
    """

    def lower(
        self, op: aa.FuncOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        inputs = self._converted(op, op.function_type.inputs)
        results = self._converted(op, op.function_type.results)
        made = emit.insert(
            func.FuncOp,
            sym_name=op.sym_name,
            function_type=builtin_types.FunctionType(tuple(inputs), tuple(results)),
            sym_visibility=op.sym_visibility,
            arg_attrs=_argument_attributes(op, inputs),
            res_attrs=op.res_attrs,
            no_inline=False,
            body=ir_block.Region(),
            attributes=self._attributes(op),
        )
        emit.rewriter.take_region(op.body, made.body)
        if not emit.rewriter.convert_region_types(made.body, self.converter):
            return emit.rewriter.no_match("a block argument has no form in LLVM")
        return ()

    def _converted(self, op: Operation, types: Sequence[Type]) -> list[Type]:
        found: list[Type] = []
        for type in types:
            form = self.converter.convert_value_type(type)
            if form is None:
                hint = "pass numbers and pointers, and make the value in the kernel"
                text = f"{SIGNATURE_FAILURE}{type}"
                raise diagnostic.failure(rewrite_codes.SIGNATURE_CONVERSION, text, op.location, hint=hint)
            found.append(form)
        return found

    def _attributes(self, op: aa.FuncOp) -> dict[str, Attribute]:
        found = {name: value for name, value in op.held_attributes.items() if name not in OWN}
        if is_kernel(op):
            found[KERNEL] = UNIT
        if op.kernel_spec is not None and self.target is not None:
            found = launch_attributes(op.kernel_spec, self.target) | found
        return found


def _argument_attributes(op: aa.FuncOp, types: Sequence[Type]) -> tuple[DictionaryAttr, ...]:
    """Return the attributes of the arguments, whose new types are `types`. An argument whose type has changed
    gets the attribute `nv_tileaa.type` with its former type.
    """
    given: Sequence[DictionaryAttr] = op.arg_attrs or (DictionaryAttr(),) * len(types)
    pairs = zip(given, op.function_type.inputs, types, strict=True)
    return tuple(
        held if old is new else DictionaryAttr.of({**dict(held), DECLARED: TypeAttr(old)})
        for held, old, new in pairs
    )


class ReturnOpConversion(TargetFunctionPattern[aa.ReturnOp]):
    """Converts the return of a function to `func.return`. Raises `DiagnosticError` if a kernel returns
    values.
    """

    def lower(
        self, op: aa.ReturnOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        if at.operands and is_kernel(op.parent_op):
            hint = "store the values to memory"
            raise diagnostic.failure(codes.KERNEL_RETURNS, RETURNS, op.location, hint=hint)
        return emit.insert(func.ReturnOp, at.operands)


class CallOpConversion(TargetFunctionPattern[aa.CallOp]):
    """Converts a call of a function to a `func.call` of the same name with converted operands and results."""

    def lower(
        self, op: aa.CallOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        return emit.plain(func.CallOp.op_kind, at.operands, types, {"callee": op.held_attributes["callee"]})


class CastOpElimination(TargetFunctionPattern[UnrealizedConversionCastOp]):
    """Removes an unrealized cast that undoes another one: its results are replaced by the operands of the
    other one. Other casts do not match.
    """

    def converted_types(self, op: UnrealizedConversionCastOp) -> Sequence[Type]:
        return op.result_types

    def lower(
        self,
        op: UnrealizedConversionCastOp,
        at: Adaptor,
        types: Sequence[Type],
        emit: ConversionInserter,
    ) -> LoweringResult:
        origin = bridged(op)
        if origin is None:
            return emit.rewriter.no_match("the bridge leads to another type")
        return origin.operands


def bridged(op: Operation) -> Operation | None:
    """Return the cast that defines the operands of the cast `op`, if `op` casts its results back to its
    operand types; otherwise None.
    """
    first = op.operands[0] if op.operands else None
    if not isinstance(first, OpResult) or not isinstance(first.owner, UnrealizedConversionCastOp):
        return None
    before = first.owner
    same = tuple(before.results) == tuple(op.operands) and before.operand_types == op.result_types
    return before if same else None


PATTERNS: tuple[type[TargetFunctionPattern[Any]], ...] = (
    FuncOpConversion,
    ReturnOpConversion,
    CallOpConversion,
    CastOpElimination,
)


def boundary_target() -> ConversionTarget:
    """Return the conversion target: functions, calls and returns of `nv_tileaa` are illegal, and so is a cast
    that undoes another cast. Operations that the target does not name may stay.
    """
    target = ConversionTarget().add_legal_dialect("func").add_illegal(aa.FuncOp, aa.ReturnOp, aa.CallOp)
    target.add_dynamically_legal(lambda op: bridged(op) is None, UnrealizedConversionCastOp)
    return target


def convert_functions(op: Operation, state: PassState) -> None:
    """Convert the functions, calls and returns of `nv_tileaa` in a module to `func`, with LLVM's types.
    Bodies are not converted.

    Raises `DiagnosticError` for operations that cannot be converted.
    """
    target = target_of(op)
    converter = LLVMTypeConverter(
        state.context, LLVMOptions(elements=target.elements if target is not None else TYPED)
    )
    patterns = pattern_set.RewritePatternSet(state.context)
    patterns.add(*(pattern(converter, target) for pattern in PATTERNS))
    config = ConversionConfig(type_converter=converter, failure_message=FAILED)
    conversion.convert(op, state, boundary_target(), patterns, config)


@dataclass(frozen=True)
class ConvertTileFunctions(Pass):
    """Converts functions of `nv_tileaa` to functions of `func`, with arguments of LLVM types; bodies are not
    converted. Kernels are marked `cute.kernel`; their resources on a GPU become attributes of NVVM.
    """

    name: ClassVar[str] = "convert-nv-tile-func-to-llvm"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "func", "cutlass")

    def run(self, op: Operation, state: PassState) -> None:
        convert_functions(op, state)
