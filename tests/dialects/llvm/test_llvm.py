from pathlib import Path

import pytest

from tests.support.mlir_tools import first_error
from tests.support.upstream import (
    all_kinds,
    check_agreement,
    check_declaration,
    context,
    first_problem,
    instances,
    missing_instances,
    reference_operations,
    round_trip,
)
from tilewright.dialects.llvm.dialect import HAND_WRITTEN_SYNTAX, LLVM

CONTEXT = context(LLVM)
INSTANCES = instances(Path(__file__).with_name("instances.mlir"))
SOURCES = ("Dialect/LLVMIR/LLVMOps.td", "Dialect/LLVMIR/LLVMIntrinsicOps.td")


def test_every_operation_has_an_instance():
    assert missing_instances(LLVM, INSTANCES) == set()


@pytest.mark.parametrize("text", INSTANCES)
def test_instance_round_trips(text):
    round_trip(text, CONTEXT)


def test_mlir_opt_agrees_on_all_instances():
    check_agreement(INSTANCES, CONTEXT)


def test_declarations_are_those_of_mlir():
    reference = {}
    for source in SOURCES:
        reference.update(reference_operations(source, "llvm"))
        records = reference.pop("")
        for kind in all_kinds(LLVM):
            if records.get(kind.name, reference.get(kind.name)) and kind.name in reference:
                check_declaration(kind, {**reference, "": records})
        reference.clear()


def _custom_syntax(source):
    records = reference_operations(source, "llvm")
    return {name for name, record in records.items() if name and record["hasCustomAssemblyFormat"]}


def test_hand_written_syntax_is_listed():
    custom = set().union(*map(_custom_syntax, SOURCES))
    assert set(HAND_WRITTEN_SYNTAX) == custom & {kind.name for kind in all_kinds(LLVM)}
