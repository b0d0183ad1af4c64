"""Loops that carry tokens and are left from inside nested branches: code for GPUs does what the interpreter does."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import INTEGER, kernel
from tilewright.driver.stages import CompileOptions

LEVELS, TOKENS = (1, 2, 3, 4), (0, 1, 2, 3)
EXITS = ("break", "continue", "return")
ROOM = 32


READ = np.arange(ROOM, dtype=INTEGER)


def typed(values: list[str], types: list[str]) -> str:
    return f"{', '.join(values)} : {', '.join(types)}"


def cell(name: str, array: str, number: str) -> str:
    """Return what makes ``%NAME``, the address of a number of an array."""
    return f"%{name} = offset %{array}, {number} : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"


def branches(levels: int, tokens: int, leaves: str) -> str:
    """Return nested branches, the innermost of which leaves; each reads ``%p_n`` behind a carried token."""
    left = [f"%r{at}" if at < levels else f"%t{at}" for at in range(tokens)]
    types = ["tile<i32>", *["token"] * tokens]
    exits = {
        "break": f"break {typed(['%n', *left], types)}",
        "continue": f"%m = addi %n, %one : tile<i32>\ncontinue {typed(['%m', *left], types)}",
        "return": "return",
    }
    body = exits[leaves]
    for level in reversed(range(levels)):
        waits = f" token=%t{level % tokens}" if tokens else ""
        body = f"""
          %x{level}, %r{level} = load_ptr_tko weak %p_n{waits} : tile<ptr<i32>> -> tile<i32>, token
          %k{level} = constant <i32: {level}> : tile<i32>
          %c{level} = cmpi greater_than %x{level}, %k{level}, signed : tile<i32> -> tile<i1>
          if %c{level} {{ {body} }}
        """
    return body


def stores(tokens: int) -> str:
    """Return a store into `%q` behind each token that the loop ends with, each into a number of its own."""
    return "".join(
        f"%k{at} = constant <i32: {16 + at}> : tile<i32>\n"
        + cell(f"q{at}", "q", f"%k{at}")
        + f"%e{at} = store_ptr_tko weak %q{at}, %d#0 token=%d#{at + 1} : tile<ptr<i32>>, tile<i32> -> token\n"
        for at in range(tokens)
    )


def nest(levels: int, tokens: int, leaves: str) -> str:
    """Return a kernel whose loop carries a number and tokens, and is left from inside so many branches."""
    types, carried = ["tile<i32>", *["token"] * tokens], [f"%t{at}" for at in range(tokens)]
    initial = ["%n = %zero", *(f"{name} = %start" for name in carried)]
    list_of_types, waits = ", ".join(types), " token=%t0" if tokens else ""
    body = f"""
        %limit = constant <i32: 9> : tile<i32>
        %start = make_token : token
        %d:{len(types)} = loop iter_values({", ".join(initial)}) : {list_of_types} -> {list_of_types} {{
          %ends = cmpi greater_than %n, %limit, signed : tile<i32> -> tile<i1>
          if %ends {{ break {typed(["%n", *carried], types)} }}
          {cell("p_n", "p", "%n")}
          {cell("q_n", "q", "%n")}
          {branches(levels, tokens, leaves)}
          %s = store_ptr_tko weak %q_n, %n{waits} : tile<ptr<i32>>, tile<i32> -> token
          %next = addi %n, %one : tile<i32>
          continue {typed(["%next", *["%s"][:tokens], *carried[1:]], types)}
        }}
        {cell("q_end", "q", "%limit")}
        %end = store_ptr_tko weak %q_end, %d#0 : tile<ptr<i32>>, tile<i32> -> token
        {stores(tokens)}
    """
    return kernel("%p: tile<ptr<i32>>, %q: tile<ptr<i32>>", body)


@pytest.mark.parametrize("leaves", EXITS)
@pytest.mark.parametrize("level", [0, 3])
def test_a_loop_with_tokens_is_left_from_nested_branches(leaves: str, level: int) -> None:
    for levels, tokens in product(LEVELS, TOKENS):
        text = nest(levels, tokens, leaves)
        found: list[list[int]] = []
        for target in ("interp", "sim:sm_80"):
            written = np.full(ROOM, -1, INTEGER)
            artifact = tilewright.compile(text, target=target, options=CompileOptions(opt_level=level))
            artifact.launch((1,), [READ.copy(), written], entry="k")
            found.append(written.tolist())
        assert found[0] == found[1], f"{levels} branches, {tokens} tokens"
        assert found[0] != [-1] * ROOM, "the kernel stores something"
