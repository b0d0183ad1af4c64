import pytest

from tests.support.mlir_tools import mlir_opt
from tests.support.upstream import FLAGS, context
from tilewright.dialects.llvm.attributes import ConstantRangeAttr, DereferenceableAttr
from tilewright.dialects.llvm.base import member_type
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.llvm.enums import FastMathFlags, IntegerOverflowFlags, IntegerPredicate
from tilewright.dialects.llvm.ops.arithmetic import AddOp, FAddOp, ICmpOp
from tilewright.dialects.llvm.ops.memory import AtomicRMWOp, LoadOp
from tilewright.dialects.llvm.types import (
    POINTER,
    VOID,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
)
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import VectorType, f32, i1, i8, i32, i64, index
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.text.parser import parse_attribute, parse_type
from tilewright.ir.uniquer import InvalidParameters

CONTEXT = context(LLVM)
TYPES = [
    "!llvm.ptr",
    "!llvm.ptr<3>",
    "!llvm.array<4 x f32>",
    "!llvm.array<2 x array<3 x ptr<1>>>",
    "!llvm.array<2 x struct<(i32, vector<4xf32>)>>",
    "!llvm.struct<()>",
    "!llvm.struct<(i32, ptr, array<2 x i8>)>",
    "!llvm.struct<packed (i8, i32)>",
    '!llvm.struct<"opaque", opaque>',
    '!llvm.struct<"list", (i32, ptr)>',
    '!llvm.struct<"node", packed (i32, struct<(ptr)>)>',
    '!llvm.struct<"self", (i32, struct<"self">)>',
    "!llvm.func<void ()>",
    "!llvm.func<i32 (ptr, i64, ...)>",
    "!llvm.func<ptr (...)>",
    "!llvm.void",
    "!llvm.token",
    "!llvm.label",
    "!llvm.metadata",
    "!llvm.x86_amx",
    "!llvm.ppc_fp128",
    '!llvm.target<"spirv.Image", i32, 0, 1>',
    "vector<4x!llvm.ptr>",
]
ATTRIBUTES = [
    "#llvm.fastmath<none>",
    "#llvm.fastmath<nnan, contract>",
    "#llvm.fastmath<fast>",
    "#llvm.overflow<nsw, nuw>",
    "#llvm.cconv<ptx_kernelcc>",
    "#llvm.linkage<linkonce_odr>",
    '#llvm.framePointerKind<"non-leaf">',
    "#llvm.tailcallkind<musttail>",
    "#llvm.uwtableKind<async>",
    "#llvm.undef",
    "#llvm.poison",
    "#llvm.zero",
    "#llvm.address_space<3>",
    "#llvm.constant_range<i32, -1, 32>",
    "#llvm.vscale_range<minRange = 1 : i32, maxRange = 16 : i32>",
    '#llvm.target_features<["+sm_90", "-ptx60"]>',
    '#llvm.target<triple = "nvptx64", chip = "sm_90", features = <["+ptx80"]>>',
    "#llvm.dereferenceable<bytes = 4>",
    "#llvm.dereferenceable<bytes = 4, mayBeNull = true>",
    "#llvm.vec_type_hint<hint = i32, is_signed = true>",
    '#llvm.alias_scope<id = "s", domain = <id = "d">, description = "x">',
    '#llvm.tbaa_root<id = "C">',
    "#llvm.tbaa_root",
    '#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>',
    "#llvm.mlir.workgroup_attribution<32 : i64, f32>",
    "#llvm.loop_annotation<disableNonforced = false, vectorize = <disable = true, width = 4 : i32>, "
    "unroll = <count = 2 : i32, full = true>, unrollAndJam = <disable = true>, licm = <versioningDisable = true>, "
    "distribute = <disable = true>, pipeline = <initiationinterval = 2 : i32>, peeled = <count = 1 : i32>, "
    "unswitch = <partialDisable = true>, mustProgress = true, isVectorized = true>",
]


@pytest.mark.parametrize("text", TYPES)
def test_type_text(text):
    type = parse_type(CONTEXT, text)
    assert str(type) == text
    assert parse_type(CONTEXT, str(type)) is type


@pytest.mark.parametrize("text", ATTRIBUTES)
def test_attribute_text(text):
    attribute = parse_attribute(CONTEXT, text)
    assert str(attribute) == text
    assert parse_attribute(CONTEXT, str(attribute)) is attribute


def test_mlir_opt_spells_types_and_attributes_the_same():
    lines = [f'"test.op"() {{a = {text}}} : () -> ()\n' for text in (*TYPES, *ATTRIBUTES)]
    code, out, err = mlir_opt("".join(lines), *FLAGS)
    assert code == 0, err
    assert all(f"{{a = {text}}}" in out for text in (*TYPES, *ATTRIBUTES))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("!llvm.array<4 x index>", "invalid array element type: index"),
        ("!llvm.struct<(i32, void)>", "invalid LLVM structure element type: !llvm.void"),
        ("!llvm.func<i32 (void)>", "invalid function argument type: !llvm.void"),
        ("!llvm.pointer", "unknown type 'llvm.pointer'"),
        ("!llvm.ptr<x>", "expected"),
        ("!llvm.struct<(i32>", "expected"),
    ],
)
def test_wrong_type(text, message):
    with pytest.raises(DiagnosticError) as caught:
        parse_type(CONTEXT, text)
    assert message in str(caught.value)


def test_parameters_are_checked():
    with pytest.raises(InvalidParameters):
        LLVMStructType(None)
    with pytest.raises(InvalidParameters):
        LLVMFunctionType(i32, (VOID,))
    assert ConstantRangeAttr(i8, 255, 256) is ConstantRangeAttr(i8, -1, 0)
    assert DereferenceableAttr(8) is DereferenceableAttr(8, False)


def test_members():
    inner = LLVMStructType((f32, i64))
    outer = LLVMStructType((i32, LLVMArrayType(inner, 2)))
    assert member_type(outer, (1, 0, 1)) is i64
    with pytest.raises(VerifyError, match="position out of bounds: 2"):
        member_type(outer, (2,))
    with pytest.raises(VerifyError, match="expected LLVM IR structure/array type"):
        member_type(outer, (0, 0))


def test_builders_infer_types():
    block = Block([i32, VectorType((4,), f32), POINTER, LLVMPointerType(3), index])
    number, vector, pointer, *_ = block.arguments
    sum = AddOp(number, number, overflowFlags=IntegerOverflowFlags.NSW)
    assert sum.res.type is i32
    assert sum.overflowFlags is IntegerOverflowFlags.NSW
    flags = FastMathFlags.NNAN | FastMathFlags.CONTRACT
    assert FAddOp(vector, vector, fastmathFlags=flags).fastmathFlags == flags
    assert FAddOp(vector, vector).res.type is vector.type
    assert ICmpOp(IntegerPredicate.SLT, number, number).res.type is i1
    assert LoadOp(pointer, result_types=[f32], volatile_=True).volatile_ is True
    atomic = AtomicRMWOp
    assert atomic.op_kind.name == "llvm.atomicrmw"
