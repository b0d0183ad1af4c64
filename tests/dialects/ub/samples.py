"""Modules in generic form that use every operation of ``ub``, and modules that break its rules."""

from __future__ import annotations

from tests.support.dialect_checks import Broken, function

SAMPLES = (
    function('%0 = "ub.poison"() <{value = #ub.poison}> : () -> i32'),
    function('%0 = "ub.poison"() <{value = #ub.poison}> : () -> vector<4xf32>'),
    function(
        '"cf.br"()[^bb1] : () -> ()\n^bb1:\n"cf.br"()[^bb2] : () -> ()\n^bb3:\n"ub.unreachable"() : () -> ()\n^bb2:'
    ),
)

BROKEN: tuple[Broken, ...] = (
    (
        function('"ub.unreachable"(%a) : (i32) -> ()\n^bb1:', a="i32"),
        "'ub.unreachable' op requires zero operands",
    ),
    (
        function('"ub.unreachable"() : () -> ()'),
        "'ub.unreachable' op must be the last operation in the parent block",
    ),
)
