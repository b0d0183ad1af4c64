"""How elements are held: one table for the shared converter of types and for the code of kernels."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.lowering.tile_execution import parsed
from tilewright.dialects.cuda_tile.types import ELEMENTS, PointerType
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.driver.startup import context
from tilewright.ir.arithmetic.float_format import FLOAT_FORMATS
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import (
    FloatType,
    IndexType,
    IntegerType,
    bf16,
    f4E2M1FN,
    f8E4M3FN,
    f16,
    f32,
    i1,
    i8,
    tf32,
)
from tilewright.lowering.capability import Capability, parse_capability
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.lowering.tileas_to_llvm.phases import BodyState, Step, convert_to_llvm
from tilewright.passes.analysis import AnalysisManager
from tilewright.passes.pass_ import PassState
from tilewright.targets.elements.element_types import memory_type, register_type

HOST, GPU = parse_capability("host"), parse_capability("sm_90a")
POINTERS = [
    PointerType(f32),
    *(PtrType(pointee, space) for pointee in (f32, i1, f4E2M1FN) for space in (0, 1, 3)),
    LLVMPointerType(0),
]
HELD: list[Type] = [
    *ELEMENTS,
    *map(FloatType, FLOAT_FORMATS),
    *(IntegerType(width) for width in (1, 4, 6, 8, 16, 19, 32, 64, 128)),
    IndexType(),
    *POINTERS,
]


def converter(target: Capability) -> LLVMTypeConverter:
    """The shared converter as passes for a target make it."""
    return LLVMTypeConverter(context(), LLVMOptions(elements=target.elements))


BITS_IN_REGISTERS = {"bf16", *(spelling for spelling, format in FLOAT_FORMATS.items() if format.bits < 8)}
"""Formats with which kernels compute by their bits, in whole bytes."""


@pytest.mark.parametrize("element", dict.fromkeys(HELD), ids=str)
def test_kernels_hold_elements_as_the_shared_converter_says(element: Type) -> None:
    form, held = converter(HOST).convert_type(element), register_type(element)
    if str(element) in BITS_IN_REGISTERS:
        assert held is IntegerType(8 if str(element) != "bf16" else 16)
        assert str(form) in ("bf16", "i4", "i6")
    else:
        assert held is form


@pytest.mark.parametrize(
    ("element", "register", "memory"),
    [
        (i1, "i1", "i8"),
        (IntegerType(4), "i4", "i8"),
        (i8, "i8", "i8"),
        (f16, "f16", "f16"),
        (bf16, "i16", "i16"),
        (tf32, "f32", "f32"),
        (f8E4M3FN, "i8", "i8"),
        (f4E2M1FN, "i8", "i8"),
        (FloatType("f6E2M3FN"), "i8", "i8"),
        (PtrType(f32, 1), "!llvm.ptr", "!llvm.ptr"),
    ],
    ids=str,
)
def test_what_a_processor_holds(element: Type, register: str, memory: str) -> None:
    assert (str(register_type(element)), str(memory_type(element))) == (register, memory)


@pytest.mark.parametrize(
    ("element", "register"),
    [
        (bf16, "bf16"),
        (tf32, "f32"),
        (f4E2M1FN, "i4"),
        (FloatType("f6E2M3FN"), "i6"),
        (PointerType(f32), "!llvm.ptr<1>"),
        (PtrType(f32, 1), "!llvm.ptr<1>"),
        (PtrType(f32, 3), "!llvm.ptr<3>"),
    ],
    ids=str,
)
def test_what_a_gpu_holds(element: Type, register: str) -> None:
    assert str(converter(GPU).convert_type(element)) == register
    assert LLVMTypeConverter(context()).convert_type(element) is converter(GPU).convert_type(element)


class Watcher:
    """A back end for everything that does nothing but keep the state of a run."""

    name = "everything"
    dialects = frozenset({"llvm"})
    companions = frozenset[str]()

    def makes_code_for(self, target: Capability) -> bool:
        """Any."""
        return True

    def steps(self) -> Mapping[str, Step]:
        """None."""
        return {}


def converted(attributes: str) -> BodyState:
    """The state of the body conversion of an empty module."""
    module = parsed(f"module attributes {{{attributes}}} {{}}")
    return convert_to_llvm(module, PassState(module, context(), AnalysisManager(module)), Watcher())


def test_the_conversion_of_kernels_holds_elements_as_the_target_of_the_module_does() -> None:
    host = converted('nv_tileaa.target_spec = "host"')
    gpu = converted(
        'nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_90">, '
        "nv_tileaa.compute_capability = #nv_tileaa.compute_capability<90>"
    )
    assert host.converter.options.elements is HOST.elements
    assert gpu.converter.options.elements is GPU.elements
    assert HOST.elements is not GPU.elements
