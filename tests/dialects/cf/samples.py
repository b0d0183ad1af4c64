"""Modules in generic form that use every operation of ``cf``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken, function

TYPES = {"c": "i1", "x": "f32", "i": "i64"}
SEGMENTS = "operandSegmentSizes = array<i32: "


def blocks(body: str, **arguments: str) -> str:
    """A function with arguments ``c``, ``x`` and ``i``; the body is blocks, the last one ends in the return."""
    return function(body, **(arguments or TYPES))


SAMPLES = (
    blocks('"cf.assert"(%c) <{msg = "must \\22hold\\22"}> : (i1) -> ()'),
    blocks('"cf.br"()[^bb1] : () -> ()\n^bb1:'),
    blocks('"cf.br"(%x, %c)[^bb1] : (f32, i1) -> ()\n^bb1(%y: f32, %d: i1):'),
    blocks(f'"cf.cond_br"(%c)[^bb1, ^bb1] <{{{SEGMENTS}1, 0, 0>}}> : (i1) -> ()\n^bb1:'),
    blocks(
        f'"cf.cond_br"(%c, %x, %x, %i)[^bb1, ^bb2] '
        f"<{{branch_weights = array<i32: 3, 1>, {SEGMENTS}1, 1, 2>}}> : (i1, f32, f32, i64) -> ()\n"
        '^bb1(%y: f32):\n"cf.br"()[^bb3] : () -> ()\n'
        '^bb2(%z: f32, %j: i64):\n"cf.br"()[^bb3] : () -> ()\n^bb3:'
    ),
    blocks(
        f'"cf.switch"(%i)[^bb1] <{{case_operand_segments = array<i32>, {SEGMENTS}1, 0, 0>}}> : (i64) -> ()\n^bb1:'
    ),
    blocks(
        '"cf.switch"(%i, %x, %i, %x, %c)[^bb1, ^bb2, ^bb3] <{case_operand_segments = array<i32: 1, 2>, '
        f"case_values = dense<[7, -1]> : vector<2xi64>, {SEGMENTS}1, 1, 3>}}> : (i64, f32, i64, f32, i1) -> ()\n"
        '^bb1(%a: f32):\n"cf.br"()[^bb4] : () -> ()\n'
        '^bb2(%b: i64):\n"cf.br"()[^bb4] : () -> ()\n'
        '^bb3(%d: f32, %e: i1):\n"cf.br"()[^bb4] : () -> ()\n^bb4:'
    ),
    blocks(
        '"cf.switch"(%i)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, '
        f"case_values = dense<7> : tensor<1xi64>, {SEGMENTS}1, 0, 0>}}> : (i64) -> ()\n^bb1:"
    ),
    blocks(
        '"cf.switch"(%c)[^bb1, ^bb1, ^bb1] <{case_operand_segments = array<i32: 0, 0>, '
        f"case_values = dense<true> : vector<2xi1>, {SEGMENTS}1, 0, 0>}}> {{note}} : (i1) -> ()\n^bb1:"
    ),
)


def switch(operands: str, types: str, segments: str, cases: str, values: str) -> str:
    """A switch to one block without arguments, named once for each case and for the default."""
    return blocks(
        f'"cf.switch"({operands})[^bb1, ^bb1] <{{case_operand_segments = array<i32: {cases}>, '
        f"case_values = {values}, {SEGMENTS}{segments}>}}> : ({types}) -> ()\n^bb1:"
    )


BROKEN: tuple[Broken, ...] = (
    (
        blocks('"cf.br"(%x)[^bb1] : (f32) -> ()\n^bb1:'),
        "branch has 1 operands for successor #0, but target block has 0",
    ),
    (
        blocks('"cf.br"(%x)[^bb1] : (f32) -> ()\n^bb1(%y: f64):'),
        "type mismatch for bb argument #0 of successor #0",
    ),
    (
        blocks(f'"cf.cond_br"(%c, %x)[^bb1, ^bb1] <{{{SEGMENTS}1, 0, 1>}}> : (i1, f32) -> ()\n^bb1:'),
        "branch has 1 operands for successor #1, but target block has 0",
    ),
    (
        blocks(
            f'"cf.cond_br"(%c)[^bb1, ^bb1] <{{branch_weights = array<i32: 1>, {SEGMENTS}1, 0, 0>}}> : (i1) -> ()\n'
            "^bb1:"
        ),
        "expects number of branch weights to match number of successors: 1 vs 2",
    ),
    (
        blocks(f'"cf.cond_br"(%x)[^bb1, ^bb1] <{{{SEGMENTS}1, 0, 0>}}> : (f32) -> ()\n^bb1:'),
        "'cf.cond_br' op operand #0 must be 1-bit signless integer, but got 'f32'",
    ),
    (
        switch("%i", "i64", "1, 0, 0", "0", "dense<1> : tensor<1xi32>"),
        "'cf.switch' op 'flag' type ('i64') should match case value type ('i32')",
    ),
    (
        switch("%i", "i64", "1, 0, 0", "0", "dense<1> : tensor<2xi64>"),
        "'cf.switch' op number of case values (2) should match number of case destinations (1)",
    ),
    (
        switch("%i, %x", "i64, f32", "1, 0, 1", "0", "dense<1> : tensor<1xi64>"),
        "'cf.switch' op caseOperands count (1) does not match with the total size (0) specified in attribute "
        "'case_operand_segments'",
    ),
    (
        switch("%i, %x", "i64, f32", "1, 0, 1", "1", "dense<1> : tensor<1xi64>"),
        "branch has 1 operands for successor #1, but target block has 0",
    ),
    (blocks('"cf.assert"(%c) : (i1) -> ()'), "'cf.assert' op requires attribute 'msg'"),
)
