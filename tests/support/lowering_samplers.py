"""Samplers for operations of ``llvm`` and ``gpu`` whose declaration does not say enough to draw them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.gpu import ops_kernel as gpu_kernel
from tilewright.dialects.gpu.enums import AddressSpace, AddressSpaceAttr, AllReduceOperation
from tilewright.dialects.gpu.ops_thread import AllReduceOp
from tilewright.dialects.gpu.types import AsyncTokenType, MMAMatrixType
from tilewright.dialects.llvm.attributes import (
    AliasScopeAttr,
    AliasScopeDomainAttr,
    ModuleFlagAttr,
    VScaleRangeAttr,
    ZeroAttr,
)
from tilewright.dialects.llvm.enums import (
    CallingConvention,
    Comdat,
    FastMathFlags,
    IntegerOverflowFlags,
    Linkage,
    LlvmVisibility,
    ModuleFlagBehavior,
    PointerWrapFlags,
    TailCallKind,
    UnnamedAddress,
)
from tilewright.dialects.llvm.intrinsics.float import SincosOp
from tilewright.dialects.llvm.intrinsics.memory import NoAliasScopeDeclOp
from tilewright.dialects.llvm.intrinsics.vector import VectorInterleave2Op
from tilewright.dialects.llvm.ops import (
    aggregate,
    arithmetic,
    control,
    exception as exceptions,
    memory,
    symbol,
)
from tilewright.dialects.llvm.ops.conversion import TruncOp
from tilewright.dialects.llvm.types import (
    POINTER,
    TOKEN as NO_TOKEN,
    VOID,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
)
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import (
    UNIT,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    dense,
    float_attribute,
)
from tilewright.ir.builtin_types import (
    DYNAMIC,
    FunctionType,
    MemRefType,
    RankedTensorType,
    UnrankedMemRefType,
    VectorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
    index,
)
from tilewright.ir.operation import Operation
from tilewright.testing.drawing import SeededDrawing
from tilewright.testing.standard.scene import (
    STANDARD_CANDIDATES,
    Sampler,
    StandardScene,
    declared,
    draw_module,
)

SCALARS: tuple[Type, ...] = (i1, i8, i32, i64, f32, f64, POINTER, LLVMPointerType(3))
PAIR = LLVMStructType((i32, LLVMArrayType(f32, 4)))
MEMBERS: tuple[tuple[Type, tuple[int, ...], Type], ...] = (
    (PAIR, (0,), i32),
    (PAIR, (1,), LLVMArrayType(f32, 4)),
    (PAIR, (1, 3), f32),
    (LLVMArrayType(i8, 2), (1,), i8),
    (LLVMStructType((POINTER, i64), True, "named"), (1,), i64),
)
"""Containers, paths to a member, types of the members."""
TOKEN = AsyncTokenType()


def _create(op_class: Any, /, *arguments: Any, **named: Any) -> Any:
    return op_class(*arguments, **named)


def with_overflow(op_class: type[Operation]) -> Sampler:
    """Overflow flags of all combinations."""

    def sample(scene: StandardScene) -> None:
        flags = IntegerOverflowFlags(scene.integer(0, 3))
        declared(scene, op_class, {"attributes": {"overflowFlags": flags}})

    return sample


def extract(scene: StandardScene) -> None:
    container, path, member = scene.choose(MEMBERS)
    scene.add(_create(aggregate.ExtractValueOp, scene.value(container), path, result_types=[member]))


def insert(scene: StandardScene) -> None:
    container, path, member = scene.choose(MEMBERS)
    values = scene.value(container), scene.value(member)
    scene.add(_create(aggregate.InsertValueOp, *values, path, result_types=[container]))


def address(scene: StandardScene) -> None:
    """Constant and dynamic positions, all flags, vectors of pointers."""
    dynamic = -(1 << 31)
    element, positions, count = scene.choose(
        [(f32, (dynamic,), 1), (PAIR, (0, 1, dynamic), 1), (PAIR, (dynamic, 0), 1), (i8, (-4,), 0)]
    )
    base, result = scene.choose(
        [(POINTER, POINTER), (LLVMPointerType(3), LLVMPointerType(3)), (POINTER, VectorType((4,), POINTER))]
    )
    indices = VectorType((4,), i64) if isinstance(result, VectorType) else scene.choose((i32, i64))
    flags = PointerWrapFlags(scene.choose((0, 2, 3, 4, 6, 7)))
    operands = [scene.value(indices) for _ in range(count)]
    if isinstance(result, VectorType) and not operands:
        result = base
    scene.add(
        _create(
            memory.GEPOp,
            scene.value(base),
            positions,
            element,
            dynamicIndices=operands,
            noWrapFlags=flags,
            result_types=[result],
        )
    )


def constant(scene: StandardScene) -> None:
    value, type = scene.choose(
        [
            (IntegerAttr(i32, -7), i32),
            (IntegerAttr(i1, 1), i1),
            (IntegerAttr(i64, 5), i16),
            (float_attribute(1.5, f32), f32),
            (float_attribute(-0.0, f64), i64),
            (StringAttr("text"), LLVMArrayType(i8, 4)),
            (dense(RankedTensorType((2, 2), i32), [1, 2, 3, 4]), LLVMArrayType(LLVMArrayType(i32, 2), 2)),
            (dense(VectorType((4,), f32), [0.5]), VectorType((4,), f32)),
            (dense(VectorType((4,), i8, (True,)), [3]), VectorType((4,), i8, (True,))),
        ]
    )
    scene.add(_create(aggregate.ConstantOp, value, result_types=[type]))


def switch(scene: StandardScene) -> None:
    flag = scene.value(scene.choose((i8, i32, i64)))
    groups = [scene.choose(((), (i32,), (f32, i1))) for _ in range(scene.integer(0, 3))]
    values = [scene.integer(-8, 8) for _ in groups]
    blocks = [scene.target(types) for types in groups]
    weights = [scene.integer(0, 9) for _ in range(len(groups) + 1)] if scene.boolean() else None
    same = len(set(values)) == 1
    scene.add(
        _create(
            control.SwitchOp,
            flag,
            [len(types) for types in groups],
            caseOperands=[scene.value(type) for types in groups for type in types],
            case_values=dense(VectorType((len(values),), flag.type), values[:1] if same else values)
            if values
            else None,
            branch_weights=weights,
            defaultDestination=scene.target(),
            caseDestinations=blocks,
        )
    )


def function(scene: StandardScene) -> Any:
    """A function with or without a body, with some of the many attributes."""
    inputs = tuple(scene.choose(SCALARS) for _ in range(scene.integer(0, 3)))
    result = scene.choose((VOID, i32, POINTER))
    external = scene.boolean()
    linkage = Linkage.EXTERNAL if external else scene.choose((Linkage.INTERNAL, Linkage.WEAK_ODR))
    named = {
        "linkage": linkage,
        "CConv": scene.choose(
            (CallingConvention.CCC, CallingConvention.FASTCC, CallingConvention.PTX_KERNELCC)
        ),
        "visibility_": scene.choose(list(LlvmVisibility)),
        "unnamed_addr": scene.choose(list(UnnamedAddress)),
        "dso_local": scene.boolean(),
        "vscale_range": VScaleRangeAttr(IntegerAttr(i32, 1), IntegerAttr(i32, 16))
        if scene.boolean()
        else None,
        "passthrough": (StringAttr("nounwind"),) if scene.boolean() else None,
        "arg_attrs": _attributes(scene, len(inputs)) if inputs and scene.boolean() else None,
        "res_attrs": _attributes(scene, 1) if result is not VOID and scene.boolean() else None,
        "body": Region([] if external else [_returning(inputs, result)]),
    }
    type = LLVMFunctionType(result, inputs, external and scene.boolean())
    with scene.at_module_level():
        return scene.add(_create(symbol.LLVMFuncOp, scene.symbol(), type, **named))


def _attributes(scene: StandardScene, count: int) -> tuple[DictionaryAttr, ...]:
    """Attributes of arguments, at least one of them."""
    some = DictionaryAttr((("llvm.noundef", UNIT),))
    return (some, *(scene.choose((some, DictionaryAttr(()))) for _ in range(count - 1)))


def _returning(inputs: tuple[Type, ...], result: Type) -> Block:
    block = Block(inputs)
    values = (
        [] if result is VOID else [block.append(_create(aggregate.ZeroOp, result_types=[result])).results[0]]
    )
    block.append(_create(control.ReturnOp, *values))
    return block


def call(scene: StandardScene) -> None:
    """A direct or indirect call, with bundles, conventions, flags."""
    callee = function(scene)
    signature = callee.function_type
    direct = scene.boolean()
    operands = [] if direct else [scene.value(POINTER)]
    operands += [scene.value(type) for type in signature.arguments]
    bundles = [scene.choose((0, 1, 2)) for _ in range(scene.integer(0, 2))]
    results = [] if signature.result is VOID else [signature.result]
    scene.add(
        _create(
            control.CallOp,
            bundles,
            callee_operands=operands,
            op_bundle_operands=[scene.value(i32) for _ in range(sum(bundles))],
            op_bundle_tags=[StringAttr(f"tag{n}") for n in range(len(bundles))] if bundles else None,
            var_callee_type=signature if signature.variadic else None,
            callee=callee.sym_name if direct else None,
            CConv=scene.choose(list(CallingConvention)),
            TailCallKind=scene.choose((TailCallKind.NONE, TailCallKind.TAIL, TailCallKind.NOTAIL)),
            fastmathFlags=FastMathFlags(scene.choose((0, 0, 5, 127))),
            arg_attrs=_attributes(scene, len(signature.arguments))
            if signature.arguments and scene.boolean()
            else None,
            convergent=scene.boolean(),
            result_types=results,
        )
    )


def invoke(scene: StandardScene) -> None:
    """A call that may throw.

    It has either bundles or arguments for blocks: ``mlir-opt`` 22 mixes the two up when it reads the custom form.
    """
    callee = function(scene)
    signature = callee.function_type
    bundled = scene.boolean()
    types = () if bundled else scene.choose(((), (i32, f32)))
    normal, unwind = scene.target(types), scene.target()
    exception = LLVMStructType((POINTER, i32))
    landing = _create(exceptions.LandingpadOp, cleanup=True, result_types=[exception])
    end = unwind.first
    assert end is not None
    end.detach()
    unwind.append(landing)
    unwind.append(end)
    scene.add(
        _create(
            exceptions.InvokeOp,
            [1] if bundled else [],
            callee_operands=[scene.value(type) for type in signature.arguments],
            normalDestOperands=[scene.value(type) for type in types],
            op_bundle_operands=[scene.value(i64)] if bundled else [],
            op_bundle_tags=[StringAttr("tag")] if bundled else None,
            var_callee_type=signature if signature.variadic else None,
            callee=callee.sym_name,
            branch_weights=[1, 2] if scene.boolean() else None,
            CConv=scene.choose((CallingConvention.CCC, CallingConvention.FASTCC)),
            normalDest=normal,
            unwindDest=unwind,
            result_types=[] if signature.result is VOID else [signature.result],
        )
    )


def intrinsic_call(scene: StandardScene) -> None:
    bundles = [scene.choose((0, 1, 2)) for _ in range(scene.integer(0, 2))]
    types = [scene.choose((i32, f32)) for _ in range(scene.integer(0, 2))]
    scene.add(
        _create(
            control.CallIntrinsicOp,
            scene.choose(("llvm.nvvm.fmax.f", "llvm.sqrt.f32")),
            bundles,
            args=[scene.value(type) for type in types],
            op_bundle_operands=[scene.value(i64) for _ in range(sum(bundles))],
            op_bundle_tags=[StringAttr(f"tag{n}") for n in range(len(bundles))] if bundles else None,
            fastmathFlags=FastMathFlags(scene.choose((0, 16))),
            result_types=scene.choose(([], [f32])),
        )
    )


def variable(scene: StandardScene) -> None:
    """A global with a value, a region, or neither."""
    with scene.at_module_level():
        _variable(scene)


def _variable(scene: StandardScene) -> Any:
    type, value = scene.choose(
        [
            (i32, IntegerAttr(i32, 7)),
            (LLVMArrayType(i8, 3), StringAttr("abc")),
            (LLVMArrayType(f32, 2), dense(RankedTensorType((2,), f32), [1.0, 2.0])),
            (POINTER, None),
            (LLVMArrayType(i8, 0), None),
        ]
    )
    region = Region([_returning((), type)] if value is None and scene.boolean() else [])
    return scene.add(
        _create(
            symbol.GlobalOp,
            type,
            scene.symbol(),
            scene.choose((Linkage.EXTERNAL, Linkage.INTERNAL, Linkage.WEAK)),
            constant=scene.boolean(),
            thread_local_=scene.boolean(),
            dso_local=scene.boolean(),
            value=value,
            alignment=scene.choose((None, 16)),
            addr_space=scene.choose((0, 0, 3)),
            unnamed_addr=scene.choose(list(UnnamedAddress)),
            visibility_=scene.choose(list(LlvmVisibility)),
            initializer=region,
        )
    )


def address_of(scene: StandardScene) -> None:
    with scene.at_module_level():
        target = _variable(scene)
    type = LLVMPointerType(target.addr_space)
    scene.add(_create(aggregate.AddressOfOp, target.sym_name, result_types=[type]))


def local_equivalent(scene: StandardScene) -> None:
    target = function(scene)
    scene.add(_create(aggregate.DSOLocalEquivalentOp, target.sym_name, result_types=[POINTER]))


def alias(scene: StandardScene) -> None:
    with scene.at_module_level():
        target = _variable(scene)
        block = Block()
        type = LLVMPointerType(target.addr_space)
        pointer = block.append(_create(aggregate.AddressOfOp, target.sym_name, result_types=[type]))
        block.append(_create(control.ReturnOp, pointer.results[0]))
        scene.add(
            _create(
                symbol.AliasOp,
                target.global_type,
                scene.symbol(),
                scene.choose((Linkage.EXTERNAL, Linkage.PRIVATE)),
                dso_local=scene.boolean(),
                visibility_=scene.choose(list(LlvmVisibility)),
                unnamed_addr=scene.choose(list(UnnamedAddress)),
                initializer=Region([block]),
            )
        )


def indirect_function(scene: StandardScene) -> None:
    with scene.at_module_level():
        resolver = scene.add(
            _create(
                symbol.LLVMFuncOp,
                scene.symbol(),
                LLVMFunctionType(POINTER),
                body=Region([_returning((), POINTER)]),
            )
        )
        linkage = scene.choose((Linkage.EXTERNAL, Linkage.WEAK))
        named = {
            "dso_local": scene.boolean(),
            "visibility_": scene.choose(list(LlvmVisibility)),
            "unnamed_addr": scene.choose(list(UnnamedAddress)),
        }
        type = LLVMFunctionType(VOID)
        scene.add(_create(symbol.IFuncOp, scene.symbol(), type, resolver.sym_name, POINTER, linkage, **named))


def comdat(scene: StandardScene) -> None:
    block = Block()
    for _ in range(scene.integer(1, 2)):
        block.append(_create(symbol.ComdatSelectorOp, scene.symbol(), scene.choose(list(Comdat))))
    with scene.at_module_level():
        scene.add(_create(symbol.ComdatOp, scene.symbol(), body=Region([block])))


def table(op_class: type[Operation]) -> Sampler:
    """A table of functions that run before or after the program."""

    def sample(scene: StandardScene) -> None:
        names: list[str] = []
        with scene.at_module_level():
            for _ in range(scene.integer(0, 2)):
                names.append(scene.symbol())
                body = Region([_returning((), VOID)])
                scene.add(_create(symbol.LLVMFuncOp, names[-1], LLVMFunctionType(VOID), body=body))
            data = [scene.choose((ZeroAttr(), SymbolRefAttr("some"))) for _ in names]
            scene.add(_create(op_class, names, [scene.integer(0, 9) for _ in names], data))

    return sample


def module_flags(scene: StandardScene) -> None:
    flag = ModuleFlagAttr(ModuleFlagBehavior.ERROR, "wchar_size", IntegerAttr(i32, 4))
    with scene.at_module_level():
        scene.add(_create(symbol.ModuleFlagsOp, [flag] * scene.integer(0, 2)))


def linker_options(scene: StandardScene) -> None:
    with scene.at_module_level():
        scene.add(_create(symbol.LinkerOptionsOp, ["-lm"] * scene.integer(0, 2)))


def alias_scope(scene: StandardScene) -> None:
    domain = AliasScopeDomainAttr(StringAttr("d"), scene.choose((None, "about")))
    scene.add(_create(NoAliasScopeDeclOp, AliasScopeAttr(StringAttr("s"), domain)))


def sine_and_cosine(scene: StandardScene) -> None:
    type = scene.choose((f32, f64, VectorType((4,), f32)))
    scene.add(_create(SincosOp, scene.value(type), result_types=[LLVMStructType((type, type))]))


def interleave(scene: StandardScene) -> None:
    type = scene.choose((VectorType((4,), f32), VectorType((2,), i32, (True,))))
    result = VectorType((2 * type.shape[0],), type.element_type, type.scalable)
    scene.add(_create(VectorInterleave2Op, scene.value(type), scene.value(type), result_types=[result]))


def shuffle(scene: StandardScene) -> None:
    type = VectorType((4,), scene.choose((i32, f32)))
    mask = [scene.integer(-1, 7) for _ in range(scene.integer(1, 6))]
    result = VectorType((len(mask),), type.element_type)
    values = scene.value(type), scene.value(type)
    scene.add(_create(aggregate.ShuffleVectorOp, *values, mask, result_types=[result]))


def _kernel(scene: StandardScene) -> Any:
    """A module of the device with a kernel, in a module that may have such."""
    inputs = tuple(scene.choose((i32, f32, index)) for _ in range(scene.integer(0, 2)))
    shared = [MemRefType((32,), f32, None, IntegerAttr(i64, 3))] * scene.integer(0, 2)
    private = [MemRefType((1,), f32, None, IntegerAttr(i64, 5))] * scene.integer(0, 1)
    block = Block((*inputs, *shared, *private))
    block.append(_create(gpu_kernel.ReturnOp))
    kernel = _create(gpu_kernel.GPUFuncOp, FunctionType(inputs, ()), body=Region([block]))
    if scene.boolean():
        kernel.attributes["known_block_size"] = _block_size()
    kernel.attributes["sym_name"] = StringAttr(scene.symbol())
    kernel.attributes["gpu.kernel"] = UNIT
    kernel.attributes["workgroup_attributions"] = IntegerAttr(i64, len(shared))
    scene.module.attributes["gpu.container_module"] = UNIT
    with scene.at_module_level():
        module = _create(gpu_kernel.GPUModuleOp, scene.symbol(), bodyRegion=Region([Block()]))
        module.bodyRegion.blocks[0].append(kernel)
        scene.add(module)
    return module, kernel, inputs


def _block_size() -> Any:
    from tilewright.ir.builtin_attributes import dense_integers

    return dense_integers([128, 1, 1], i32)


def kernel(scene: StandardScene) -> None:
    _kernel(scene)


def _sizes(scene: StandardScene, type: Type) -> dict[str, Any]:
    names = ["gridSize", "blockSize", *(["clusterSize"] if scene.boolean() else [])]
    return {f"{name}{axis}": scene.value(type) for name in names for axis in "XYZ"}


def launch_kernel(scene: StandardScene) -> None:
    module, kernel, inputs = _kernel(scene)
    tokens = [scene.value(TOKEN) for _ in range(scene.integer(0, 2))]
    scene.add(
        _create(
            gpu_kernel.LaunchFuncOp,
            asyncDependencies=tokens,
            kernel=SymbolRefAttr(module.sym_name, (kernel.attributes["sym_name"].value,)),
            **_sizes(scene, scene.choose((index, i32, i64))),
            dynamicSharedMemorySize=scene.value(i32) if scene.boolean() else None,
            kernelOperands=[scene.value(type) for type in inputs],
            result_types=[TOKEN] * scene.integer(0, 1),
        )
    )


def launch(scene: StandardScene) -> None:
    sizes = _sizes(scene, index)
    shared = [MemRefType((32,), f32, None, IntegerAttr(i64, 3))] * scene.integer(0, 2)
    block = Block([*[index] * (2 * len(sizes)), *shared])
    block.append(_create(gpu_kernel.TerminatorOp))
    results = [TOKEN] * scene.integer(0, 1)
    op = _create(
        gpu_kernel.LaunchOp,
        asyncDependencies=[scene.value(TOKEN)] if results else [],
        **sizes,
        dynamicSharedMemorySize=scene.value(i32) if scene.boolean() else None,
        body=Region([block]),
        result_types=results,
    )
    op.attributes["workgroup_attributions"] = IntegerAttr(i64, len(shared))
    scene.add(op)


def on_one_lane(scene: StandardScene) -> None:
    types = [VectorType((n,), f32) for n in range(1, scene.integer(0, 2) + 1)]
    inner = Block([VectorType((32 * n,), f32) for n in range(1, len(types) + 1)])
    inner.append(_create(gpu_kernel.YieldOp, list(inner.arguments)))
    scene.add(
        _create(
            gpu_kernel.WarpExecuteOnLane0Op,
            scene.value(index),
            32,
            [scene.value(type) for type in types],
            warpRegion=Region([inner]),
            result_types=types,
        )
    )


def all_reduce(scene: StandardScene) -> None:
    operation = scene.choose((AllReduceOperation.ADD, AllReduceOperation.MAXNUMF, None))
    region = Region([])
    if operation is None:
        block = Block((f32, f32))
        block.append(_create(gpu_kernel.YieldOp, [block.arguments[0]]))
        region = Region([block])
    uniform = scene.boolean()
    value = scene.value(f32)
    scene.add(_create(AllReduceOp, value, op=operation, uniform=uniform, body=region, result_types=[f32]))


SAMPLERS: dict[type[Operation], Callable[[StandardScene], Any]] = {
    **{
        op_class: with_overflow(op_class)
        for op_class in (arithmetic.AddOp, arithmetic.SubOp, arithmetic.MulOp, arithmetic.ShlOp, TruncOp)
    },
    aggregate.ExtractValueOp: extract,
    aggregate.InsertValueOp: insert,
    aggregate.ShuffleVectorOp: shuffle,
    aggregate.ConstantOp: constant,
    aggregate.AddressOfOp: address_of,
    aggregate.DSOLocalEquivalentOp: local_equivalent,
    memory.GEPOp: address,
    control.SwitchOp: switch,
    control.CallOp: call,
    control.CallIntrinsicOp: intrinsic_call,
    exceptions.InvokeOp: invoke,
    exceptions.LandingpadOp: invoke,
    symbol.LLVMFuncOp: function,
    symbol.GlobalOp: variable,
    symbol.GlobalCtorsOp: table(symbol.GlobalCtorsOp),
    symbol.GlobalDtorsOp: table(symbol.GlobalDtorsOp),
    symbol.ComdatOp: comdat,
    symbol.ComdatSelectorOp: comdat,
    symbol.AliasOp: alias,
    symbol.IFuncOp: indirect_function,
    symbol.ModuleFlagsOp: module_flags,
    symbol.LinkerOptionsOp: linker_options,
    NoAliasScopeDeclOp: alias_scope,
    SincosOp: sine_and_cosine,
    VectorInterleave2Op: interleave,
    gpu_kernel.GPUModuleOp: kernel,
    gpu_kernel.GPUFuncOp: kernel,
    gpu_kernel.ReturnOp: kernel,
    gpu_kernel.LaunchFuncOp: launch_kernel,
    gpu_kernel.LaunchOp: launch,
    gpu_kernel.TerminatorOp: launch,
    gpu_kernel.WarpExecuteOnLane0Op: on_one_lane,
    AllReduceOp: all_reduce,
}
"""One sampler for each operation that needs one."""


LLVM_CANDIDATES: tuple[Type, ...] = (
    *(i1, i8, i16, i32, i64, f16, bf16, f32, f64),
    *map(LLVMPointerType, (0, 1, 3, 7)),
    *(VectorType((4,), element) for element in (i1, i32, f32)),
    *(VectorType((2,), element) for element in (i32, f16)),
    *(VectorType((4,), element, (True,)) for element in (i1, i32, f32)),
    LLVMStructType((i32, f32)),
    LLVMStructType((i32, i1)),
    LLVMStructType((f32,) * 4),
    LLVMStructType((i32, LLVMArrayType(i8, 4)), True),
    LLVMArrayType(f32, 4),
    LLVMArrayType(LLVMStructType((i32, POINTER)), 2),
    NO_TOKEN,
)
"""Types that the constraints of ``llvm`` are tried with."""
ADDRESSES: tuple[Type, ...] = (VectorType((4,), POINTER),)
"""Vectors of pointers; ``mlir-opt`` 22 breaks down when it verifies insertions and extractions of such."""
OTHER_CANDIDATES: tuple[Type, ...] = (
    *LLVM_CANDIDATES,
    TOKEN,
    UnrankedMemRefType(f32),
    MemRefType((DYNAMIC,), i8, None, AddressSpaceAttr(AddressSpace.WORKGROUP)),
    *(MMAMatrixType((16, 16), f16, operand) for operand in ("AOp", "BOp", "COp")),
    *STANDARD_CANDIDATES,
)
"""Types that the constraints of ``gpu`` and ``nvvm`` are tried with."""
PARTS = ("vector.insert", "vector.extract")


def candidates(op_class: type[Operation]) -> tuple[Type, ...]:
    """The types that the constraints of an operation are tried with."""
    name = op_class.op_kind.name
    if not name.startswith("llvm."):
        return OTHER_CANDIDATES
    return LLVM_CANDIDATES if any(part in name for part in PARTS) else (*LLVM_CANDIDATES, *ADDRESSES)


def drawn(op_class: type[Operation], seed: str) -> ModuleOp:
    """A valid module with an instance of an operation; raises `Unsupported` where nothing says enough."""
    drawing = SeededDrawing(f"{op_class.op_kind.name}/{seed}")
    return draw_module(drawing, op_class, SAMPLERS.get(op_class), candidates(op_class))
