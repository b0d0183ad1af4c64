"""What LLVM IR cannot express is refused with a code, a place and a way out."""

from __future__ import annotations

import pytest

from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.text.parser import parse_module
from tilewright.targets import codes
from tilewright.targets.llvm import translate

REFUSED = {
    "operation of another dialect": (
        "llvm.func @f(%x: i32) { %0 = arith.addi %x, %x : i32  llvm.return }",
        codes.NO_LLVM_FORM,
        "arith.addi",
    ),
    "function of another dialect": ("func.func @f() { return }", codes.NO_LLVM_FORM, "func.func"),
    "left-out intrinsic": (
        "llvm.func @f(%x: i32) { %0 = llvm.intr.expect.with.probability %x, %x, 5.0e-01 : i32  llvm.return }",
        codes.NO_LLVM_FORM,
        "llvm.intr.expect.with.probability",
    ),
    "type that LLVM lacks": (
        "llvm.func @f(%p: !llvm.ptr) { %0 = llvm.load %p : !llvm.ptr -> vector<2x2xf32>  llvm.return }",
        codes.NO_LLVM_TYPE,
        "vector<2x2xf32>",
    ),
    "computed initial value": (
        "llvm.mlir.global internal @g() : i32 {\n"
        "  %0 = llvm.mlir.constant(1 : i32) : i32\n  %1 = llvm.add %0, %0 : i32\n  llvm.return %1 : i32\n}",
        codes.NO_LLVM_CONSTANT,
        "llvm.add",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusal_names_what_and_why(name: str) -> None:
    text, code, word = REFUSED[name]
    module = parse_module(context(), text, implicit_module=True)
    with pytest.raises(DiagnosticError, match=word) as caught:
        translate(module)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code is code
    assert diagnostic.hints


def test_initial_values_may_be_constant_expressions() -> None:
    text = """
    llvm.mlir.global internal @numbers(dense<[1, 2]> : tensor<2xi16>) : !llvm.array<2 x i16>
    llvm.mlir.global internal @second() : !llvm.ptr {
      %0 = llvm.mlir.addressof @numbers : !llvm.ptr
      %1 = llvm.getelementptr %0[1] : (!llvm.ptr) -> !llvm.ptr, i16
      llvm.return %1 : !llvm.ptr
    }"""
    module = parse_module(context(), text, implicit_module=True)
    assert "@second = internal global ptr getelementptr (i16, ptr @numbers, i32 1)" in translate(module)


def test_target_is_stated() -> None:
    module = parse_module(context(), "llvm.func @f()", implicit_module=True)
    text = translate(module, triple="aarch64-unknown-linux-gnu")
    assert 'target triple = "aarch64-unknown-linux-gnu"' in text
    assert "declare void @f()" in text


def test_attributes_of_other_dialects_are_left_out() -> None:
    """Also those that name a type which LLVM does not have."""
    text = "llvm.func @f(%p: !llvm.ptr {nv_tileaa.type = !nv_tileaa.ptr<f16, 1>, llvm.align = 8 : i64}) { llvm.return }"
    assert "@f(ptr align 8 %0)" in translate(parse_module(context(), text, implicit_module=True))
