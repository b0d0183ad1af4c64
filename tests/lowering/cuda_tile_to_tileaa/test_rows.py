"""The tables of operations on elements, row by row: names, attributes, and what has no attribute of its own."""

from __future__ import annotations

import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import check, kernel, lowered

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64")


def line_of(body: str, element: str) -> str:
    """The last line of a kernel with a parameter `%s`, before its return."""
    lines = check(lowered(kernel(body, f"%s: tile<{element}>"))).splitlines()
    return next(lines[at - 1] for at, line in enumerate(lines) if "nv_tileaa.return" in line)


def become(op: str, element: str, count: int = 1) -> str:
    operands = ", ".join(["%x"] * count)
    body = f"""
      %o = reshape %s : tile<{element}> -> tile<1x{element}>
      %x = broadcast %o : tile<1x{element}> -> tile<4x{element}>
      %r = {op.format(operands)} : tile<4x{element}>
    """
    return line_of(body, element)


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("absf {}", "math.absf"),
        ("negf {}", "arith.negf"),
        ("exp {}", "math.exp"),
        ("log {}", "math.log "),
        ("log2 {}", "math.log2"),
        ("sin {}", "math.sin "),
        ("tan {}", "math.tan "),
        ("sinh {}", "math.sinh"),
        ("cosh {}", "math.cosh"),
        ("tanh {}", "math.tanh"),
        ("ceil {}", "math.ceil"),
        ("floor {}", "math.floor"),
        ("exp2 {}", '"nv_tileaa.exp2"'),
        ("rsqrt {}", '"nv_tileaa.rsqrt"'),
    ],
)
def test_functions(element: str, source: str, target: str) -> None:
    found = become(source, element)
    assert target in found
    assert f"tensor<4x{element}>" in found


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("mode", ["nearest_even", "zero", "negative_inf", "positive_inf"])
@pytest.mark.parametrize("source", ["addf", "subf", "mulf", "divf"])
def test_rounding_stays(element: str, mode: str, source: str) -> None:
    words = "" if mode == "nearest_even" else f" rounding<{mode}>"
    found = become(f"{source} {{}}{words}", element, 2)
    assert f'"nv_tileaa.{source}"' in found
    assert f"rounding_mode<{mode}>" in found


def test_flushing_stays() -> None:
    assert "flush_to_zero" in become("addf {} flush_to_zero", "f32", 2)
    assert "flush_to_zero" in become("exp2 {} flush_to_zero", "f32")
    assert "<{flush_to_zero}>" in become("maxf {} flush_to_zero", "f32", 2)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("maxf {}", "arith.maxnumf"),
        ("minf {}", "arith.minnumf"),
        ("maxf {} propagate_nan", "arith.maximumf"),
        ("minf {} propagate_nan", "arith.minimumf"),
        ("remf {}", "arith.remf"),
        ("pow {}", "math.powf"),
        ("atan2 {}", "math.atan2"),
    ],
)
@pytest.mark.parametrize("element", FLOATS)
def test_floats(element: str, source: str, target: str) -> None:
    assert target in become(source, element, 2)


def test_approximations_are_said() -> None:
    assert "nv_tileaa.exp" in become("exp {} rounding<approx>", "f32")
    assert "nv_tileaa.rounding_mode" not in become("exp {} rounding<full>", "f32")
    assert "nv_tileaa.tanh" in become("tanh {} rounding<approx>", "f32")


@pytest.mark.parametrize("element", INTEGERS)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("addi {}", "arith.addi"),
        ("addi {} overflow<no_signed_wrap>", "overflow<nsw>"),
        ("muli {} overflow<no_wrap>", "overflow<nsw, nuw>"),
        ("subi {}", "arith.subi"),
        ("mulhii {}", '"nv_tileaa.mulhiui"'),
        ("divi {} signed", "arith.divsi"),
        ("divi {} unsigned", "arith.divui"),
        ("divi {} signed rounding<positive_inf>", "arith.ceildivsi"),
        ("divi {} unsigned rounding<positive_inf>", "arith.ceildivui"),
        ("divi {} signed rounding<negative_inf>", "arith.floordivsi"),
        ("remi {} signed", "arith.remsi"),
        ("remi {} unsigned", "arith.remui"),
        ("maxi {} signed", "arith.maxsi"),
        ("mini {} unsigned", "arith.minui"),
        ("shli {}", "arith.shli"),
        ("shri {} signed", "arith.shrsi"),
        ("shri {} unsigned", "arith.shrui"),
        ("andi {}", "arith.andi"),
        ("ori {}", "arith.ori"),
        ("xori {}", "arith.xori"),
    ],
)
def test_integers(element: str, source: str, target: str) -> None:
    assert target in become(source, element, 2)


@pytest.mark.parametrize(
    ("relation", "signed", "unsigned", "ordered", "unordered"),
    [
        ("equal", "eq", "eq", "oeq", "ueq"),
        ("not_equal", "ne", "ne", "one", "une"),
        ("less_than", "slt", "ult", "olt", "ult"),
        ("less_than_or_equal", "sle", "ule", "ole", "ule"),
        ("greater_than", "sgt", "ugt", "ogt", "ugt"),
        ("greater_than_or_equal", "sge", "uge", "oge", "uge"),
    ],
)
def test_comparisons(relation: str, signed: str, unsigned: str, ordered: str, unordered: str) -> None:
    for word, wanted in (("signed", signed), ("unsigned", unsigned)):
        body = f"%r = cmpi {relation} %s, %s, {word} : tile<i32> -> tile<i1>"
        assert f"arith.cmpi {wanted}," in line_of(body, "i32")
    for word, wanted in (("ordered", ordered), ("unordered", unordered)):
        body = f"%r = cmpf {relation} {word} %s, %s : tile<f32> -> tile<i1>"
        assert f"arith.cmpf {wanted}," in line_of(body, "f32")


@pytest.mark.parametrize(
    ("body", "element", "target"),
    [
        ("%r = exti %s signed : tile<i8> -> tile<i32>", "i8", "arith.extsi"),
        ("%r = exti %s unsigned : tile<i8> -> tile<i32>", "i8", "arith.extui"),
        ("%r = trunci %s : tile<i32> -> tile<i8>", "i32", "arith.trunci"),
        ("%r = trunci %s overflow<no_signed_wrap> : tile<i32> -> tile<i8>", "i32", "overflow<nsw>"),
        ("%r = itof %s signed : tile<i32> -> tile<f32>", "i32", "arith.sitofp"),
        ("%r = itof %s unsigned : tile<i32> -> tile<f8E5M2>", "i32", "arith.uitofp"),
        ("%r = ftoi %s signed : tile<f32> -> tile<i32>", "f32", "arith.fptosi"),
        ("%r = ftoi %s unsigned saturating : tile<f32> -> tile<i8>", "f32", "<{saturating}>"),
        ("%r = ftof %s : tile<f32> -> tile<f16>", "f32", '"nv_tileaa.fp_to_fp"'),
        ("%r = bitcast %s : tile<f32> -> tile<i32>", "f32", '"nv_tileaa.bitcast"'),
        ("%r = ptr_to_int %s : tile<ptr<f32>> -> tile<i64>", "ptr<f32>", '"nv_tileaa.ptr_to_int"'),
        ("%r = int_to_ptr %s : tile<i64> -> tile<ptr<f32>>", "i64", '"nv_tileaa.int_to_ptr"'),
        ("%r = ptr_to_ptr %s : tile<ptr<f32>> -> tile<ptr<i8>>", "ptr<f32>", '"nv_tileaa.bitcast"'),
    ],
)
def test_conversions(body: str, element: str, target: str) -> None:
    assert target in line_of(body, element)
