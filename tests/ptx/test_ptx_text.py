"""PTX text: what is read, what is printed, and what is said about text that is wrong."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.cursor import MAXIMUM_DEPTH
from tilewright.ptx.model import (
    Address,
    Float,
    IntegerConstant,
    LocDirective,
    Name,
    Pragma,
    PtxFunction,
    PtxInstruction,
    PtxScope,
    Vector,
)
from tilewright.ptx.parser import parse
from tilewright.ptx.printer import print_instruction, print_module

EVERY = Path(__file__).parent / "data" / "every_statement.ptx"
HEAD = ".version 8.7\n.target sm_90a\n.address_size 64\n"
REGISTERS = ".reg .pred p, q; .reg .b16 h; .reg .b32 a, b, c; .reg .f32 f; .reg .b64 w, x; .reg .b128 v;"


def kernel(body: str) -> str:
    return f"{HEAD}.entry k(.param .u64 out)\n{{\n{REGISTERS}\n{body}\n}}\n"


def body_of(text: str) -> list[PtxInstruction]:
    function = parse(kernel(text)).functions()["k"]
    assert isinstance(function.body, PtxScope)
    return [one for one in function.body.statements if isinstance(one, PtxInstruction)]


def one(text: str) -> PtxInstruction:
    (found,) = body_of(text)
    return found


def complaint(text: str) -> str:
    with pytest.raises(DiagnosticError) as error:
        read(kernel(text))
    return str(error.value)


def test_every_statement_goes_through_and_back() -> None:
    module = read(EVERY)
    assert parse(print_module(module)) == module
    assert print_module(parse(print_module(module))) == print_module(module)


def test_places_count_lines_and_columns() -> None:
    found = one("\n  @p add.s32 a, b, c;")
    assert found.place == (8, 6)


def test_modifiers_have_names() -> None:
    found = one("fma.rn.ftz.f32 f, f, 0f3F800000, f;")
    assert (found.modifier("rnd"), found.modifier("ftz"), found.modifier("sat")) == ("rn", "ftz", "")


def test_modifiers_are_put_into_the_order_of_the_isa() -> None:
    assert print_instruction(one("div.ftz.rn.f32 f, f, f;")) == "div.rn.ftz.f32 f, f, f;"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("0x10", 16), ("010", 8), ("0b11", 3), ("(1 + 2) * 3", 9), ("7 - 2 - 1", 4), ("-1", 2**64 - 1)),
        *(
            ("1 << 4 | 1", 17),
            *(("1 && 0", 0), ("0 && 1", 0), ("2 && 3", 1), ("0 || 0", 0), ("0 || 5", 1), ("5 || 0", 1)),
            ("5 > 3 ? 10 : 20", 10),
            ("!0", 1),
            ("~0 & 0xF", 15),
            ("7 % 4", 3),
            ("9 / 2", 4),
        ),
    ],
)
def test_constant_expressions(text: str, value: int) -> None:
    operand = one(f"mov.b32 a, {text};").operands[1]
    assert isinstance(operand, IntegerConstant)
    assert operand.value == value


SIGNS = {
    "(-1 & 0xFFFFFFFFFFFFFFFF) >> 60": 15,
    "(-16 & -2) >> 1": -8,
    "(-16 | 1) >> 1": -8,
    "(~0) >> 60": 15,
    "(0x8000000000000000 & -1) >> 63": 1,
    "-8 >> 1U": -4,
    "(.u64)(-8) >> 60": 15,
    "(.s64)18446744073709551608 >> 1": -4,
    "(.u64)(-1) / 2": (1 << 63) - 1,
    "-7 / 2": -3,
    "7 / -2": -3,
    "-7 % 4": 1,
    "7 % -2": 7,
    "1 << 65": 2,
    "8 >> -1": 0,
    "-(.u64)1 >> 60": 15,
    "+(.u64)-1 >> 60": 15,
    "(1 ? -1 : 1U) >> 1": -1,
    "(0 ? -1 : 1U) - 2 > 0": 1,
    "-1 > 0": 0,
    "-1 > 0U": 1,
    "-1 < 0U": 0,
    "1 <= 1": 1,
    "2 <= 1": 0,
    "1 >= 1": 1,
    "0 >= 1": 0,
    "1 < 1": 0,
    "1 > 1": 0,
    "1 == 1U": 1,
    "1 != 1": 0,
    "6 ^ 5": 3,
    "2 - 3U > 0": 1,
    **{
        f"{text} - 2 > 0": 1
        for text in ("(4U * 1)", "(1U << 1) - 1", "(1 & 1U)", "(1 | 1U)", "(1 ^ 1U)", "~(-2)")
    },
    **{f"(1U {sign} 1) - 2 > 0": 0 for sign in ("==", "!=", "<", ">", "<=", ">=", "&&", "||")},
    "(1 << 1U) - 4 > 0": 0,
    "!(1U) - 2 > 0": 0,
    "(5 % 3) - 4 > 0": 1,
    "WARP_SZ - 33": -1,
}
"""Expressions whose values depend on which numbers are signed; assemblers give the same values."""


@pytest.mark.parametrize("text", SIGNS)
def test_signs_in_constant_expressions(text: str) -> None:
    operand = one(f"mov.b64 w, {text};").operands[1]
    assert isinstance(operand, IntegerConstant)
    assert operand.value == SIGNS[text] & (1 << 64) - 1


@pytest.mark.skipif(not which("ptxas"), reason="no ptxas is installed")
def test_the_assembler_computes_the_same(tmp_path: Path) -> None:
    mark = 0x0123456789ABCDEF
    source, made = tmp_path / "a.ptx", tmp_path / "a.cubin"
    source.write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        f".visible .global .align 8 .u64 table[{len(SIGNS) + 1}] = {{{mark}, {', '.join(SIGNS)}}};\n"
    )
    subprocess.run(["ptxas", "-arch=sm_80", "-o", made, source], check=True)
    data = made.read_bytes()
    found = np.frombuffer(data, np.int64, len(SIGNS), data.index(mark.to_bytes(8, "little")) + 8)
    assert found.tolist() == list(SIGNS.values())


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("-1.5", 0xBFF8 << 48),
        ("+1.5", 0x3FF8 << 48),
        ("-0f3F800000", 0xBF800000),
        ("- -0f3F800000", 0x3F800000),
    ],
)
def test_signs_of_floats(text: str, bits: int) -> None:
    target = "f64" if "f" not in text else "f32"
    (found,) = body_of(f"mov.{target} {'d' if target == 'f64' else 'f'}, {text};")
    operand = found.operands[1]
    assert isinstance(operand, Float)
    assert (operand.bits, operand.width) == (bits, 64 if target == "f64" else 32)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mov.f32 f, ~1.5;", "<ptx>:7:16: error[TW1200]: '~' needs an integer operand"),
        ("mov.b32 a, 1 + 1.5;", "operators need integer operands"),
        ("mov.b32 a, 1 / 0;", "a constant is divided by zero"),
        ("mov.b32 a, 1 % 0;", "a constant is divided by zero"),
        ("mov.b32 a, (.f64)1;", "expected a number"),
        ("mov.b32 a, (.u64 1);", "expected ')'"),
    ],
)
def test_expressions_that_are_wrong(text: str, message: str) -> None:
    assert message in complaint(text)


def test_operands_stand_at_the_places_of_the_form() -> None:
    """An operand that may be left out has a place of its own."""
    wait = one("mbarrier.try_wait.parity.shared::cta.b64 p, [a], b;")
    assert wait.operands == (Name("p"), Address(Name("a")), Name("b"), None)
    red = one("bar.red.popc.u32 a, 0, p;")
    assert red.operands == (Name("a"), IntegerConstant(0), None, Name("p"))


def test_a_vector_of_one_element_is_the_element() -> None:
    assert one("st.global.b32 [w+0], { a };") == one("st.global.b32 [w], a;")
    assert one("ld.global.v2.b32 {a, b}, [w];").operands[0] == Vector((Name("a"), Name("b")))


@pytest.mark.parametrize(
    ("text", "distance", "printed"),
    [
        ("w", 0, "w"),
        ("w+8", 8, "w+8"),
        ("w+-8", -8, "w+-8"),
        ("w + (-8)", -8, "w+-8"),
        ("w+8-16", -8, "w+-8"),
        ("w++8", 8, "w+8"),
        ("w+-0x80000000", -(1 << 31), "w+-2147483648"),
    ],
)
def test_distances_from_an_address(text: str, distance: int, printed: str) -> None:
    """Each text is one that assemblers take, and so is what is printed."""
    load = one(f"ld.global.b32 a, [{text}];")
    assert load.operands[1] == Address(Name("w"), distance)
    assert print_instruction(load) == f"ld.global.b32 a, [{printed}];"
    assert one(print_instruction(load)) == load


def test_a_number_is_an_address_of_local_memory() -> None:
    assert one("ld.local.b32 a, [16];").operands[1] == Address(None, 16)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ad.s32 a, b, c;", "<ptx>:7:1: error[TW1201]: there is no instruction 'ad'"),
        ("add.s33 a, b, c;", "error[TW1202]: 'add' has no form 'add.s33': no form has '.s33'"),
        ("add.s32 a, b;", "error[TW1203]: the operands do not fit 'add.s32'"),
        ("add.s32 a, b, [c];", "error[TW1203]"),
        ("add.s32 a, b, w;", "error[TW1203]: 'w' is a register of type .b64, but .s32 is expected"),
        ("add.s32 f, b, c;", "error[TW1203]: 'f' is a register of type .f32, but .s32 is expected"),
        ("add.s32 a, b, d;", "error[TW1204]: 'd' is not declared here"),
        ("bra nowhere;", "error[TW1204]: 'nowhere' is not declared here"),
        (".reg .b32 a;", "error[TW1205]: 'a' is declared twice in this scope"),
        (
            "tcgen05.wait::ld.sync.aligned;",
            "error[TW1206]: 'tcgen05.wait::ld.sync.aligned' needs sm_100 and PTX 8.6",
        ),
        ("add.s32 a, b, c", "error[TW1200]: expected ';', but found '}'"),
        ("mov.b32 a, " + "(" * 300 + "1;", "error[TW1207]"),
        ("{" * 300, "error[TW1207]"),
        ("mov.b32 a, `;", "error[TW1200]: unexpected '`'"),
        ("mov.b32 a, 08;", "error[TW1200]: expected an integer, but found '08'"),
        ("ld.global.b32 a, [w-8];", "<ptx>:7:20: error[TW1200]: a distance from an address begins with '+'"),
        ("mov.b64 w, out-8;", "<ptx>:7:15: error[TW1200]: a distance from an address begins with '+'"),
        (
            ".global .b64 t[2] = {0, t-8};",
            "<ptx>:7:26: error[TW1200]: a distance from an address begins with",
        ),
        ("ld.global.b32 a, [w.x];", "<ptx>:7:20: error[TW1200]: expected ']', but found '.x'"),
        (
            "ld.global.b32 a, [16];",
            "<ptx>:7:1: error[TW1203]: a constant address is allowed in the space .local",
        ),
        ("mov.b64 w, {a+4, b};", "<ptx>:7:14: error[TW1200]: expected '}', but found '+'"),
        ("mov.b32 a+4, b;", "<ptx>:7:1: error[TW1203]: the operands do not fit 'mov.b32'"),
        ("ld.b32 a, [16];", "error[TW1203]: a constant address is allowed in the space .local"),
        (
            "mbarrier.init.shared.b64 [16], 1;",
            "error[TW1203]: a constant address is allowed in the space .local",
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    assert message in complaint(text)


@pytest.mark.parametrize(
    ("name", "start", "pair", "end", "around"),
    [
        ("braces", ".global .b32 t[] = ", "{}", "1", 0),
        ("parentheses", "mov.b32 a, ", "()", "1", 0),
        ("scopes", "", "{}", "", 1),  # the body of the function
    ],
)
def test_what_is_nested_has_a_limit(name: str, start: str, pair: str, end: str, around: int) -> None:
    def text(depth: int) -> str:
        return kernel(f"{start}{pair[0] * depth}{end}{pair[1] * depth}{';' if start else ''}")

    most = MAXIMUM_DEPTH - around
    parse(text(most))
    for depth in (most + 1, 50 * most):
        with pytest.raises(DiagnosticError) as error:
            parse(text(depth))
        column = len(start) + MAXIMUM_DEPTH + 2 * (1 - around)
        message = f"<ptx>:7:{column}: error[TW1207]: more than {MAXIMUM_DEPTH} {name} are nested"
        assert message in str(error.value)


def test_all_errors_are_told_at_once() -> None:
    assert complaint("ad.s32 a, b;\nadd.s32 a, b, c;\nsubb.s32 a;").count("TW1201") == 2


def test_names_end_with_their_scope() -> None:
    assert "TW1204" in complaint("{ .reg .b32 inner; }\nmov.b32 inner, 1;")
    read(kernel("{ .reg .b32 inner; mov.b32 inner, 1; }\n{ .reg .b64 inner; mov.b64 inner, 1; }"))


def test_loads_take_wider_registers() -> None:
    read(kernel("ld.global.u8 a, [w]; cvt.u8.u32 a, b;"))
    assert "TW1203" in complaint("ld.global.b64 a, [w];")


def test_lines_of_inlined_functions_and_pragmas() -> None:
    text = (
        '.file 1 "a.cu"\n.section .debug_str { $name: .b8 0 }\n.entry k()\n{\n'
        ".loc 1 5 3\n.loc 1 7 2, function_name $name+16, inlined_at 1 5 4\n"
        '.pragma "nounroll", "used_bytes_mask 15";\nret;\n}\n'
    )
    module = parse(HEAD + text)
    body = module.functions()["k"].body
    assert isinstance(body, PtxScope)
    plain, inlined, pragma, _ = body.statements
    assert isinstance(plain, LocDirective)
    assert isinstance(inlined, LocDirective)
    assert isinstance(pragma, Pragma)
    assert (plain.file, plain.line, plain.column, plain.function, plain.inlined) == (1, 5, 3, "", None)
    assert (inlined.line, inlined.column, inlined.function) == (7, 2, "$name+16")
    assert inlined.inlined == (1, 5, 4)
    assert pragma.texts == ("nounroll", "used_bytes_mask 15")
    assert parse(print_module(module)) == module


def test_calls_of_names_that_are_no_functions() -> None:
    text = kernel(".param .b32 x; call out;").replace(".entry", ".global .u64 v;\n.entry")
    with pytest.raises(DiagnosticError, match=r"<ptx>:8:\d+: .*'out' is not a function"):
        read(text)
    read(HEAD + ".func f() { ret; }\n.entry k() { call f; ret; }\n")
    with pytest.raises(DiagnosticError, match="'k' is a kernel; kernels cannot be called"):
        read(HEAD + ".entry k() { call k; ret; }\n")


@pytest.mark.parametrize(
    ("other", "usual"),
    [
        ("vote.ballot.sync.b32 a, p, -1;", "vote.sync.ballot.b32 a, p, -1;"),
        ("shfl.idx.sync.b32 a, b, 0, 31, -1;", "shfl.sync.idx.b32 a, b, 0, 31, -1;"),
    ],
)
def test_instructions_whose_sync_is_a_later_word(other: str, usual: str) -> None:
    assert one(other) == one(usual)
    assert print_instruction(one(other)) == usual


def test_functions_are_found_by_name() -> None:
    functions = parse(EVERY.read_text(encoding="utf-8")).functions()
    assert list(functions) == ["elsewhere", "twice", "kernel"]
    assert isinstance(functions["kernel"], PtxFunction)
    assert functions["kernel"].directive("maxntid") == (128, 1, 1)


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        (".noinline", "functions have no directive '.noinline'"),
        (".maxntidx 4", "did you mean '.maxntid'?"),
        (".maxntid", "'.maxntid' takes 1 to 3 numbers"),
        (".maxnreg 4, 5", "'.maxnreg' takes 1 number"),
        (".noreturn 1", "'.noreturn' takes no numbers"),
    ],
)
def test_directives_of_functions(directive: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        parse(f"{HEAD}.entry k()\n{directive}\n{{ ret; }}\n")
    assert message in str(error.value)
    assert "<ptx>:5:1: error[TW1200]" in str(error.value)


@pytest.mark.parametrize(
    "head", ["", ".version 8.0\n", ".target sm_80\n", ".version 8.0\n.target sm_80, debug\n"]
)
def test_a_text_without_its_head_goes_through_and_back(head: str) -> None:
    module = parse(f"{head}.address_size 64\n.entry k() {{ ret; }}\n")
    assert parse(print_module(module)) == module


@pytest.mark.parametrize(
    ("shape", "op", "since"),
    [
        ("m8n8k128", "xor", "sm_75"),
        ("m16n8k128", "xor", "sm_80"),
        ("m16n8k256", "xor", "sm_80"),
        ("m8n8k128", "and", "sm_80"),
        ("m16n8k128", "and", "sm_80"),
    ],
)
def test_chips_that_multiply_single_bits(shape: str, op: str, since: str) -> None:
    count, a, b = (2, 1, 1) if shape.startswith("m8") else (4, 4, 2) if shape.endswith("256") else (4, 2, 1)
    listed = ("{" + ", ".join(["a"] * one) + "}" for one in (count, a, b, count))
    name = f"mma.sync.aligned.{shape}.row.col.s32.b1.b1.s32.{op}.popc"
    text = kernel(f"{name} {', '.join(listed)};")
    read(text.replace("sm_90a", since))
    with pytest.raises(DiagnosticError, match=f"needs {since}"):
        read(text.replace("sm_90a", "sm_70" if since == "sm_75" else "sm_75"))


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("multimem.ld_reduce.relaxed.sys.global.add.f16x2 a, [w];", (8, 1)),
        ("multimem.ld_reduce.relaxed.sys.global.add.acc::f32.f16x2 a, [w];", (8, 2)),
        (
            "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {a,a,a,a}, {b,b,b,b}, {c,c}, {a,a,a,a};",
            (8, 4),
        ),
        ("mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32 {a,a,a,a}, {b,b}, {c}, {a,a,a,a};", (8, 7)),
        ("mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16 {a,a}, {b,b,b,b}, {c,c}, {a,a};", (8, 7)),
    ],
)
def test_versions_that_assemblers_ask_for(text: str, since: tuple[int, int]) -> None:
    assert one(text).form.ptx == since
