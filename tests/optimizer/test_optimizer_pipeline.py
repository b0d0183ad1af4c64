"""The optimizer as a whole: what kernels compute stays, bit for bit, at every level."""

from __future__ import annotations

import io
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.house.tree import run_python
from tests.optimizer.optimizing import kernel, names, results, run
from tests.support.samples import samples
from tilewright.driver.startup import context
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.optimizer.pipeline import OptimizerOptions, optimize
from tilewright.optimizer.tokens import SimplifyTokens
from tilewright.passes.pipeline import parse_pipeline
from tilewright.passes.transforms.cse import CSE
from tilewright.testing.execution import Launchpad, entries
from tilewright.testing.strategies import sample_modules

STRICT = InterpretOptions(memcheck=True, racecheck=True, initcheck=True, promises=True, max_steps=20_000)
LEVELS = (0, 1, 2, 3)


class Trial:
    """A kernel with arguments, and what it does: None if the program is wrong."""

    def __init__(self, module: Operation, entry: Any) -> None:
        self.module = module
        self.name = entry.sym_name
        self.arguments = Launchpad(entry, "optimizer").arguments
        self.start = [a.copy() if isinstance(a, np.ndarray) else a for a in self.arguments]

    def outcome(self) -> tuple[list[bytes], str] | None:
        printed = io.StringIO()
        for argument, contents in zip(self.arguments, self.start, strict=True):
            if isinstance(argument, np.ndarray):
                argument[:] = contents
        try:
            interpret(self.module, self.name, (2, 1, 1), self.arguments, STRICT, printed)
        except DiagnosticError:
            return None
        return [a.tobytes() for a in self.arguments if isinstance(a, np.ndarray)], printed.getvalue()


@pytest.mark.parametrize("level", LEVELS)
def test_generated_kernels_compute_the_same(level: int) -> None:
    compared, count = 0, samples(20, of=60)
    for module in sample_modules(count, seed=f"optimizer{level}", statements=9):
        trials = [Trial(module, entry) for entry in entries(module)]
        before = [trial.outcome() for trial in trials]
        optimize(module, OptimizerOptions(opt_level=level))
        assert verify(module) == []
        for trial, outcome in zip(trials, before, strict=True):
            if outcome is not None:
                assert trial.outcome() == outcome
                compared += 1
    assert compared >= count // 2


PROGRAM = """
%zero = constant <i32: 0> : tile<i32>
%one = constant <i32: 1> : tile<i32>
%nine = constant <i32: 9> : tile<i32>
%x = constant <f32: 1.5> : tile<f32>
%t = make_token : token
%sum = for %i in (%zero to %nine, step %one) : tile<i32> iter_values(%acc = %x) -> (tile<f32>) {
  %v, %u = load_ptr_tko weak %in token = %t : tile<ptr<f32>> -> tile<f32>, token
  %w, %y = load_ptr_tko weak %in token = %u : tile<ptr<f32>> -> tile<f32>, token
  %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
  %z = if %c -> (tile<f32>) {
    %d = divf %acc, %v : tile<f32>
    yield %d : tile<f32>
  } else { yield %x : tile<f32> }
  %p = mulf %z, %acc : tile<f32>
  %s = addf %p, %v : tile<f32>
  continue %s : tile<f32>
}
%j = join_tokens %t, %t : token
store_ptr_tko weak %out, %sum token = %j : tile<ptr<f32>>, tile<f32> -> token
"""
PARAMETERS = "%in: tile<ptr<f32>>, %out: tile<ptr<f32>>, %n: tile<i32>"


def counts(options: OptimizerOptions) -> list[int]:
    """How many loops, loads in front of the first one, loads, joins and fused operations a kernel has."""
    found = names(optimize(kernel(PROGRAM, PARAMETERS), options))
    in_front = found[: found.index("for")]
    inside = [
        in_front.count("load_ptr_tko"),
        *(found.count(n) for n in ("load_ptr_tko", "join_tokens", "fma")),
    ]
    return [found.count("for"), *inside]


def test_levels() -> None:
    assert counts(OptimizerOptions(0)) == [1, 0, 2, 1, 0]
    assert counts(OptimizerOptions(1)) == [1, 0, 1, 0, 0]
    assert counts(OptimizerOptions(2)) == [1, 1, 1, 0, 0]
    assert counts(OptimizerOptions()) == [2, 1, 1, 0, 0]
    assert counts(OptimizerOptions(split_threshold=0)) == [1, 1, 1, 0, 0]
    assert counts(OptimizerOptions(0, fuse_fma=True)) == [1, 0, 2, 1, 1]


def test_fusing_changes_nothing_but_sums() -> None:
    total = 0
    for module in [kernel(PROGRAM, PARAMETERS), *sample_modules(20, seed="fusing")]:
        text, before = str(module), Counter(names(module))
        run(module, "fuse-fma")
        after = Counter(names(module))
        fused = after["fma"] - before["fma"]
        assert fused == sum(before[name] - after[name] for name in ("addf", "subf"))
        assert 0 <= before["mulf"] - after["mulf"] <= fused
        assert (str(module) == text) == (fused == 0)
        for name in ("mulf", "addf", "subf", "fma"):
            del before[name], after[name]
        assert before == after
        total += fused
    assert total == 1


def test_passes_before_and_after() -> None:
    options = OptimizerOptions(0, before=(SimplifyTokens(),), after=(CSE(),))
    assert [p.name for p in options.passes()] == ["simplify-tokens", "cse"]
    assert counts(options) == [1, 0, 2, 0, 0]


@pytest.mark.parametrize("level", [-1, 4])
def test_levels_that_do_not_exist(level: int) -> None:
    with pytest.raises(DiagnosticError, match="does not exist") as caught:
        optimize(kernel(PROGRAM, PARAMETERS), OptimizerOptions(level))
    assert str(caught.value.diagnostics[0].code) == "TW0850"


@pytest.mark.parametrize("rounds", [0, 3, 9, 12])
def test_the_program_computes_the_same(rounds: int) -> None:
    module = kernel(PROGRAM, PARAMETERS)
    arguments = [np.array([0.75], np.float32), np.zeros(1, np.float32), rounds]
    before = results(module, arguments)
    assert results(optimize(module), arguments) == before


def test_a_second_run_changes_nothing() -> None:
    module = optimize(kernel(PROGRAM, PARAMETERS))
    before = str(module)
    assert str(optimize(module)) == before


PIPELINES = {
    "builtin.module": "builtin.module(cuda_tile.module(cuda_tile.entry({})))",
    "cuda_tile.module": "cuda_tile.module(cuda_tile.entry({}))",
}


@pytest.mark.parametrize("anchor", PIPELINES)
def test_the_named_pipeline_goes_to_the_kernels(anchor: str) -> None:
    from tilewright.driver.startup import startup

    text = f"{anchor}(optimize-cuda-tile{{opt-level=2 fuse-fma=true}})"
    manager = parse_pipeline(text, context(), startup().passes)
    passes = (
        "fuse-fma,canonicalize,cse,simplify-carried-values,simplify-tokens,eliminate-dead-accesses,"
        "scalarize-induction,loop-invariant-code-motion,cse"
    )
    assert str(manager) == PIPELINES[anchor].format(passes)


def test_modules_in_a_builtin_module() -> None:
    text = f"module {{ cuda_tile.module @m {{ entry @k({PARAMETERS}) {{ {PROGRAM} return }} }} }}"
    module = parse_module(context(), text)
    optimize(module, context=context())
    assert str(module).count(" for ") == 2


OPTIMISE = """
import sys
from tilewright.driver.reading import parse_text
from tilewright.optimizer.pipeline import OptimizerOptions, optimize
from tilewright.testing.strategies import sample_modules
for module in sample_modules(8, seed="seeds"):
    print(optimize(module, OptimizerOptions(fuse_fma=True)))
print(optimize(parse_text(sys.argv[1], "k"), OptimizerOptions(fuse_fma=True)))
"""


def test_the_same_bytes_under_every_hash_seed() -> None:
    text = f"cuda_tile.module @m {{ entry @k({PARAMETERS}) {{ {PROGRAM} return }} }}"
    outputs = {run_python(OPTIMISE, seed=seed, arguments=(text,)) for seed in ("0", "1", "4242")}
    assert len(outputs) == 1
    assert "fma" in outputs.pop()
