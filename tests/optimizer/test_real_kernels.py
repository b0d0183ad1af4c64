"""Kernels of the real frontend: optimised, they compute the same bits."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from tests.support.corpora.frontend_corpus import Launch, example_names, launches
from tilewright.driver.launch import launch
from tilewright.driver.sources import load
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.optimizer.pipeline import optimize

pytest.importorskip("cuda.tile")

from tilewright import cutile
from tilewright.cutile.compiler import bind_arguments


def bits(made: Launch, module: Operation, symbol: str) -> list[bytes]:
    """The arrays after a launch on copies of the arguments."""
    arguments: list[Any] = copy.deepcopy(list(made.arguments))
    _, binding = bind_arguments(made.kernel, arguments)
    memory = [view.array for view in binding.memory]
    launch(module, symbol, made.grid, binding.flat, memory=memory)
    return [found.tobytes() for found in _arrays(arguments)]


def _arrays(value: Any) -> list[np.ndarray[Any, Any]]:
    if isinstance(value, list | tuple):
        return [array for item in value for array in _arrays(item)]
    return [value] if isinstance(value, np.ndarray) else []


@pytest.mark.parametrize("example", example_names())
def test_results_stay(example: str) -> None:
    """Of each kernel of an example, in each specialisation."""
    of_example = [made for made in launches() if made.name.partition(".")[0] == example]
    assert of_example
    for made in of_example:
        check_results_stay(made)


def check_results_stay(made: Launch) -> None:
    code = cutile.compile_to_bytecode(made.kernel, made.arguments)
    original = load(code.bytecode)
    module = original.clone()
    optimize(module)
    assert verify(module) == []
    before = sum(1 for _ in original.walk())
    assert sum(1 for _ in module.walk()) < before
    once = str(module)
    assert str(optimize(module)) == once
    expected = bits(made, original, code.symbol)
    assert expected
    assert bits(made, module, code.symbol) == expected
