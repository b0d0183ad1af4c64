"""Computes operations on GPU tensors on the CPU, or refuses them as PyTorch's CUDA build does.

Three tables decide: `limits` has what only a GPU refuses, `libraries` what only a GPU has, and `precision` what the CPU
computes less exactly.  All other operations are the CPU's own.
"""

from __future__ import annotations

import re
from typing import Any, cast

from tilewright.gpu_programs.pytorch import attention, libraries, limits as pytorch_limits, precision
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
"""Messages of PyTorch's CPU operations, with the messages of the same operations on a GPU."""
_UNKNOWN = re.compile(r"Could not run '([\w:.]+)' with arguments from the '(\w*)CPU' backend")

_OTHER_FORMS = ("quantized",)
"""Names of overloads that have no route, unlike other overloads of the operation."""


class Operations:
    """Calls the operations of a module ``torch`` with the results that a GPU gives."""

    def __init__(self, torch: Any) -> None:
        self._has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
        self._limits = pytorch_limits.Limits(torch)
        self._precision = precision.Precision(torch)
        self._routes = {**libraries.routes(torch), **attention.routes(torch)}

    def call(self, function: Any, arguments: Any, named: dict[str, Any]) -> Any:
        """Call an operation of ATen on CPU tensors and return its results: an operation that only GPUs have
        is computed by its route, another by `Precision`.

        Raises the exception that PyTorch raises on a GPU, and `NoAnswerError` for an operation of GPUs
        without a route.
        """
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
        """Raise `NoAnswerError` if an error means that the CPU lacks the operation and GPUs have it;
        otherwise return.
        """
        found = _UNKNOWN.match(str(error)) if isinstance(error, NotImplementedError) else None
        if found and (not found[2] or self._has_kernel(found[1], f"{found[2]}CUDA")):
            raise libraries.refused(found[1]) from None


def _results(function: Any) -> list[str]:
    """Return the names of the keyword-only arguments that an operation writes its results to, such as
    ``out``.
    """
    given = function._schema.arguments
    return [
        one.name for one in given if one.kwarg_only and one.alias_info is not None and one.alias_info.is_write
    ]


def _without_results(function: Any, named: dict[str, Any]) -> dict[str, Any]:
    names = _results(function)
    return {name: value for name, value in named.items() if name not in names}


def _into(function: Any, made: Any, named: dict[str, Any]) -> Any:
    """Return the results `made` of a route. If the call names tensors for them (``out=``), copy the results
    into these, and return these.
    """
    places = [named[name] for name in _results(function) if name in named]
    if not places:
        return made
    results = cast("tuple[Any, ...]", made) if isinstance(made, tuple) else (made,)
    filled = [
        place.resize_(result.shape).copy_(result) for place, result in zip(places, results, strict=True)
    ]
    return filled[0] if len(filled) == 1 else tuple(filled)


def _as_on_gpu(words: str) -> str:
    """Return the message that the CUDA build of PyTorch has for an error whose message on the CPU is `words`."""
    for pattern, replacement in _WORDS:
        words = pattern.sub(replacement, words)
    return words
