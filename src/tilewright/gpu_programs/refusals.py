"""Errors of calls that need a real GPU, with the line of the program that makes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FrameType, SimpleNamespace
from typing import Any

from tilewright.gpu_programs import codes
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity
from tilewright.ir.location import UNKNOWN, FileLineColLocation

_INSIDE = (
    *("torch", "cupy", "cupyx", "triton", "cuda.tile"),
    *("tilewright.gpu_programs", "tilewright.triton", "tilewright.cutile"),
)
HINT = "leave the call out where the environment variable TILEWRIGHT is set, or run this part on a GPU"


class NoAnswerError(DiagnosticError, RuntimeError):
    """A call that needs a GPU.

    A `RuntimeError`, as PyTorch raises, so that programs which probe for a GPU continue.
    """


class NoAttributeError(NoAnswerError, AttributeError):
    """An attribute that needs a GPU. An `AttributeError`, so that ``hasattr`` returns False."""


class NoDriverError(DiagnosticError, ImportError):
    """The stand-in for the driver of CUDA cannot be built. An `ImportError`, so that programs which try to
    import a package of CUDA continue without it.
    """


class HostTensorError(DiagnosticError, ValueError):
    """A tensor on the host is passed to a kernel. A `ValueError`, as Triton raises."""


def host_tensor(message: str) -> HostTensorError:
    """Return the error for a launch with a tensor on the host, located at the line of the launch."""
    found = Diagnostic(Severity.ERROR, message, caller_location(), codes.HOST_TENSOR)
    return HostTensorError([found.hint("make it with device='cuda', or pass x.cuda()")])


def refusal(
    call: str, reason: str, hint: str = HINT, code: DiagnosticCode = codes.NO_ANSWER
) -> NoAnswerError:
    """Return the error for a call that needs a GPU, with `code` and `hint`, located at the line of the
    program that makes the call. The message is ``'CALL' REASON``: `reason` is a predicate, such as ``starts
    NCCL, which connects GPUs``.
    """
    return NoAnswerError([_diagnostic(call, reason, hint, code)])


def missing_attribute(name: str, reason: str) -> NoAttributeError:
    """Return the error for an attribute `name` that needs a GPU, located at the line of the program that
    reads it. The message is ``'NAME' REASON``: `reason` is a predicate, such as ``has no answer without a
    GPU``.
    """
    return NoAttributeError([_diagnostic(name, reason, HINT, codes.NO_ANSWER)])


def _diagnostic(call: str, reason: str, hint: str, code: DiagnosticCode) -> Diagnostic:
    return Diagnostic(Severity.ERROR, f"'{call}' {reason}", caller_location(), code).hint(hint)


class Answers(SimpleNamespace):
    """A namespace whose attributes are the keyword arguments `answers`. Reading any other attribute raises
    `NoAttributeError` with the full name of the attribute, which begins with ``owner``.
    """

    def __init__(self, owner: str, **answers: object) -> None:
        super().__init__(**answers)
        self._owner = owner

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise missing_attribute(f"{self._owner}.{name}", "has no answer without a GPU")


def refusing(call: str, reason: str = "asks for a figure that only a GPU has") -> Callable[..., Any]:
    """Return a function that takes any arguments and raises `NoAnswerError` whenever it is called. The
    message is ``'CALL' REASON``: `call` is the name of the function, `reason` a predicate.
    """

    def refuse(*arguments: object, **named: object) -> None:
        raise refusal(call, reason)

    return refuse


def caller_location() -> Location:
    """Return the location of the line that the program executes: of the innermost frame outside PyTorch,
    CuPy, Triton, cuTile and the parts of tilewright that run programs for them (`is_inside`). The column is
    0. Return `UNKNOWN` if there is no such frame.
    """
    frame = _caller()
    return UNKNOWN if frame is None else FileLineColLocation(frame.f_code.co_filename, frame.f_lineno, 0)


def asked_function() -> str:
    """Return the name of the function of PyTorch that the program called, with its module; ``a function of
    PyTorch`` if it is not known.
    """
    frame: FrameType | None = inspect.currentframe()
    name = ""
    while frame is not None and is_inside(frame):
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] == "torch":
            name = f"{module}.{frame.f_code.co_name}"
        frame = frame.f_back
    return name or "a function of PyTorch"


def _caller() -> FrameType | None:
    frame: FrameType | None = inspect.currentframe()
    while frame is not None and is_inside(frame):
        frame = frame.f_back
    return frame


def is_inside(frame: FrameType) -> bool:
    """Return whether a frame belongs to PyTorch, CuPy, Triton or cuTile, or to the parts of tilewright that
    run programs for them, not to the program.
    """
    module = str(frame.f_globals.get("__name__", ""))
    return any(module == name or module.startswith(f"{name}.") for name in _INSIDE)
