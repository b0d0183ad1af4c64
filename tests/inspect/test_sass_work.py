"""What loops execute: functions that they call, and the loops of other warps."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")

from tests.support.synthetic.synthetic_sass import Row, listing
from tilewright.inspect.sass.cycles import Cycles
from tilewright.inspect.sass.figures import CodeFigures, code_figures
from tilewright.inspect.sass.listing import parse


def figures(*rows: str) -> CodeFigures:
    (found,) = parse(listing([Row(row) for row in rows])).codes
    return code_figures(found)


FUNCTION = ("$k$power:", "MUFU.EX2 R4, R4", "FMUL R4, R4, R4", "RET.REL.NODEC R20 `(k)")


def test_a_loop_counts_what_it_calls_at_each_call() -> None:
    found = figures(
        ".L_x_0:",
        "HMMA.16816.F32 R0, R4, R8, R0",
        "CALL.REL.NOINC `($k$power)",
        "CALL.REL.NOINC `($k$power)",
        "@P0 BRA `(.L_x_0)",
        "EXIT",
        *FUNCTION,
    )
    assert found.hot is not None
    assert (found.hot.calls, found.hot.mix.instructions) == (2, 4 + 2 * 3)
    assert found.hot.mix.opcodes["MUFU"] == 2
    assert found.hot.cycles == Cycles(10, 10, 0)
    assert (found.mix.instructions, found.executed.instructions) == (8, 5 + 2 * 3)


def test_functions_call_functions_and_themselves() -> None:
    """A call of what is open already is one instruction."""
    found = figures(
        "CALL.REL.NOINC `($k$outer)",
        "EXIT",
        "$k$outer:",
        "CALL.REL.NOINC `($k$power)",
        "CALL.REL.NOINC `($k$outer)",
        "RET.REL.NODEC R20 `(k)",
        *FUNCTION,
    )
    assert found.executed.instructions == 2 + 3 + 3


def test_a_call_that_does_not_return_is_a_jump() -> None:
    found = figures("CALL.REL.NOINC `(.L_x_1)", "NOP", ".L_x_1:", "FADD R0, R0, R1", "EXIT")
    assert found.executed.instructions == 3


COPIES = ("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2", "UTMALDG.2D [UR8], [UR4], desc[URZ][UR6]")
PRODUCTS = ("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R2", "HMMA.16816.F32 R0, R4, R8, R0", "NOP")


def test_loops_of_two_agents_count() -> None:
    found = figures(
        "@P1 BRA `(.L_x_1)",
        ".L_x_0:",
        *COPIES,
        "@P0 BRA `(.L_x_0)",
        ".L_x_1:",
        "@P2 BRA `(.L_x_3)",
        ".L_x_2:",
        *PRODUCTS,
        "@P0 BRA `(.L_x_2)",
        ".L_x_3:",
        "EXIT",
    )
    assert found.hot is not None
    assert "HMMA" in found.hot.mix.opcodes
    assert [sorted(agent.mix.opcodes) for agent in found.agents] == [["BRA", "SYNCS", "UTMALDG"]]


def test_loops_of_the_same_warps_are_no_agents() -> None:
    """One after the other, with the same work: the second has what the first leaves over."""
    found = figures(
        ".L_x_0:", *PRODUCTS, "@P0 BRA `(.L_x_0)", ".L_x_1:", *PRODUCTS, "@P1 BRA `(.L_x_1)", "EXIT"
    )
    assert len(found.loops) == 2
    assert found.agents == ()
