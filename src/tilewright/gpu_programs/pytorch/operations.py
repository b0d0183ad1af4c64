"""Operations on tensors of the GPU, each computed on the CPU, or refused as PyTorch's CUDA build refuses it.

Three tables decide: `limits` has what only a GPU refuses, `libraries` what only a GPU has, and `precision` what the CPU
computes less exactly.  All other operations are the CPU's own.
"""

from __future__ import annotations

import re
from typing import Any, cast

from tilewright.gpu_programs.pytorch import attention, libraries
from tilewright.gpu_programs.pytorch.limits import Limits
from tilewright.gpu_programs.pytorch.precision import Precision
from tilewright.ir.diagnostic import DiagnosticError

_WORDS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        ("expected m1 and m2 to have", "expected mat1 and mat2 to have"),
        (r"\btorch\.(\w+Tensor)\b", r"torch.cuda.\1"),
        (" or input should be a MKLDNN tensor and weight is a dense tensor", ""),
        (r"(with arguments from the '\w*)CPU' backend", r"\1CUDA' backend"),
    )
)
"""Words of PyTorch's CPU operations, and those that the same operations of a GPU have in their place."""
_UNKNOWN = re.compile(r"Could not run '([\w:.]+)' with arguments from the '(\w*)CPU' backend")

_OTHER_FORMS = ("quantized",)
"""Forms of operations that have routes, which have none themselves."""


class Operations:
    """Calls the operations of a module ``torch``."""

    def __init__(self, torch: Any) -> None:
        self._has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
        self._limits = Limits(torch)
        self._precision = Precision(torch)
        self._routes = {**libraries.routes(torch), **attention.routes(torch)}

    def call(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Call an operation.  Raises what PyTorch raises on a GPU, and `NoAnswerError` for one that only GPUs have."""
        try:
            self._limits.check(function, arguments)
            route = self._routes.get(function._schema.name)
            if route is None or function._overloadname in _OTHER_FORMS:
                return self._precision.call(function, arguments, named)
            return _into(function, route(*arguments, **_without_results(function, named)), named)
        except DiagnosticError:
            raise
        except (RuntimeError, ValueError) as error:
            self._refuse_unknown(error)
            error.args = (_as_on_gpu(str(error)),)
            raise

    def _refuse_unknown(self, error: Exception) -> None:
        """Raise the refusal of an operation that GPUs have and the CPU has not, if that is what an error says."""
        found = _UNKNOWN.match(str(error)) if isinstance(error, NotImplementedError) else None
        if found and (not found[2] or self._has_kernel(found[1], f"{found[2]}CUDA")):
            raise libraries.refused(found[1]) from None


def _results(function: Any) -> list[str]:
    """The arguments by name that an operation writes its results to."""
    given = function._schema.arguments
    return [
        one.name for one in given if one.kwarg_only and one.alias_info is not None and one.alias_info.is_write
    ]


def _without_results(function: Any, named: dict[str, Any]) -> dict[str, Any]:
    names = _results(function)
    return {name: value for name, value in named.items() if name not in names}


def _into(function: Any, made: Any, named: dict[str, Any]) -> Any:
    """The results of a route, in the tensors that the program gave for them, if it gave some."""
    places = [named[name] for name in _results(function) if name in named]
    if not places:
        return made
    results = cast("tuple[Any, ...]", made) if isinstance(made, tuple) else (made,)
    filled = [
        place.resize_(result.shape).copy_(result) for place, result in zip(places, results, strict=True)
    ]
    return filled[0] if len(filled) == 1 else tuple(filled)


def _as_on_gpu(words: str) -> str:
    """The words of an error as the CUDA build has them."""
    for pattern, replacement in _WORDS:
        words = pattern.sub(replacement, words)
    return words
