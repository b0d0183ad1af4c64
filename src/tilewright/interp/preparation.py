"""Preparing an entry: each operation gets the function of its rule, with the checks that were asked for around it."""

from __future__ import annotations

from tilewright.bytecode.preview_calls import refuse_calls
from tilewright.interp.checks.floats import makes_floats, watched
from tilewright.interp.checks.promises import guard
from tilewright.interp.checks.tile_indices import indexed
from tilewright.interp.checks.tracking import tracked
from tilewright.interp.options import InterpretOptions
from tilewright.interp.program import PreparedOperation, Program
from tilewright.interp.rules.rule import Evaluate
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.ir.operation import Operation


def prepared(entry: Operation, options: InterpretOptions) -> Program:
    """Return an entry prepared to be run by any number of tile blocks.

    Raises `DiagnosticError` for calls of SIMT functions.
    """
    refuse_calls(entry)
    return Program(entry, options, _prepare)


def _prepare(program: Program, instruction: PreparedOperation, inside_aggregate: bool) -> None:
    op, options = instruction.op, program.options
    control = ALL_RULES.control_rules.get(type(op))
    if control is not None:
        instruction.steer = control(op, program)
        return
    evaluate = _evaluate(program, op)
    if options.promises:
        evaluate = guard(op, evaluate, options)
    evaluate = indexed(op, evaluate, options)
    if options.fpcheck and not inside_aggregate and makes_floats(op):
        evaluate = watched(op, evaluate)
    if not inside_aggregate and (options.initcheck or options.racecheck):
        evaluate = tracked(instruction, evaluate, options)
    instruction.evaluate = evaluate


def _evaluate(program: Program, op: Operation) -> Evaluate:
    region_rule = ALL_RULES.region_rules.get(type(op))
    return region_rule(op, program) if region_rule is not None else ALL_RULES.rules[type(op)](op)
