"""Calls of SIMT functions, which stand in the preview range: read, printed, verified, written back, and never run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tilewright
from tests.bytecode.writer_support import CONTEXT, kernel, written_with_tables_of
from tests.support.invalid.malformed_bodies import F32X4, I32, STRINGS, TOKEN, body_module, constant
from tests.support.real.real_kernel import Kernel, vendor, vendor_version, write_module
from tests.support.real.real_tools import disassemble, error_lines
from tests.support.synthetic.assembler import RETURN, Function, Module, operation, varint, varints
from tilewright.bytecode import read_bytecode, read_container, write_bytecode
from tilewright.bytecode.codes import PREVIEW
from tilewright.bytecode.preview import FEATURES
from tilewright.bytecode.preview_calls import WAY_OUT
from tilewright.dialects.cuda_tile.syntax.disassembly import disassemble as as_text
from tilewright.driver.compile import compile as compile_module
from tilewright.driver.reading import read
from tilewright.driver.verification import check
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.equality import difference

CALL = 0x4002
LATEST = (13, 5)
FINAL = "failed to read provided Tile IR bytecode"
NAMES = (*STRINGS, b"foo", b"a b$c", b"x", b"")
FOO, ODD, X, EMPTY = range(len(STRINGS), len(NAMES))
NONE, TRUE, ONE = (
    b"\x0a\x00",
    b"\x0a\x01" + varint(X) + b"\x03\x01",
    b"\x0a\x01" + varint(X) + b"\x01\x01\x01",
)


def call(
    callee: int = FOO,
    results: tuple[int, ...] = (),
    operands: tuple[int, ...] = (),
    arguments: tuple[bytes, ...] | None = None,
    of_results: tuple[bytes, ...] | None = None,
    constants: tuple[bytes, ...] = (),
) -> bytes:
    """The bytes of a call: result types, flags, name, constants, attributes, operands."""
    attributes = [*(items for items in (arguments, of_results) if items is not None)]
    return operation(
        CALL,
        varints(len(results), *results),
        (arguments is not None) | (of_results is not None) << 1,
        callee,
        varint(len(constants)) + b"".join(constants),
        *(varint(len(items)) + b"".join(items) for items in attributes),
        varints(len(operands), *operands),
    )


def file(*calls: bytes, **changes: Any) -> bytes:
    """A file whose kernel has a number (%x below), calls functions, and returns."""
    module: Module = body_module(constant(I32) + b"".join(calls) + RETURN, LATEST)
    return module.with_(**{"strings": NAMES, "tag": 1, **changes}).assemble()


GOOD: dict[str, tuple[bytes, str]] = {
    "nothing": (call(), "preview$call @foo() : () -> ()"),
    "operand": (call(operands=(0,)), "preview$call @foo(%x) : (!cuda_tile.tile<i32>) -> ()"),
    "result": (
        call(results=(F32X4,), operands=(0, 0)),
        "%0 = preview$call @foo(%x, %x) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<4xf32>",
    ),
    "results": (
        call(results=(F32X4, TOKEN)),
        "%0:2 = preview$call @foo() : () -> (!cuda_tile.tile<4xf32>, !cuda_tile.token)",
    ),
    "name": (call(ODD), 'preview$call @"a b$c"() : () -> ()'),
    "no attributes": (
        call(arguments=(), of_results=()),
        "preview$call @foo() {arg_attrs = [], res_attrs = []} : () -> ()",
    ),
    "of arguments": (
        call(operands=(0, 0), arguments=(NONE, TRUE)),
        "preview$call @foo(%x, %x) {arg_attrs = [{}, {x = true}]}"
        " : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()",
    ),
    "of results": (
        call(results=(I32,), of_results=(ONE,)),
        "%0 = preview$call @foo() {res_attrs = [{x = 1 : i32}]} : () -> !cuda_tile.tile<i32>",
    ),
    "too few": (
        call(operands=(0, 0), arguments=(NONE,)),
        "preview$call @foo(%x, %x) {arg_attrs = [{}]} : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()",
    ),
}


def opened(data: bytes, **more: Any) -> Any:
    return read_bytecode(data, CONTEXT, preview=FEATURES, **more)


@pytest.mark.parametrize("name", GOOD)
def test_calls_are_read_printed_and_written(name: str) -> None:
    encoded, text = GOOD[name]
    data = file(encoded)
    module = opened(data)
    shown = as_text(module)
    assert shown.splitlines()[2].strip() == text.replace("%x", "%cst_1065353216_i32")
    for debug in (False, True):
        assert disassemble(data, debug=debug, arguments=("--preview=simt",)) == (
            0,
            as_text(module, debug_info=debug),
            "",
        )
    assert difference(module, opened(write_bytecode(module)), locations=True) is None
    assert difference(module, read(shown.encode(), "<text>")) is None
    assert difference(module, read(str(module).encode(), "<text>")) is None


@pytest.mark.parametrize("results", [(), ("4xf32",), ("4xf32", "token")], ids=len)
@pytest.mark.parametrize("attributes", [None, False, True])
def test_calls_of_the_frontends_writer_are_written_byte_for_byte(
    results: tuple[str, ...], attributes: bool | None
) -> None:
    """cuTile writes such calls since 1.7, if the distribution that declares SIMT functions is there."""
    if not hasattr(vendor("encodings"), "encode_PreviewCallOp"):
        pytest.skip("this cuTile writes no calls of SIMT functions")
    tagged = vendor("attribute")

    def dictionaries(count: int) -> Any:
        items = [("nv.x", tagged.Bool(True))] if attributes else []
        return None if attributes is None else [tagged.Dictionary(items)] * count

    def build(code: Kernel) -> None:
        made = code.op(
            "preview_call",
            result_types=results,
            operands=["i32", *code.argument_list],
            callee="foo",
            const_args=[],
            arg_attrs=dictionaries(2),
            res_attrs=dictionaries(len(results)),
        )
        code.op("preview_call", result_types=(), operands=made or (), callee="bar", const_args=[])

    buffer = bytearray(write_module(build, LATEST, ("ptr<f32>",)))
    vendor("writer").patch_header_preview_flag(buffer, vendor_version(LATEST))
    data = bytes(buffer)
    module = opened(data)
    assert disassemble(data, arguments=("--preview=simt",)) == (0, as_text(module), "")
    assert written_with_tables_of(data, module) == data


def test_only_the_newest_version_holds_calls() -> None:
    module = opened(file(GOOD["operand"][0]))
    written = write_bytecode(module)
    assert written[8:12] == bytes([*LATEST, 1, 0])
    assert read_container(written, preview=FEATURES).preview
    with pytest.raises(DiagnosticError, match=r"preview\$call' is not available in bytecode version 13\.4"):
        write_bytecode(module, (13, 4))
    plain = write_bytecode(kernel(), LATEST)
    assert plain[8:12] == bytes([*LATEST, 0, 0])
    assert not read_container(plain).preview


BAD: dict[str, bytes] = {
    "no name": file(call(EMPTY)),
    "constants": file(call(constants=(b"\x03\x01",))),
    "attribute of an argument": file(call(operands=(0,), arguments=(b"\x03\x01",))),
    "attribute of a result": file(call(results=(I32,), of_results=(b"\x03\x01",))),
    "operand": file(call(operands=(7,))),
    "result": file(call(results=(99,))),
    "not announced": file(call(), tag=0),
    "old": body_module(RETURN, (13, 4)).with_(tag=1).assemble(),
    "opcode 0x4000": file(operation(0x4000, 0, 0, 0, 0)),
    "opcode 0x4fff": file(operation(0x4FFF, 0, 0, 0, 0)),
    "private function": file(functions=(Function(flags=1),)),
    "both": file(functions=(Function(flags=6),)),
    "cut": file(functions=(Function(body=constant(I32) + call()[:4]),)),
}


@pytest.mark.parametrize("name", BAD)
def test_broken_files_are_refused_as_by_the_tool(name: str) -> None:
    data = BAD[name]
    with pytest.raises(DiagnosticError) as raised:
        opened(data)
    (found,) = raised.value.diagnostics
    code, _, error = disassemble(data, arguments=("--preview=simt",))
    assert code == 3
    wanted = [line.partition(": ")[2] if line.startswith("error at") else line for line in error_lines(error)]
    messages = [found.message, *(note.message for note in found.notes)]
    unverified = "deserialized module does not conform to bytecode format invariants"
    theirs = [line for line in wanted if line not in (FINAL, unverified)]
    assert messages[0] == theirs[0]
    assert [message for message in messages if message in theirs] == theirs
    assert found.code is not None


def test_functions_of_other_files_are_refused_by_name() -> None:
    with pytest.raises(
        DiagnosticError, match="function entry is an extern implementation, which is not read"
    ):
        opened(file(functions=(Function(flags=4),)))
    extended = body_module(RETURN, LATEST).types[2] + b"\x01"
    types = [*body_module(RETURN, LATEST).types[:2], extended, *body_module(RETURN, LATEST).types[3:]]
    with pytest.raises(DiagnosticError, match="preview type extension: tiles whose extents are expressions"):
        opened(file(types=types))


@pytest.mark.parametrize("feature", ["", "simd"])
def test_features_are_asked_for(feature: str) -> None:
    data = file(call())
    if feature:
        with pytest.raises(ValueError, match="unknown preview feature 'simd'; known features: simt"):
            read_bytecode(data, CONTEXT, preview=[feature])
        return
    with pytest.raises(DiagnosticError, match="requires at least one enabled preview feature") as raised:
        read_bytecode(data, CONTEXT)
    assert raised.value.diagnostics[0].code is PREVIEW
    assert raised.value.diagnostics[0].offset == 12
    assert raised.value.diagnostics[0].hints == [
        "name the feature (`--preview=simt`), or write the module without preview features"
    ]
    with pytest.raises(DiagnosticError, match="requires at least one enabled preview feature"):
        read_container(data)
    assert disassemble(data)[0] == 3


def test_verification_reads_calls() -> None:
    report = check(file(call()), "calls")
    assert report.version == "13.5"
    assert not report.findings
    (finding,) = check(BAD["constants"], "calls").findings
    assert "array of symbolic expression attribute values" in finding.diagnostic.message


# --- where a call would have to run

PROGRAM = """
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %x = preview$call @scale() : () -> !cuda_tile.tile<i32> loc("program.py":7:3)
    preview$call @keep(%x) : (!cuda_tile.tile<i32>) -> () loc("program.py":8:3)
    return
  }
}
"""


def check_refusal(error: DiagnosticError) -> None:
    (found,) = error.diagnostics
    assert found.code is PREVIEW
    assert found.message == (
        "'cuda_tile.preview$call' op calls @scale: functions of SIMT code, which no module holds, cannot be run"
    )
    assert '"program.py":7:3' in str(found.location)
    assert found.hints == [WAY_OUT]
    ((note, place),) = [(note.message, str(note.location)) for note in found.notes]
    assert note == "@keep is called here"
    assert '"program.py":8:3' in place


@pytest.mark.parametrize("checks", ["", "memcheck,initcheck,racecheck,fpcheck,promises"])
@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_80", "sim:sm_90a"])
def test_launches_are_refused(target: str, checks: str) -> None:
    np = pytest.importorskip("numpy")
    out = np.zeros(1, np.float32)
    for source in (PROGRAM, write_bytecode(read(PROGRAM.encode(), "<text>"))):
        with pytest.raises(DiagnosticError) as raised:
            tilewright.launch(source, "k", (1,), [out], target=target, check=checks)
        if source is PROGRAM:
            check_refusal(raised.value)
        else:  # places without a debug scope are not in bytecode
            assert raised.value.diagnostics[0].code is PREVIEW
    assert not out.any()


@pytest.mark.parametrize(
    ("target", "stage"), [("cpu", "tileaa"), ("cpu", "object"), ("sm_80", "ptx"), ("sm_90a", "tileas")]
)
def test_compilations_are_refused(target: str, stage: str) -> None:
    made = compile_module(PROGRAM, target=target)
    assert "preview$call @scale" in str(made.asm["tileir"])
    with pytest.raises(DiagnosticError) as raised:
        _ = made.asm[stage]
    check_refusal(raised.value)


def test_commands(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from tilewright.cli.commands.disasm import run_disasm
    from tilewright.cli.drop_ins.tileiras import run_tileiras
    from tilewright.cli.drop_ins.tileirdisasm import run_tileirdisasm

    path = tmp_path / "calls.tileirbc"
    path.write_bytes(file(call()))
    shown = as_text(opened(path.read_bytes()))
    for run, refused in ((run_disasm, 1), (run_tileirdisasm, 3)):
        assert run(["--preview=simt", str(path)]) == 0
        assert capfd.readouterr().out == shown
        assert run([str(path)]) == refused
        assert "requires at least one enabled preview feature" in capfd.readouterr().err
    words = [str(path), "--gpu-name", "sm_80", "-o", str(tmp_path / "out")]
    assert run_tileiras(words) == 3
    assert "requires at least one enabled preview feature [TW0303]" in capfd.readouterr().err
    assert run_tileiras([*words, "--preview=simt"]) == 5
    said = capfd.readouterr().err.splitlines()
    assert said[0].endswith(
        "calls @foo: functions of SIMT code, which no module holds, cannot be run [TW0303]"
    )
    assert said[-1] == "error: failed to compile Tile IR program"
    assert not (tmp_path / "out").exists()
