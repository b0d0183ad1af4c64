"""Canonical forms of Tile IR, rule by rule: what each becomes, and where it must not apply."""

from __future__ import annotations

import pytest

from tilewright.driver.startup import context
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.manager import PassManager
from tilewright.passes.pass_ import Pass
from tilewright.passes.transforms.canonicalize import Canonicalize
from tilewright.passes.transforms.cse import CSE
from tilewright.passes.transforms.sccp import SCCP

PARAMETERS = (
    "%c: tile<i1>, %d: tile<i1>, %x: tile<i32>, %y: tile<i32>, %f: tile<f32>, %g: tile<f32>, %p: tile<ptr<i32>>, "
    "%q: tile<ptr<f32>>, %l: tile<i64>, %b: tile<ptr<i1>>"
)
NAMES = dict(zip((part.split(":")[0] for part in PARAMETERS.split(", ")), range(10), strict=True))
HEADER = """
%n0 = constant <i32: 0> : tile<i32>
%n1 = constant <i32: 1> : tile<i32>
%n2 = constant <i32: 2> : tile<i32>
%true = constant <i1: 1> : tile<i1>
%false = constant <i1: 0> : tile<i1>
"""


def run(body: str, *passes: Pass) -> list[str]:
    """The lines of a kernel with this body after passes; parameters keep the names they are given here."""
    text = f"cuda_tile.module @m {{ entry @k({PARAMETERS}) {{ {HEADER}\n{body}\nreturn }} }}"
    known = context()
    module = parse_module(known, text)
    manager = PassManager(known, anchor="cuda_tile.module")
    for each in passes:
        manager.add(each)
    manager.run(module)
    assert [str(problem) for problem in verify(module)] == []
    lines = [" ".join(line.split()) for line in module.print().splitlines()[2:-2]]
    for name, number in reversed(NAMES.items()):
        lines = [line.replace(f"%arg{number}", name) for line in lines]
    return lines


def canonical(body: str) -> list[str]:
    """The kernel in canonical form, and that form is one."""
    return run(body, Canonicalize(test_convergence=True))


def i32(value: str) -> str:
    """Text that uses a number."""
    return f"%s = store_ptr_tko weak %p, {value} : tile<ptr<i32>>, tile<i32> -> token"


def f32(value: str) -> str:
    """Text that uses a float."""
    return f"%s = store_ptr_tko weak %q, {value} : tile<ptr<f32>>, tile<f32> -> token"


def i1(value: str) -> str:
    """Text that uses a truth value."""
    return f"%s = store_ptr_tko weak %b, {value} : tile<ptr<i1>>, tile<i1> -> token"


def stored(lines: list[str]) -> str:
    """What is stored in the end."""
    return next(line for line in lines if "store_ptr_tko" in line).split(", ")[1].split(" ")[0]


def words(lines: list[str]) -> list[str]:
    """The operations, without constants and the store."""
    calls = [(line.partition(" = ")[2] or line).split()[0] for line in lines]
    return [call for call in calls if call not in ("constant", "store_ptr_tko", "}")]


# --- integers


@pytest.mark.parametrize(
    "text",
    [
        "addi %x, %n0 : tile<i32>",
        "addi %n0, %x : tile<i32>",
        "subi %x, %n0 : tile<i32>",
        "muli %n1, %x overflow<no_wrap> : tile<i32>",
        "divi %x, %n1 signed : tile<i32>",
        "shli %x, %n0 : tile<i32>",
        "shri %x, %n0 signed : tile<i32>",
        "ori %x, %n0 : tile<i32>",
        "andi %x, %x : tile<i32>",
        "xori %n0, %x : tile<i32>",
        "maxi %x, %x signed : tile<i32>",
        "maxi %x, %n0 unsigned : tile<i32>",
        "select %true, %x, %y : tile<i1>, tile<i32>",
        "select %false, %y, %x : tile<i1>, tile<i32>",
        "select %c, %x, %x : tile<i1>, tile<i32>",
    ],
)
def test_results_that_are_the_operand(text: str) -> None:
    assert canonical(f"%r = {text}\n{i32('%r')}") == [i32("%x").replace("%s", "%0"), "return"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("subi %x, %x : tile<i32>", 0),
        ("muli %x, %n0 : tile<i32>", 0),
        ("mulhii %x, %n1 : tile<i32>", 0),
        ("remi %x, %n1 signed : tile<i32>", 0),
        ("andi %x, %n0 : tile<i32>", 0),
        ("xori %y, %y : tile<i32>", 0),
        ("mini %x, %n0 unsigned : tile<i32>", 0),
        ("addi %n1, %n2 : tile<i32>", 3),
        ("shli %n1, %n2 : tile<i32>", 4),
    ],
)
def test_results_that_are_constant(text: str, number: int) -> None:
    assert canonical(f"%r = {text}\n{i32('%r')}")[0].endswith(f"constant <i32: {number}> : tile<i32>")


@pytest.mark.parametrize(
    "text",
    [
        "divi %n1, %n0 signed : tile<i32>",
        "remi %n1, %n0 unsigned : tile<i32>",
        "divi %x, %x signed : tile<i32>",
        "divi %n0, %x signed : tile<i32>",
        "remi %x, %x signed : tile<i32>",
        "maxi %x, %n0 signed : tile<i32>",
        "subi %n0, %n1 overflow<no_unsigned_wrap> : tile<i32>",
        "subi %n0, %x : tile<i32>",
    ],
)
def test_undefined_and_unknown_results_stay(text: str) -> None:
    assert words(canonical(f"%r = {text}\n{i32('%r')}")) == [text.split()[0], "return"]


def test_shifts_by_the_width_stay() -> None:
    body = f"%w = constant <i32: 32> : tile<i32>\n%r = shli %n1, %w : tile<i32>\n{i32('%r')}"
    assert words(canonical(body)) == ["shli", "return"]


def test_constants_come_together_without_the_promise() -> None:
    body = (
        "%1 = addi %x, %n1 overflow<no_wrap> : tile<i32>\n%2 = addi %1, %n2 overflow<no_wrap> : tile<i32>\n"
    )
    lines = canonical(body + i32("%2"))
    assert lines[0] == "%cst_3_i32 = constant <i32: 3> : tile<i32>"
    assert lines[1] == "%0 = addi %x, %cst_3_i32 : tile<i32>"


def test_signed_and_unsigned_maxima_stay_apart() -> None:
    body = "%1 = maxi %x, %n1 signed : tile<i32>\n%2 = maxi %1, %n2 unsigned : tile<i32>\n"
    assert words(canonical(body + i32("%2"))) == ["maxi", "maxi", "return"]


def test_comparisons_have_their_constant_on_the_right() -> None:
    lines = canonical(f"%1 = cmpi less_than %n2, %x, signed : tile<i32> -> tile<i1>\n{i1('%1')}")
    assert lines[1] == "%0 = cmpi greater_than %x, %cst_2_i32, signed : tile<i32> -> tile<i1>"


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("less_than %x, %n0, unsigned", "false"),
        ("greater_than_or_equal %x, %n0, unsigned", "true"),
        ("equal %x, %x, signed", "true"),
        ("less_than %y, %y, signed", "false"),
    ],
)
def test_comparisons_that_are_always_so(text: str, truth: str) -> None:
    lines = canonical(f"%1 = cmpi {text} : tile<i32> -> tile<i1>\n{i1('%1')}")
    assert lines[0].endswith(f"constant <i1: {truth}> : tile<i1>")


# --- floats


def test_nothing_is_known_of_a_number_from_memory() -> None:
    """It may be a NaN with a payload, which every operation makes canonical."""
    body = "%one = constant <f32: 1.0> : tile<f32>\n%1 = mulf %f, %one : tile<f32>\n"
    assert words(canonical(body + f32("%1"))) == ["mulf", "return"]


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("mulf %s1, %one : tile<f32>", False),
        ("divf %s1, %one : tile<f32>", False),
        ("divf %s1, %one rounding<approx> : tile<f32>", True),
        ("addf %s1, %minus : tile<f32>", False),
        ("addf %s1, %plus : tile<f32>", True),
        ("addf %s1, %plus rounding<negative_inf> : tile<f32>", False),
        ("addf %s1, %minus rounding<negative_inf> : tile<f32>", True),
        ("subf %s1, %plus : tile<f32>", False),
        ("subf %s1, %minus : tile<f32>", True),
        ("subf %s1, %s1 : tile<f32>", True),
        ("mulf %s1, %plus : tile<f32>", True),
        ("mulf %s1, %one flush_to_zero : tile<f32>", True),
        ("maxf %s1, %s1 propagate_nan : tile<f32>", False),
    ],
)
def test_identities_of_numbers_that_were_computed(text: str, stays: bool) -> None:
    body = (
        "%one = constant <f32: 1.0> : tile<f32>\n%plus = constant <f32: 0.0> : tile<f32>\n"
        "%minus = constant <f32: -0.0> : tile<f32>\n%s1 = addf %f, %g : tile<f32>\n"
        f"%r = {text}\n{f32('%r')}"
    )
    assert len(words(canonical(body))) == (3 if stays else 2)


def test_flushed_numbers_are_flushed() -> None:
    body = "%one = constant <f32: 1.0> : tile<f32>\n%1 = addf %f, %g flush_to_zero : tile<f32>\n"
    body += "%2 = mulf %1, %one flush_to_zero : tile<f32>\n"
    assert words(canonical(body + f32("%2"))) == ["addf", "return"]


def test_products_stand_on_the_left_of_sums() -> None:
    body = "%1 = mulf %f, %g : tile<f32>\n%2 = addf %f, %1 : tile<f32>\n"
    assert canonical(body + f32("%2"))[1] == "%1 = addf %0, %f : tile<f32>"


def test_two_products_keep_their_order() -> None:
    body = "%1 = mulf %f, %g : tile<f32>\n%2 = mulf %g, %g : tile<f32>\n%3 = addf %2, %1 : tile<f32>\n"
    assert canonical(body + f32("%3"))[2] == "%2 = addf %1, %0 : tile<f32>"


def test_elementary_functions_fold_where_they_are_exact() -> None:
    zero = "%z = constant <f32: 0.0> : tile<f32>\n%1 = exp %z : tile<f32>\n"
    assert canonical(zero + f32("%1"))[0].endswith("constant <f32: 1.000000e+00> : tile<f32>")
    one = "%z = constant <f32: 1.0> : tile<f32>\n%1 = exp %z : tile<f32>\n"
    assert words(canonical(one + f32("%1"))) == ["exp", "return"]


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("less_than ordered %f, %f", "false"),
        ("equal unordered %f, %f", "true"),
        ("equal ordered %f, %f", None),
        ("not_equal unordered %f, %f", None),
        ("equal ordered %f, %nan", "false"),
        ("less_than unordered %nan, %f", "true"),
    ],
)
def test_float_comparisons_that_are_always_so(text: str, truth: str | None) -> None:
    body = f"%nan = constant <f32: 0x7FC00000> : tile<f32>\n%1 = cmpf {text} : tile<f32> -> tile<i1>\n"
    lines = canonical(body + i1("%1"))
    if truth is None:
        assert words(lines) == ["cmpf", "return"]
    else:
        assert lines[0].endswith(f"constant <i1: {truth}> : tile<i1>")


# --- conversions


@pytest.mark.parametrize(
    ("chain", "left"),
    [
        ("exti %x signed : tile<i32> -> tile<i64>|trunci %1 : tile<i64> -> tile<i32>", []),
        ("exti %x signed : tile<i32> -> tile<i64>|trunci %1 : tile<i64> -> tile<i16>", ["trunci"]),
        (
            "trunci %l : tile<i64> -> tile<i32>|trunci %1 overflow<no_wrap> : tile<i32> -> tile<i8>",
            ["trunci"],
        ),
        ("exti %c unsigned : tile<i1> -> tile<i8>|exti %1 signed : tile<i8> -> tile<i32>", ["exti"]),
        ("exti %c signed : tile<i1> -> tile<i8>|exti %1 unsigned : tile<i8> -> tile<i32>", ["exti", "exti"]),
        ("bitcast %x : tile<i32> -> tile<f32>|bitcast %1 : tile<f32> -> tile<i32>", []),
        ("bitcast %x : tile<i32> -> tile<i32>", []),
        ("ptr_to_int %p : tile<ptr<i32>> -> tile<i64>|int_to_ptr %1 : tile<i64> -> tile<ptr<i32>>", []),
        (
            "ptr_to_ptr %p : tile<ptr<i32>> -> tile<ptr<f32>>|ptr_to_int %1 : tile<ptr<f32>> -> tile<i64>",
            ["ptr_to_int"],
        ),
        ("ftof %f : tile<f32> -> tile<f64>|ftof %1 : tile<f64> -> tile<f32>", ["ftof", "ftof"]),
        (
            "addf %f, %f : tile<f32>|ftof %1 : tile<f32> -> tile<f64>|ftof %2 : tile<f64> -> tile<f32>",
            ["addf"],
        ),
        (
            "addf %f, %f : tile<f32>|ftof %1 : tile<f32> -> tile<f16>|ftof %2 : tile<f16> -> tile<f32>",
            ["addf", "ftof", "ftof"],
        ),
    ],
)
def test_conversions_in_a_row(chain: str, left: list[str]) -> None:
    parts = chain.split("|")
    body = "\n".join(f"%{number} = {part}" for number, part in enumerate(parts, 1))
    result = parts[-1].rpartition("tile<")[2].removesuffix(">")
    if result == "ptr<i32>":
        use = i32("%n1").replace("%p,", f"%{len(parts)},")
    else:
        base = f"%t = ptr_to_ptr %p : tile<ptr<i32>> -> tile<ptr<{result}>>\n"
        use = (
            base + f"%s = store_ptr_tko weak %t, %{len(parts)} : tile<ptr<{result}>>, tile<{result}> -> token"
        )
    found = [word for word in words(canonical(f"{body}\n{use}")) if word not in ("ptr_to_ptr", "return")]
    assert found == left


# --- shapes

PREFIX = "%v = reshape %x : tile<i32> -> tile<1x1xi32>\n%w = broadcast %v : tile<1x1xi32> -> tile<4x2xi32>\n"


def shape_use(type: str, value: str) -> str:
    """Print a tile, so that it is used."""
    return f'%s = print_tko "%d", {value} : {type} -> token'


@pytest.mark.parametrize(
    ("chain", "left"),
    [
        (
            "permute %w [1, 0] : tile<4x2xi32> -> tile<2x4xi32>|permute %1 [1, 0] : tile<2x4xi32> -> tile<4x2xi32>",
            [],
        ),
        ("reshape %w : tile<4x2xi32> -> tile<8xi32>|reshape %1 : tile<8xi32> -> tile<2x4xi32>", ["reshape"]),
        ("reshape %w : tile<4x2xi32> -> tile<8xi32>|reshape %1 : tile<8xi32> -> tile<4x2xi32>", []),
        ("extract %w[%n0, %n0] : tile<4x2xi32> -> tile<4x2xi32>", []),
        (
            "extract %w[%n1, %n0] : tile<4x2xi32> -> tile<2x2xi32>|"
            "extract %1[%n1, %n0] : tile<2x2xi32> -> tile<1x2xi32>",
            ["extract"],
        ),
        (
            "cat %w, %w dim = 0 : tile<4x2xi32>, tile<4x2xi32> -> tile<8x2xi32>|"
            "extract %1[%n1, %n0] : tile<8x2xi32> -> tile<4x2xi32>",
            [],
        ),
        (
            "cat %w, %w dim = 0 : tile<4x2xi32>, tile<4x2xi32> -> tile<8x2xi32>|"
            "extract %1[%x, %n0] : tile<8x2xi32> -> tile<4x2xi32>",
            ["cat", "extract"],
        ),
    ],
)
def test_shapes_in_a_row(chain: str, left: list[str]) -> None:
    parts = chain.split("|")
    body = PREFIX + "\n".join(f"%{number} = {part}" for number, part in enumerate(parts, 1))
    result = parts[-1].rpartition("-> ")[2]
    found = words(canonical(f"{body}\n{shape_use(result, f'%{len(parts)}')}"))
    assert found == ["reshape", "broadcast", *left, "print_tko", "return"]


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("permute %k [1, 0] : tile<2x2xi32> -> tile<2x2xi32>", "<i32: [[0, 2], [1, 3]]> : tile<2x2xi32>"),
        ("reshape %k : tile<2x2xi32> -> tile<4xi32>", "<i32: [0, 1, 2, 3]> : tile<4xi32>"),
        ("extract %k[%n1, %n0] : tile<2x2xi32> -> tile<1x2xi32>", "<i32: [[2, 3]]> : tile<1x2xi32>"),
        (
            "cat %k, %k dim = 1 : tile<2x2xi32>, tile<2x2xi32> -> tile<2x4xi32>",
            "<i32: [[0, 1, 0, 1], [2, 3, 2, 3]]> : tile<2x4xi32>",
        ),
        ("iota : tile<1xi32>", "<i32: 0> : tile<1xi32>"),
    ],
)
def test_constants_are_moved(text: str, elements: str) -> None:
    body = f"%k = constant <i32: [[0, 1], [2, 3]]> : tile<2x2xi32>\n%1 = {text}\n"
    result = text.rpartition("-> ")[2].rpartition(": ")[2]
    assert canonical(body + shape_use(result, "%1"))[0].endswith(f"constant {elements}")


def test_slices_out_of_range_stay() -> None:
    body = "%k = constant <i32: [[0, 1], [2, 3]]> : tile<2x2xi32>\n"
    body += "%1 = extract %k[%n2, %n0] : tile<2x2xi32> -> tile<1x2xi32>\n"
    assert "extract" in words(canonical(body + shape_use("tile<1x2xi32>", "%1")))


# --- select and if


def test_selects_of_selects() -> None:
    body = "%1 = select %c, %x, %n1 : tile<i1>, tile<i32>\n%2 = select %c, %1, %y : tile<i1>, tile<i32>\n"
    assert canonical(body + i32("%2"))[0] == "%0 = select %c, %x, %y : tile<i1>, tile<i32>"


def test_selects_by_the_opposite() -> None:
    body = "%1 = xori %c, %true : tile<i1>\n%2 = select %1, %x, %y : tile<i1>, tile<i32>\n"
    assert canonical(body + i32("%2"))[0] == "%0 = select %c, %y, %x : tile<i1>, tile<i32>"


def test_selects_of_zero_and_one() -> None:
    assert words(canonical("%1 = select %c, %n1, %n0 : tile<i1>, tile<i32>\n" + i32("%1"))) == [
        "exti",
        "return",
    ]
    lines = canonical("%1 = select %c, %n0, %n1 : tile<i1>, tile<i32>\n" + i32("%1"))
    assert words(lines) == ["xori", "exti", "return"]


@pytest.mark.parametrize(("predicate", "arm"), [("equal", "%y"), ("not_equal", "%x"), ("less_than", None)])
def test_selects_of_what_is_compared(predicate: str, arm: str | None) -> None:
    body = f"%1 = cmpi {predicate} %x, %y, signed : tile<i32> -> tile<i1>\n"
    body += "%2 = select %1, %x, %y : tile<i1>, tile<i32>\n"
    lines = canonical(body + i32("%2"))
    assert words(lines) == (["cmpi", "select", "return"] if arm is None else ["return"])
    assert arm is None or stored(lines) == arm


def test_known_conditions() -> None:
    body = "%1 = if %true -> (tile<i32>) { yield %x : tile<i32> } else { yield %y : tile<i32> }\n"
    assert stored(canonical(body + i32("%1"))) == "%x"


def test_a_branch_that_leaves_for_certain_ends_the_kernel() -> None:
    assert canonical(f"if %true {{ return }}\n{i32('%x')}") == ["return"]


def test_a_branch_that_may_leave_stays() -> None:
    """Nothing is computed in it, but what follows must not run."""
    assert canonical(f"if %c {{ return }}\n{i32('%x')}")[:2] == ["if %c {", "return"]


@pytest.mark.parametrize("passes", [(CSE(),), (SCCP(), CSE(), Canonicalize())])
def test_other_passes_keep_a_branch_that_may_leave(passes: tuple[Pass, ...]) -> None:
    assert "if %c {" in run(f"if %c {{ return }}\n{i32('%x')}", *passes)


def test_results_from_outside_are_selected() -> None:
    body = "%1 = if %c -> (tile<i32>) { yield %x : tile<i32> } else { yield %y : tile<i32> }\n"
    assert canonical(body + i32("%1"))[0] == "%0 = select %c, %x, %y : tile<i1>, tile<i32>"


def test_tokens_are_not_selected() -> None:
    body = "%1 = make_token : token\n%2 = make_token : token\n"
    body += "%3 = if %c -> (token) { yield %1 : token } else { yield %2 : token }\n"
    body += "%s = store_ptr_tko weak %p, %x token = %3 : tile<ptr<i32>>, tile<i32> -> token"
    assert "if" in words(canonical(body))


def test_results_where_the_other_branch_leaves() -> None:
    body = "%1 = if %c -> (tile<i32>) { yield %x : tile<i32> } else { return }\n"
    lines = canonical(body + i32("%1"))
    assert stored(lines) == "%x"
    assert "return" in words(lines)[:-1]


def test_both_branches_leave() -> None:
    body = f"if %c {{ {i32('%x')}\nreturn }} else {{ {i32('%y')}\nreturn }}\n{i32('%n0')}"
    assert words(canonical(body)) == ["if", "return", "return"]


def test_conditions_that_are_negated() -> None:
    body = "%1 = xori %c, %true : tile<i1>\n"
    body += f"if %1 {{ {i32('%x')} }} else {{ {i32('%y')} }}\n"
    lines = canonical(body)
    assert lines[0] == "if %c {"
    assert stored(lines) == "%y"


def test_ifs_on_one_condition() -> None:
    body = f"if %c {{ {i32('%x')} }}\nif %c {{ {i32('%y')} }} else {{ {i32('%n0')} }}\n"
    lines = canonical(body)
    assert words(lines) == ["if", "return"]
    assert sum("store" in line for line in lines) == 3


def test_ifs_on_opposite_conditions() -> None:
    body = f"%1 = xori %c, %true : tile<i1>\nif %c {{ {i32('%x')} }}\nif %1 {{ {i32('%y')} }}\n"
    lines = canonical(body)
    assert sum(line.startswith("if") for line in lines) == 1
    assert any("else" in line for line in lines)


def test_ifs_in_ifs() -> None:
    lines = canonical(f"if %c {{ if %d {{ {i32('%x')} }} }}")
    assert words(lines)[:2] == ["andi", "if"]


def test_ifs_in_ifs_with_results() -> None:
    body = (
        "%1 = if %c -> (tile<i32>) {\n%2 = if %d -> (tile<i32>) {\n%3 = addi %x, %y : tile<i32>\n"
        "yield %3 : tile<i32> } else { yield %y : tile<i32> }\nyield %2 : tile<i32> } else { yield %y : tile<i32> }\n"
    )
    assert words(canonical(body + i32("%1")))[:2] == ["andi", "if"]


def test_unused_results_and_empty_branches_go() -> None:
    body = f"%1:2 = if %c -> (tile<i32>, token) {{ %2 = make_token : token\n{i32('%x')}\n"
    body += (
        "yield %x, %2 : tile<i32>, token } else { %2 = make_token : token\nyield %y, %2 : tile<i32>, token }"
    )
    lines = canonical(body)
    assert words(lines) == ["if", "return"]
    assert not any("else" in line for line in lines)


def test_loops_that_never_run() -> None:
    body = "%1 = for %i in (%n2 to %n1, step %n1) : tile<i32> iter_values(%a = %x) -> (tile<i32>) {\n"
    body += "%2 = addi %a, %i : tile<i32>\ncontinue %2 : tile<i32> }\n"
    assert stored(canonical(body + i32("%1"))) == "%x"


# --- memory and promises


def test_promises_are_made_once() -> None:
    body = "%1 = assume div_by<8>, %x : tile<i32>\n%2 = assume bounded<0, 42>, %1 : tile<i32>\n"
    body += "%3 = assume div_by<8>, %2 : tile<i32>\n"
    assert words(canonical(body + i32("%3"))) == ["assume", "assume", "return"]


def test_masks_that_are_known() -> None:
    load = "%v, %t = load_ptr_tko weak %p, {}, %x : tile<ptr<i32>>, tile<i1>, tile<i32> -> tile<i32>, token\n"
    lines = canonical(load.format("%true") + i32("%v"))
    assert lines[0] == "%result, %result_token = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token"
    assert stored(canonical(load.format("%false") + i32("%v"))) == "%x"


def test_stores_that_do_nothing() -> None:
    store = "%t = store_ptr_tko weak %p, %x, %false : tile<ptr<i32>>, tile<i32>, tile<i1> -> token"
    assert canonical(store) == ["return"]
    release = store.replace("weak", "release sys")
    assert words(canonical(release.replace("weak", "release device"))) == ["return"]
    assert len(canonical(release)) == 3


def test_assertions_that_hold() -> None:
    assert canonical('assert %true, "fine" : tile<i1>') == ["return"]
    assert len(canonical('assert %false, "wrong" : tile<i1>')) == 3
    assert len(canonical('assert %c, "maybe" : tile<i1>')) == 2


def test_tokens_joined_with_themselves() -> None:
    body = f"{i32('%x')}\n%j = join_tokens %s, %s : token\n"
    body += "%u = store_ptr_tko weak %p, %y token = %j : tile<ptr<i32>>, tile<i32> -> token"
    assert "join_tokens" not in words(canonical(body))


def test_extents_that_the_type_states() -> None:
    body = (
        "%v = make_tensor_view %p, shape = [%x, 16], strides = [16, 1] : tile<i32> -> "
        "tensor_view<?x16xi32, strides=[16,1]>\n"
        "%1:2 = get_tensor_shape %v : tensor_view<?x16xi32, strides=[16,1]> -> tile<i32>\n"
        "%2 = addi %1#0, %1#1 : tile<i32>\n"
    )
    lines = canonical(body + i32("%2"))
    assert words(lines) == ["addi", "return"]
    assert "addi %x, %cst_16_i32" in lines[1]


# --- other passes


def test_loads_are_not_unified() -> None:
    """Two loads of one address may see different values; their tokens say what is ordered."""
    load = "load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n"
    body = f"%v, %t = {load}%w, %u = {load}%1 = addi %v, %w : tile<i32>\n"
    assert words(run(body + i32("%1"), CSE())).count("load_ptr_tko") == 2


def test_computations_are_unified() -> None:
    body = "%1 = addi %x, %y : tile<i32>\n%2 = addi %y, %x : tile<i32>\n%3 = muli %1, %2 : tile<i32>\n"
    assert words(run(body + i32("%3"), CSE())) == ["addi", "muli", "return"]


def test_constants_are_propagated() -> None:
    body = "%1 = addi %n1, %n2 : tile<i32>\n%2 = muli %1, %n2 : tile<i32>\n"
    lines = run(body + i32("%2"), SCCP())
    assert any("constant <i32: 6>" in line for line in lines)
    assert words(lines) == ["return"]


def test_constants_are_propagated_through_branches() -> None:
    """A branch that leaves gives no result, so the result is what the other one yields."""
    body = (
        "%1 = if %c -> (tile<i32>) { yield %n2 : tile<i32> } else { return }\n%2 = muli %1, %n2 : tile<i32>\n"
    )
    assert any("constant <i32: 4>" in line for line in run(body + i32("%2"), SCCP()))


def test_nothing_is_propagated_out_of_loops() -> None:
    """A round may end in any branch."""
    body = (
        "%1 = loop iter_values(%a = %n1) : tile<i32> -> tile<i32> {\n"
        "if %c { break %x : tile<i32> }\ncontinue %n1 : tile<i32> }\n"
    )
    assert "cst" not in stored(run(body + i32("%1"), SCCP()))
