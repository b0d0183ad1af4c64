"""Kernels that exist in Triton and in cuTile, both run on this machine and compared with each other.

    python -m conformance.two_languages path/to/Liger-Kernel/src path/to/TileGym/src [--only TEXT] [--shapes 3]
        [--gpu sm_90] [--check all]

Each operation gets the same f32 arguments in both languages, of several shapes, and the same gradients of its results.
The table tells for results and for gradients the largest difference, relative to the largest element.  The status is 1
if one is above the tolerance of its row, or an operation of one language fails.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tilewright.gpu_programs import ProgramSettings, routed

torch: Any = import_module("torch")
DEVICE = "cuda"
TOLERANCE = 1e-5
"""Sums of f32 in another order differ by some units of their last place."""

Shape = tuple[int, int]
SHAPES: tuple[Shape, ...] = ((4, 64), (7, 100), (16, 256), (33, 515), (5, 1024))
"""Rows and columns: multiples of a tile, and others."""


def leaf(*extents: int) -> Any:
    """Random numbers whose gradient is compared, too."""
    return constant(*extents).requires_grad_()


def constant(*extents: int) -> Any:
    """Random numbers."""
    return torch.randn(extents, device=DEVICE)


def below(high: int, *extents: int) -> Any:
    """Random integers."""
    return torch.randint(high, extents, device=DEVICE)


def log_softmax(*extents: int) -> Any:
    """Logarithms of probabilities, whose gradient is compared, too."""
    return constant(*extents).log_softmax(-1).requires_grad_()


def angles(*extents: int) -> tuple[Any, Any]:
    """Cosines and sines, whose two halves are the same."""
    half = torch.rand((*extents[:-1], extents[-1] // 2), device=DEVICE) * 6
    both = torch.cat((half, half), -1)
    return both.cos(), both.sin()


@dataclass(frozen=True)
class Pair:
    """One operation: where it is in both languages, and arguments for a number of rows and of columns."""

    name: str
    triton: str
    cutile: str
    arguments: Callable[[int, int], Sequence[Any]]
    tolerance: float = TOLERANCE

    def run(self, place: str, arguments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Results, and gradients of the leaves, for copies of the arguments."""
        module, _, path = place.partition(":")
        operation: Any = import_module(module)
        for part in path.split("."):
            operation = getattr(operation, part)
        own = [_copy(argument) for argument in arguments]
        leaves = [one for one in own if isinstance(one, torch.Tensor) and one.requires_grad]
        found = operation(*own)
        results = [one for one in (found if isinstance(found, tuple) else (found,)) if _is_floating(one)]
        differentiable = [one for one in results if one.requires_grad]
        if not differentiable:
            return results, []
        torch.manual_seed(1)
        upstream = [torch.randn(one.shape, device=DEVICE) for one in differentiable]
        results = [one.detach().clone() for one in results]
        return results, list(torch.autograd.grad(differentiable, leaves, upstream))

    def difference(self, rows: int, columns: int) -> tuple[float, float]:
        """The largest difference of results and of gradients."""
        torch.manual_seed(0)
        arguments = self.arguments(rows, columns)
        one, other = self.run(self.triton, arguments), self.run(self.cutile, arguments)
        return _largest(one[0], other[0]), _largest(one[1], other[1])


def _copy(argument: Any) -> Any:
    if not isinstance(argument, torch.Tensor):
        return argument
    return argument.detach().clone().requires_grad_(argument.requires_grad)


def _is_floating(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _largest(ones: Sequence[Any], others: Sequence[Any]) -> float:
    """The largest difference, relative to the largest element of each tensor; NaN is no number like any other."""
    assert [one.shape for one in ones] == [other.shape for other in others], "results of other shapes"
    return max(
        (_apart(one.double(), other.double()) for one, other in zip(ones, others, strict=True)), default=0
    )


def _apart(one: Any, other: Any) -> float:
    return ((one - other).abs().max() / other.abs().max().clamp(min=1e-30)).item()


def _liger(
    name: str, function: str, arguments: Callable[[int, int], Sequence[Any]], tolerance: float = TOLERANCE
) -> Pair:
    """An operation of Liger-Kernel: both languages have the same class of PyTorch's functions."""
    triton, cutile = (f"liger_kernel.ops{infix}.{name}:{function}.apply" for infix in ("", ".cutile.ops"))
    return Pair(f"Liger, {name}", triton, cutile, arguments, tolerance)


def _tilegym(module: str, function: str, arguments: Callable[[int, int], Sequence[Any]]) -> Pair:
    """An operation of TileGym."""
    triton, cutile = (f"tilegym.ops.{language}.{module}:{function}" for language in ("triton", "cutile"))
    return Pair(f"TileGym, {function}", triton, cutile, arguments)


def _rope(rows: int, columns: int) -> Sequence[Any]:
    head = 8 * max(columns // 64, 1)
    return (leaf(2, 4, rows, head), leaf(2, 2, rows, head), *angles(1, rows, head))


def _multimodal_rope(rows: int, columns: int) -> Sequence[Any]:
    head = 8 * max(columns // 64, 1)
    half = head // 2
    sections = [half // 4, half // 4, half - half // 4 * 2]
    return (leaf(2, 4, rows, head), leaf(2, 2, rows, head), *angles(3, 2, rows, head), sections)


def _complex_rope(rows: int, columns: int) -> Sequence[Any]:
    head = 8 * max(columns // 64, 1)
    turns = torch.rand((rows, head // 2), device=DEVICE) * 6
    return (leaf(2, rows, 4, head), leaf(2, rows, 2, head), torch.polar(torch.ones_like(turns), turns))


def _reinforcement(rows: int, columns: int) -> Sequence[Any]:
    logits = leaf(2, rows + 1, columns)
    old = constant(2, rows) * 0.1 - 3
    words, mask = below(columns, 2, rows), torch.ones((2, rows), device=DEVICE, dtype=torch.int32)
    return (logits, old, old + 0.1, words, constant(2), mask, 0.9, 0.04, 0.2, 0.4, False)


PAIRS = (
    _liger("geglu", "LigerGELUMulFunction", lambda m, n: (leaf(m, n), leaf(m, n))),
    _liger("swiglu", "LigerSiLUMulFunction", lambda m, n: (leaf(m, n), leaf(m, n))),
    _liger("layer_norm", "LigerLayerNormFunction", lambda m, n: (leaf(m, n), leaf(n), leaf(n), 1e-6)),
    _liger("rms_norm", "LigerRMSNormFunction", lambda m, n: (leaf(m, n), leaf(n), 1e-6)),
    _liger(
        "fused_add_rms_norm",
        "LigerFusedAddRMSNormFunction",
        lambda m, n: (leaf(m, n), leaf(m, n), leaf(n), 1e-6, 0.0, "llama", False),
    ),
    _liger("poly_norm", "LigerPolyNormFunction", lambda m, n: (leaf(m, n), leaf(3), leaf(), 1e-6, False)),
    _liger(
        "group_norm",
        "LigerGroupNormFunction",
        lambda m, n: (leaf(m, 8, n), leaf(8), leaf(8), 8, 4, 1e-6),
    ),
    _liger("dyt", "LigerDyTFunction", lambda m, n: (leaf(m, n), leaf(1), leaf(n), leaf(n))),
    _liger("softmax", "LigerSoftmaxFunction", lambda m, n: (leaf(m, n),)),
    _liger("sparsemax", "LigerSparsemaxFunction", lambda m, n: (leaf(m, n), -1)),
    _liger(
        "cross_entropy",
        "LigerCrossEntropyFunction",
        lambda m, n: (leaf(m, n), below(n, m), None, -100, 1e-4, 0.1, "mean", 30.0),
    ),
    _liger(
        "jsd",
        "LigerJSDFunction",
        lambda m, n: (log_softmax(m, n), log_softmax(m, n).detach(), None, 0.3, -100),
    ),
    _liger(
        "kl_div",
        "LigerKLDivLossFunction",
        lambda m, n: (log_softmax(m, n), log_softmax(m, n).detach().exp(), "batchmean", False, 1e-10),
    ),
    _liger("rope", "LigerRopeFunction", _rope),
    _liger("qwen2vl_mrope", "LigerQwen2VLMRopeFunction", _multimodal_rope),
    _liger("llama4_rope", "LigerLlama4RopeFunction", _complex_rope),
    _liger("grpo_loss", "GrpoLossFunction", _reinforcement),
    _liger(
        "fused_linear_jsd",
        "LigerFusedLinearJSDFunction",
        lambda m, n: (leaf(m, 32), leaf(n, 32), constant(m, 32), constant(n, 32)),
    ),
    _liger(
        "multi_token_attention",
        "LigerMultiTokenAttentionFunction",
        lambda m, n: (leaf(1, 2, m, m), leaf(2, 2, 3, 3), leaf(2), 1, 1),
    ),
    _tilegym(
        "layer_norm_legacy",
        "persistent_layer_norm",
        lambda m, n: (constant(m, n), (n,), constant(n), constant(n), 1e-5),
    ),
    _tilegym("rms_norm", "rms_norm", lambda m, n: (constant(m, n), (n,), constant(n), 1e-6)),
    _tilegym("rope", "apply_rope_base", _rope),
)


def main(arguments: Sequence[str]) -> int:
    """Run the pairs, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "sources", type=Path, nargs="+", help="the folders with liger_kernel and with tilegym"
    )
    parser.add_argument("--only", default="", help="operations whose names have this in them")
    parser.add_argument("--shapes", type=int, default=len(SHAPES), help="so many shapes")
    parser.add_argument("--gpu", default="sm_90", help="the GPU that operations are told about")
    parser.add_argument("--check", default="", help="run-time checks, such as all")
    given = parser.parse_args(arguments)
    sys.path[:0] = [str(source.resolve()) for source in given.sources]
    print("| operation | shapes | results | gradients |")
    print("|---|---:|---:|---:|")
    pairs = [pair for pair in PAIRS if given.only in pair.name]
    with routed(ProgramSettings.of("cpu", given.check, given.gpu)):
        rows = [_row(pair, SHAPES[: given.shapes]) for pair in pairs]
    return int(not all(rows))


def _row(pair: Pair, shapes: Sequence[Shape]) -> bool:
    """Print one row; whether the languages agree."""
    try:
        found = [pair.difference(*shape) for shape in shapes]
    except Exception as error:
        print(f"| {pair.name} | {len(shapes)} | {type(error).__name__}: {error} | |", flush=True)
        return False
    results, gradients = (max(column) for column in zip(*found, strict=True))
    print(f"| {pair.name} | {len(shapes)} | {results:.1e} | {gradients:.1e} |", flush=True)
    return max(results, gradients) <= pair.tolerance


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
