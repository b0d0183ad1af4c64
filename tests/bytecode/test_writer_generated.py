"""The writer on generated programs: every op, every version, and back again without a difference."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from tests.bytecode.tool_text import module_names, operation_names
from tests.bytecode.writer_support import CONTEXT, as_read_back, uses_token_of_old_print
from tests.support.real.real_tools import assemble, disassemble
from tilewright.bytecode import read_bytecode, read_container, write_bytecode
from tilewright.dialects.cuda_tile.attributes import (
    DICompileUnitAttr,
    DIFileAttr,
    DILexicalBlockAttr,
    DILocation,
    DISubprogramAttr,
)
from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.cuda_tile.ops.control import EntryOp, ModuleOp
from tilewright.dialects.cuda_tile.version import LATEST, V13_3, VERSIONS, Version
from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.equality import difference
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FileLineColLocation
from tilewright.ir.operation import Operation
from tilewright.testing import enclosing_module, modules, operations, sample_modules, sample_operations

INVALID_BYTECODE = 3
"""What `tileiras` exits with for a file that it cannot read; 5 is for programs that it cannot compile."""
TOOL_CRASHES = "get_tensor_shape"
"""The disassembler dies of this op without results."""


def _crashes_the_tool(module: ModuleOp) -> bool:
    return any(op.kind.mnemonic == TOOL_CRASHES and not op.results for op in module.walk())


def _check_oldest(module: ModuleOp, version: Version) -> None:
    """Without a version it is the oldest one that holds the module, and that loses nothing."""
    data = write_bytecode(module)
    oldest = read_container(data).version
    assert oldest <= version
    assert difference(as_read_back(module, oldest), read_bytecode(data, CONTEXT)) is None
    for older in VERSIONS[: VERSIONS.index(oldest)]:
        if older >= V13_3 or module.producer is None:
            with pytest.raises(DiagnosticError, match="TW0317"):
                write_bytecode(module, older, verify=False)


def _check(module: ModuleOp, version: Version) -> bytes | None:
    """Writing and reading give the module back; writing that again, the bytes."""
    if uses_token_of_old_print(module, version):
        return None
    data = write_bytecode(module, version)
    read = read_bytecode(data, CONTEXT)
    assert difference(as_read_back(module, version), read) is None
    assert write_bytecode(read, version) == data
    _check_oldest(module, version)
    return data


@pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda op_class: op_class.op_kind.mnemonic)
def test_every_operation_in_every_version(op_class: type) -> None:
    for version in VERSIONS:
        if op_class.since <= version:
            for op in sample_operations(op_class, 3, version):
                _check(enclosing_module(op), version)


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_modules(version: Version) -> None:
    for module in sample_modules(20, version):
        _check(module, version)


@settings(max_examples=60)
@given(st.data())
def test_random_operations(data: st.DataObject) -> None:
    version = data.draw(st.sampled_from(VERSIONS))
    op_class = data.draw(st.sampled_from([op for op in OPERATIONS if op.since <= version]))
    _check(enclosing_module(data.draw(operations(op_class, version))), version)


@settings(max_examples=30)
@given(st.data())
def test_random_modules(data: st.DataObject) -> None:
    version = data.draw(st.sampled_from(VERSIONS))
    _check(data.draw(modules(version)), version)


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_the_disassembler_takes_every_operation(version: Version) -> None:
    for op_class in OPERATIONS:
        if op_class.since > version:
            continue
        for op in sample_operations(op_class, 2, version, seed="tool"):
            module = enclosing_module(op)
            data = _check(module, version)
            if data is None or _crashes_the_tool(module):
                continue
            code, text, stderr = disassemble(data)
            assert code == 0, (op_class.op_kind.name, stderr)
            assert operation_names(text) == module_names(read_bytecode(data, CONTEXT)), op_class.op_kind.name


def test_the_assembler_reads_every_version() -> None:
    for version in VERSIONS:
        module = sample_modules(1, version, seed="assembler", statements=12)[0]
        code, _, stderr = assemble(write_bytecode(module, version), "sm_100")
        assert code != INVALID_BYTECODE, stderr


def test_the_newest_version_holds_everything() -> None:
    for module in sample_modules(20, LATEST, seed="newest"):
        assert read_container(write_bytecode(module, LATEST)).version == LATEST


def _with_locations(module: ModuleOp, source: random.Random) -> ModuleOp:
    """Gives kernels a subprogram, their operations places in it, and block arguments the place of their operation."""
    file = DIFileAttr("a.py", "/tmp")
    unit = DICompileUnitAttr(file)
    for op in module.walk():
        if isinstance(op, EntryOp):
            program = DISubprogramAttr(file, 1, "k", op.sym_name, unit, 2)
            op.location = DILocation(FileLineColLocation("a.py", 1, 1), program)
            for inner in op.walk():
                if inner is not op:
                    inner.location = _place(source, file, program)
        for block in (block for region in op.regions for block in region.blocks):
            block.argument_locations = [op.location] * len(block.arguments)
    return module


def _place(source: random.Random, file: DIFileAttr, program: DISubprogramAttr) -> Location:
    scope: Attribute = program
    for _ in range(source.choice((0, 0, 1, 3))):
        scope = DILexicalBlockAttr(scope, file, source.randrange(9), source.randrange(1 << 32))
    place: Location = DILocation(
        FileLineColLocation(source.choice(("a.py", "b.py")), source.randrange(9), 1), scope
    )
    for _ in range(source.choice((0, 0, 1, 4))):
        place = CallSiteLocation(
            DILocation(FileLineColLocation("c.py", source.randrange(9), 1), program), place
        )
    return source.choice((place, place, UNKNOWN))


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_locations(version: Version) -> None:
    source = random.Random(str(version))
    for module in sample_modules(12, version, seed="locations"):
        if uses_token_of_old_print(module, version) or _crashes_the_tool(module):
            continue
        data = write_bytecode(_with_locations(module, source), version)
        expected = _with_argument_locations(as_read_back(module, version))
        assert difference(expected, read_bytecode(data, CONTEXT), locations=True) is None
        code, _, stderr = disassemble(data, debug=True)
        assert code == 0, stderr


def _with_argument_locations(module: Operation) -> Operation:
    """A copy has no argument locations."""
    for op in module.walk():
        for block in (block for region in op.regions for block in region.blocks):
            block.argument_locations = [op.location] * len(block.arguments)
    return module
