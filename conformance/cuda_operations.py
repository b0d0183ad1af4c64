"""Every operation that PyTorch's CUDA build has and the CPU has not, called on tensors of the GPU that is none.

    python -m conformance.cuda_operations [--only PATTERN] [--failed]

PyTorch's own registry says which these are.  Each has a route, whose result is compared with the same computed from
operations of the CPU where there is an example, or is refused by its name.  The status is 0 if that holds for all.  The
CPU build registers few kernels for GPUs: there, all operations are called that have no kernel for a CPU.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any

from conformance.cuda_examples import Example, examples
from tilewright.gpu_programs import ProgramSettings, routed
from tilewright.gpu_programs.refusals import NoAnswerError

ROUTED, REFUSED, UNREACHABLE, FAILED = "routed", "refused", "unreachable", "FAILED"
_CPU_KEYS = (
    "CPU",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
)
_OTHER_KEYS = ("SparseCPU", "SparseCsrCPU", "MkldnnCPU", "QuantizedCPU", "NestedTensorCPU", "MPS")
_CLASSES = "__torch__.torch.classes."
"""The types of arguments that PyTorch makes of connected GPUs alone; its CUDA build makes its generators of one."""
_VALUES: dict[str, Any] = {
    "int": 1,
    "SymInt": 1,
    "float": 0.0,
    "bool": False,
    "str": "sum",
    "Scalar": 1,
    "number": 1,
    "Device": "cuda",
}
"""Arguments by the type that a schema gives them."""


@dataclass(frozen=True)
class Answer:
    """What came of a call of an operation: ``outcome``, and the words of a refusal or what is wrong."""

    name: str
    outcome: str
    words: str = ""


def operations(torch: Any) -> list[str]:
    """The operations that GPUs have and the CPU has not, by the registry of this build."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    names = sorted(torch._C._dispatch_get_all_op_names())
    if torch.version.cuda is None:
        known = [name for name in names if name.startswith("aten::")]
        keys = (*_CPU_KEYS, *_OTHER_KEYS)
        return [name for name in known if not any(has(name, key) for key in keys)]
    return [name for name in names if has(name, "CUDA") and not any(has(name, key) for key in _CPU_KEYS)]


def answers(torch: Any, only: str = "*") -> list[Answer]:
    """Call each operation.  PyTorch must be routed."""
    shown = examples(torch)
    return [
        _answer(torch, name, shown.get(name)) for name in operations(torch) if fnmatchcase(name, f"*{only}")
    ]


def _answer(torch: Any, name: str, example: Example | None) -> Answer:
    try:
        if example is not None:
            return Answer(name, *_compared(torch, example))
        call = overload(torch, name)
        kinds = " ".join(str(one.type) for one in call._schema.arguments)
        if _CLASSES in kinds or ("Generator" in kinds and "Tensor" not in kinds):
            return Answer(name, UNREACHABLE, "takes an object that only GPUs have")
        positional, named = _arguments(torch, call._schema)
        made = call(*positional, **named)
    except NoAnswerError as refused:
        words = refused.diagnostics[0].message
        return Answer(name, REFUSED if _is_named(name, words) else FAILED, words)
    except Exception as error:
        return Answer(name, FAILED, f"{type(error).__name__}: {error}".splitlines()[0][:200])
    return Answer(name, ROUTED, type(made).__name__)


def _is_named(name: str, words: str) -> bool:
    return name.partition(".")[0] in words


def _compared(torch: Any, example: Example) -> tuple[str, str]:
    made, wanted = example()
    pairs = list(zip(made, wanted, strict=True))
    if not all(one.is_cuda for one, _ in pairs):
        return FAILED, "the result is on the host"
    worst = max(float((one.cpu().double() - other.cpu().double()).abs().max()) for one, other in pairs)
    return (ROUTED, f"differs by {worst:.1e}") if worst < 1e-4 else (FAILED, f"differs by {worst:.1e}")


def overload(torch: Any, name: str) -> Any:
    """The function of an operation."""
    space, _, rest = name.partition("::")
    packet, _, form = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), packet), form or "default")


def _arguments(torch: Any, schema: Any) -> tuple[list[Any], dict[str, Any]]:
    """Some arguments, of which the tensors are on the GPU."""
    wanted = [one for one in schema.arguments if not one.kwarg_only]
    named = [one for one in schema.arguments if one.kwarg_only and not one.has_default_value()]
    found = {one.name: _value(torch, one) for one in named}
    if any(one.name == "device" for one in schema.arguments if one.kwarg_only):
        found["device"] = "cuda"
    return [_value(torch, one) for one in wanted], found


def _value(torch: Any, argument: Any) -> Any:
    kind = str(argument.type)
    if kind.startswith("Optional[") and "Tensor" not in kind:
        return None
    if "Tensor" in kind:
        x = torch.ones(2, 2, device="cuda")
        return [x] if kind.startswith("List[") else x
    if kind.startswith("List["):
        return [_VALUES.get(kind.removeprefix("List[").removesuffix("]"), 1)] * (argument.N or 1)
    return _VALUES.get(kind, 1)


def main(words: Sequence[str] | None = None) -> int:
    """Print the table; answers the exit status."""
    parser = argparse.ArgumentParser(description="Operations that only PyTorch's CUDA build has.")
    parser.add_argument("--only", default="*", help="names that fit a pattern")
    parser.add_argument("--failed", action="store_true", help="show these alone")
    given = parser.parse_args(words)
    with routed(ProgramSettings()):
        found = answers(import_module("torch"), given.only)
    for one in found:
        if one.outcome == FAILED or not given.failed:
            print(f"{one.outcome:8} {one.name:52} {one.words}")
    counts = Counter(one.outcome for one in found)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return int(counts[FAILED] > 0)


if __name__ == "__main__":
    sys.exit(main())
