"""Small functions that canonicalisation simplifies: integer arithmetic, for proofs and for comparison with MLIR.

Each is ``arguments | body | returned values`` with every operation of one type said once: see `function_text`.
"""

from __future__ import annotations

I8 = "%x: i8, %y: i8, %z: i8, %p: i1, %q: i1"
CONSTANTS = """\
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %minus = arith.constant -1 : i8
  %five = arith.constant 5 : i8
  %big = arith.constant 100 : i8
  %low = arith.constant -128 : i8
  %high = arith.constant 127 : i8
  %true = arith.constant true
  %false = arith.constant false
"""

BINARY = [
    "addi",
    "subi",
    "muli",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrui",
    "shrsi",
    "divui",
    "divsi",
    "remui",
    "remsi",
    "ceildivui",
    "ceildivsi",
    "floordivsi",
    "maxsi",
    "maxui",
    "minsi",
    "minui",
]
SIMPLE: dict[str, str] = {
    f"{op}_{left}_{right}": f"%r = arith.{op} %{left}, %{right} : i8"
    for op in BINARY
    for left, right in (
        *(("x", constant) for constant in ("zero", "one", "minus", "five", "low", "high", "x")),
        ("five", "x"),
        ("big", "five"),
        ("minus", "big"),
        ("low", "minus"),
        ("five", "zero"),
    )
}
"""Every operation with a special constant, with itself, and on two constants."""

NESTED: dict[str, str] = {
    f"{outer}_{inner}_{shape}_{flags or 'none'}": "\n".join(
        (
            f"%t = arith.{inner} {'%big, %x' if shape[0] == 'l' else '%x, %big'}{flags and f' overflow<{flags}>'} : i8",
            f"%r = arith.{outer} {'%five, %t' if shape[1] == 'l' else '%t, %five'}{flags and f' overflow<{flags}>'} : i8",
        )
    )
    for outer in ("addi", "subi", "muli")
    for inner in ("addi", "subi", "muli")
    for shape in ("lr", "ll", "rr", "rl")
    for flags in ("", "nsw", "nuw", "nsw, nuw")
}
"""A constant with the result of an operation on another constant."""

PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
COMPARISONS: dict[str, str] = {
    **{f"cmpi_{p}_same": f"%r = arith.cmpi {p}, %x, %x : i8" for p in PREDICATES},
    **{f"cmpi_{p}_constant_left": f"%r = arith.cmpi {p}, %five, %x : i8" for p in PREDICATES},
    **{f"cmpi_{p}_constants": f"%r = arith.cmpi {p}, %minus, %five : i8" for p in PREDICATES},
    **{
        f"not_cmpi_{p}": f"%t = arith.cmpi {p}, %x, %y : i8\n%r = arith.xori %t, %true : i1"
        for p in PREDICATES
    },
    **{
        f"cmpi_{p}_{e}": f"%s = arith.{e} %x : i8 to i16\n%t = arith.{e} %y : i8 to i16\n"
        f"%r = arith.cmpi {p}, %s, %t : i16"
        for p in PREDICATES
        for e in ("extsi", "extui")
    },
    "cmpi_ne_false": "%r = arith.cmpi ne, %p, %false : i1",
    "cmpi_eq_true": "%r = arith.cmpi eq, %p, %true : i1",
    "cmpi_ne_extended": "%t = arith.extsi %p : i1 to i8\n%r = arith.cmpi ne, %t, %zero : i8",
}

OTHERS: dict[str, str] = {
    "add_of_difference": "%t = arith.subi %x, %y : i8\n%r = arith.addi %t, %y : i8",
    "add_to_difference": "%t = arith.subi %x, %y : i8\n%r = arith.addi %y, %t : i8",
    "difference_of_sum": "%t = arith.addi %x, %y : i8\n%r = arith.subi %t, %y : i8",
    "difference_of_sum_left": "%t = arith.addi %x, %y : i8\n%r = arith.subi %t, %x : i8",
    "difference_minus_minuend": "%t = arith.subi %x, %y : i8\n%r = arith.subi %t, %x : i8",
    "add_negated": "%t = arith.muli %y, %minus : i8\n%r = arith.addi %x, %t : i8",
    "add_negated_left": "%t = arith.muli %y, %minus : i8\n%r = arith.addi %t, %x : i8",
    "and_not": "%t = arith.xori %x, %minus : i8\n%r = arith.andi %x, %t : i8",
    "not_and": "%t = arith.xori %x, %minus : i8\n%r = arith.andi %t, %x : i8",
    "or_not": "%t = arith.xori %x, %minus : i8\n%r = arith.ori %x, %t : i8",
    "and_and": "%t = arith.andi %x, %y : i8\n%r = arith.andi %x, %t : i8",
    "or_or": "%t = arith.ori %x, %y : i8\n%r = arith.ori %t, %y : i8",
    "xor_xor": "%t = arith.xori %x, %y : i8\n%r = arith.xori %t, %y : i8",
    "div_of_product_unsigned": "%t = arith.muli %x, %y overflow<nuw> : i8\n%r = arith.divui %t, %y : i8",
    "div_of_product_signed": "%t = arith.muli %x, %y overflow<nsw> : i8\n%r = arith.divsi %t, %y : i8",
    "div_of_product_wraps": "%t = arith.muli %x, %y : i8\n%r = arith.divsi %t, %y : i8",
    "select_not": "%t = arith.xori %p, %true : i1\n%r = arith.select %t, %x, %y : i8",
    "select_extension": "%r = arith.select %p, %one, %zero : i8",
    "select_extension_not": "%r = arith.select %p, %zero, %one : i8",
    "select_truth": "%r = arith.select %p, %true, %false : i1",
    "select_negation": "%r = arith.select %p, %false, %true : i1",
    "select_same": "%r = arith.select %p, %x, %x : i8",
    "select_known": "%r = arith.select %true, %x, %y : i8",
    "select_equal": "%t = arith.cmpi eq, %x, %y : i8\n%r = arith.select %t, %x, %y : i8",
    "select_unequal": "%t = arith.cmpi ne, %x, %y : i8\n%r = arith.select %t, %x, %y : i8",
    "select_again_first": "%t = arith.select %p, %x, %y : i8\n%r = arith.select %p, %t, %z : i8",
    "select_again_second": "%t = arith.select %p, %x, %y : i8\n%r = arith.select %p, %z, %t : i8",
    "select_poison": "%t = ub.poison : i8\n%r = arith.select %p, %x, %t : i8",
    "add_poison": "%t = ub.poison : i8\n%r = arith.addi %x, %t : i8",
    "ext_ext": "%t = arith.extui %p : i1 to i4\n%r = arith.extui %t : i4 to i8",
    "exts_exts": "%t = arith.extsi %p : i1 to i4\n%r = arith.extsi %t : i4 to i8",
    "exts_ext": "%t = arith.extui %p : i1 to i4\n%r = arith.extsi %t : i4 to i8",
    "trunc_trunc": "%t = arith.trunci %x : i8 to i6\n%r = arith.trunci %t : i6 to i3",
    "trunc_ext_same": "%t = arith.extsi %x : i8 to i16\n%r = arith.trunci %t : i16 to i8",
    "trunc_ext_less": "%t = arith.extsi %x : i8 to i16\n%r = arith.trunci %t : i16 to i4",
    "trunc_ext_more": "%t = arith.extui %x : i8 to i16\n%r = arith.trunci %t : i16 to i12",
    "trunc_shift": "%t = arith.shrsi %x, %five : i8\n%r = arith.trunci %t : i8 to i3",
    "trunc_shift_sign": "%t = arith.shrsi %x, %five : i8\n%r = arith.trunci %t : i8 to i4",
    "index_of_extension": "%t = arith.extsi %x : i8 to i16\n%r = arith.index_cast %t : i16 to index",
    "index_of_extension_unsigned": "%t = arith.extui %x : i8 to i16\n%r = arith.index_castui %t : i16 to index",
    "index_and_back": "%t = arith.index_cast %x : i8 to index\n%r = arith.index_cast %t : index to i8",
    "add_without_carry": "%r, %c = arith.addui_extended %x, %y : i8, i1",
    "product_low_signed": "%r, %c = arith.mulsi_extended %x, %y : i8",
    "product_low_unsigned": "%r, %c = arith.mului_extended %x, %y : i8",
    "product_high_one": "%c, %r = arith.mulsi_extended %x, %one : i8",
    "product_high_one_unsigned": "%c, %r = arith.mului_extended %x, %one : i8",
    "product_high_zero": "%c, %r = arith.mulsi_extended %x, %zero : i8",
    "product_high_constants": "%c, %r = arith.mulsi_extended %big, %minus : i8",
    "carry_constants": "%c, %r = arith.addui_extended %big, %minus : i8, i1",
    "carry_zero": "%c, %r = arith.addui_extended %x, %zero : i8, i1",
    **{
        f"{op}_{e}": f"%s = arith.{e} %x : i8 to i16\n%t = arith.{e} %y : i8 to i16\n%r = arith.{op} %s, %t : i16"
        for op in ("andi", "ori", "xori")
        for e in ("extsi", "extui")
    },
}
"""One for each remaining rule, and some that must decline."""

INTEGER: dict[str, str] = {**SIMPLE, **NESTED, **COMPARISONS, **OTHERS}


def function_text(name: str, body: str) -> str:
    """A function that returns ``%r``; its type is that of the line that defines it."""
    type = _result_type(body)
    lines = "\n".join(f"  {line}" for line in body.splitlines())
    return f"func.func @{name.replace(', ', '_')}({I8}) -> {type} {{\n{CONSTANTS}{lines}\n  return %r : {type}\n}}"


def _result_type(body: str) -> str:
    last = body.splitlines()[-1]
    if "cmpi" in last or "%c, %r = arith.addui_extended" in last:
        return "i1"
    return last.rpartition(" to ")[2] if " to " in last else last.rpartition(" : ")[2].split(",")[0]
