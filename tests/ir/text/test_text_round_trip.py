"""parse(print(x)) is x, for types, attributes, locations and whole modules."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings

from tests.ir.text import strategies
from tests.ir.text.strategies import CONTEXT
from tilewright.ir.arithmetic.float_format import FLOAT_FORMATS
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT, FloatAttr
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.equality import difference
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_attribute, parse_module, parse_type
from tilewright.ir.text.printer import PrintOptions, attribute_text, operation_text

GENERIC = PrintOptions(generic=True)
DEBUG = PrintOptions(generic=True, debug_info=True)
many = settings(max_examples=120, deadline=None)
slow = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
MLIR_OPT = shutil.which("mlir-opt")


@many
@given(strategies.types)
def test_types(type: Type):
    assert parse_type(CONTEXT, attribute_text(type)) is type


@many
@given(strategies.attributes)
def test_attributes(attribute: Attribute):
    assert parse_attribute(CONTEXT, attribute_text(attribute)) is attribute


@many
@given(strategies.locations)
def test_locations(location: Attribute):
    assert parse_attribute(CONTEXT, attribute_text(location)) is location


@pytest.mark.parametrize("name", [name for name, f in FLOAT_FORMATS.items() if f.bits <= 8])
def test_every_small_float(name: str):
    kind = FloatType(name)
    for bits in range(1 << kind.width):
        attribute = FloatAttr(kind, bits)
        assert parse_attribute(CONTEXT, attribute_text(attribute)) is attribute


@slow
@given(strategies.modules())
def test_modules_with_locations(module: Operation):
    text = operation_text(module, DEBUG)
    again = parse_module(CONTEXT, text)
    assert difference(module, again, locations=True) is None
    assert operation_text(again, DEBUG) == text


@slow
@given(strategies.modules())
def test_modules_without_locations(module: Operation):
    for options in (GENERIC, PrintOptions(), PrintOptions(debug_info=True, use_local_scope=True)):
        text = operation_text(module, options)
        again = parse_module(CONTEXT, text)
        assert difference(module, again) is None
        assert operation_text(again, options) == text


@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt is not on the path")
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    strategies.modules(attribute_values=strategies.st.just(UNIT), location_values=strategies.st.just(UNKNOWN))
)
def test_mlir_prints_the_same(module: Operation):
    """Names, labels, predecessors, indentation: what MLIR reads from our text it prints the same way."""
    text = operation_text(module, GENERIC)
    if "fnv8E5M3FNU" in text:
        return
    assert MLIR_OPT is not None
    flags = ["--mlir-print-op-generic", "--allow-unregistered-dialect", "--verify-each=false"]
    run = subprocess.run(
        [MLIR_OPT, *flags, "--no-implicit-module"], input=text, capture_output=True, text=True, check=False
    )
    if run.returncode == 0:
        assert run.stdout.strip("\n") == text
