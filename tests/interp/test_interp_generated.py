"""Generated kernels of every operation: no check changes what a kernel computes, and nothing but diagnostics ends it."""

import io

import numpy as np
import pytest

from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.testing.execution import Launchpad
from tilewright.testing.strategies import enclosing_module, sample_modules, sample_operations

CHECKS = ({}, {"initcheck": True}, {"racecheck": True}, {"promises": True}, {"fpcheck": True})


def outcomes(module, entry):
    """What memory and output are after a run under each check, for the checks that find nothing."""
    arguments = Launchpad(entry, "seed").arguments
    start = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    for checks in CHECKS:
        printed = io.StringIO()
        for argument, contents in zip(arguments, start, strict=True):
            if isinstance(argument, np.ndarray):
                argument[:] = contents
        try:
            options = InterpretOptions(memcheck=True, max_steps=20_000, **checks)
            interpret(module, entry.sym_name, (2, 1, 1), arguments, options, printed)
        except DiagnosticError:
            continue
        yield [a.tobytes() for a in arguments if isinstance(a, np.ndarray)], printed.getvalue()


def check(module):
    for entry in (op for op in module.regions[0].block if isinstance(op, EntryOp)):
        seen = list(outcomes(module, entry))
        assert all(outcome == seen[0] for outcome in seen)


@pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda c: c.op_kind.mnemonic)
def test_operations(op_class):
    for op in sample_operations(op_class, 3, seed="interp"):
        check(enclosing_module(op))


def test_modules():
    for module in sample_modules(30, seed="interp"):
        check(module)
