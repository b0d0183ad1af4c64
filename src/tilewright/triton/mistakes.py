"""Mistakes in kernels that Triton's front end reports, as diagnostics."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from tilewright.driver import codes
from tilewright.driver.mistakes import error as mistakes_error, guide
from tilewright.ir.attribute import Location
from tilewright.ir.location import FileLineColLocation

ROWS = (
    guide.MistakeRow(
        r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'",
        codes.UNKNOWN_NAME_IN_KERNEL,
        "look for the function in dir({module})",
        guide.MODULE,
    ),
    guide.MistakeRow(
        r"'(?P<type>tensor|dtype|constexpr)' object has no attribute '(?P<name>\w+)'",
        codes.UNKNOWN_NAME_IN_KERNEL,
        "look for the attribute in dir(triton.language.{type})",
        guide.TYPE,
    ),
    guide.MistakeRow(
        r"'?(?P<name>\w+)'? is not defined",
        codes.UNKNOWN_NAME_IN_KERNEL,
        "assign '{name}' before this line, on every path that leads to it",
        guide.SCOPE,
    ),
    guide.MistakeRow(
        r"global variable",
        codes.CONSTANT_IN_KERNEL,
        "make the global a tl.constexpr(...), or pass it as a parameter",
    ),
    guide.MistakeRow(
        r"must be of type tl.constexpr|[Ss]hape element .* must have type|constexpr",
        codes.CONSTANT_IN_KERNEL,
        "annotate the parameter with tl.constexpr",
    ),
    guide.MistakeRow(
        r"unsupported AST node|[Uu]nsupported .* statement|^'(Name|List|Tuple|Attribute)' object has no attribute 'func'|Only `range`|nested functions|return inside|[Cc]annot return",
        codes.PYTHON_IN_KERNEL,
        "do this before the launch, outside of the kernel, or write it with for over range(...), while and if",
    ),
    guide.MistakeRow(
        r"Unsupported ptr type",
        codes.TYPES_IN_KERNEL,
        "load from and store to pointers: a parameter that is an array, plus offsets",
    ),
    guide.MistakeRow(
        r"too many positional|missing .*required|missing a required|unexpected keyword|multiple values for|positional argument",
        codes.CALL_IN_KERNEL,
        "compare with the function's signature: help(...) in Python shows it",
    ),
    guide.MistakeRow(
        r"[Ii]nvalid operands|incompatible types|Mismatched type|invalid type|[Cc]annot cast|[Uu]nexpected type|[Uu]nsupported (operand|dtype|type)",
        codes.TYPES_IN_KERNEL,
        "convert one operand: tile.to(dtype)",
    ),
    guide.MistakeRow(
        r"[Ss]hape|rank|dimension|[Aa]xis|reshape|view",
        codes.SHAPES_IN_KERNEL,
        "compare the shapes of the operands: tl.static_print(x.shape) shows one",
    ),
    guide.MistakeRow(
        r"must be scalar|ambiguous|boolean value of [Tt]ensor",
        codes.TYPES_IN_KERNEL,
        "a tile has many values: choose between them by tl.where(condition, x, y), or reduce it first",
    ),
    guide.MistakeRow(r"unpack", codes.CALL_IN_KERNEL, "give as many names as there are values"),
    guide.MistakeRow(
        r"initial value|type for .* loop|loop-carried|re-assigned|[Ii]ncompatible type",
        codes.TYPES_IN_KERNEL,
        "begin with a value of the same type, such as tl.zeros(shape, dtype)",
    ),
)
"""Patterns of Triton's messages in its versions 3.6 to 3.9."""
ASSERTION = (
    guide.MistakeRow("", codes.ASSERTION_IN_KERNEL, "launch with arguments for which the assertion holds"),
)
_PYTHONS = re.compile(r"^(\w+(?:Error|Exception))\((['\"])(.*)\2,?\)$", re.DOTALL)
"""A Python exception in the text of Triton's message: its `repr`."""


def telling(make_ir: Any, is_ours: Callable[[], bool]) -> Any:
    """Return Triton's function that makes the first IR of a kernel, with its exceptions as diagnostics.

    If ``is_ours`` returns False, kernels do not run here, and exceptions pass unchanged.
    """

    def made(source: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return make_ir(source, *arguments, **named)
        except Exception as error:
            wrong = mistake(source.fn, error) if is_ours() else None
            if wrong is None:
                raise
            raise wrong from mistakes_error.cause_of(wrong)

    return made


def mistake(kernel: Any, error: BaseException) -> mistakes_error.FrontendError | None:
    """Return the diagnostic for an exception that Triton's front end raised for a kernel; None for any other
    exception.
    """
    errors: Any = import_module("triton.compiler.errors")
    if not isinstance(error, errors.CompilationError):
        return None
    chain = list(_chain(error, errors.CompilationError))
    message = next((_message(one) for one in reversed(chain) if _message(one)), "")
    functions = {one.src: one for one in _functions(kernel)}
    found = [place for one in reversed(chain) if (place := _place(one, functions)) is not None]
    fails = isinstance(chain[-1], errors.CompileTimeAssertionFailure)
    return mistakes_error.as_diagnostic(
        error, message, found, ASSERTION if fails else (*guide.COMMON, *ROWS), _KnownTritonNames(found)
    )


def _chain(error: Any, kind: type) -> Iterator[Any]:
    """Yield an exception of the class `kind` and its causes of this class, the exceptions of the functions
    that the kernel calls.
    """
    while isinstance(error, kind):
        yield error
        error = error.__cause__ or error.__context__


def _message(error: Any) -> str:
    """Return Triton's message without the source text of the function, which the location replaces. If the
    message is the `repr` of a Python exception, return the message of this exception.
    """
    said = str(error.error_message or "")
    pythons = _PYTHONS.match(said)
    return said if pythons is None else pythons[3]


def _place(error: Any, functions: dict[str, Any]) -> Location | None:
    """Return the file, line and column that the exception `error` of Triton's compiler points to; `functions`
    maps source texts to functions of the program. Return None for any other function, such as Triton's own,
    and without a node.
    """
    function = functions.get(error.src)
    if function is None or error.node is None:
        return None
    lines = [str(line) for line in function.raw_src]
    head = next((at for at, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
    line = function.starting_line_number + head + error.node.lineno - 1
    indent = len(lines[head]) - len(lines[head].lstrip())  # Triton moved the text to the left
    return FileLineColLocation.at(function.fn.__code__.co_filename, line, error.node.col_offset + 1 + indent)


def _functions(kernel: Any) -> Iterator[Any]:
    """Yield a kernel and the Triton functions that it may call, found in its module and its closure."""
    while not hasattr(kernel, "src") and hasattr(kernel, "fn"):  # a wrapper that tunes
        kernel = kernel.fn
    jitted: Any = import_module("triton.runtime.jit").JITFunction
    pending, seen = [kernel], set[int]()
    while pending:
        one = pending.pop()
        if not isinstance(one, jitted) or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        pending += _reachable(one.fn)


def _reachable(function: Any) -> list[Any]:
    """Return the values of a function's global names and of its closure."""
    cells = [cell.cell_contents for cell in function.__closure__ or () if cell.cell_contents is not None]
    return [*function.__globals__.values(), *cells]


class _KnownTritonNames:
    """Returns the names among which a misspelt name is looked for: of a module, of a type of Triton's
    language, or of the function at the first place.
    """

    def __init__(self, places: list[Location]) -> None:
        self._places = places

    def __call__(self, among: str, match: re.Match[str]) -> Iterable[str]:
        if among == guide.MODULE:
            return dir(import_module(match["module"]))
        if among == guide.TYPE:
            return dir(getattr(import_module("triton.language"), match["type"]))
        source = self._places[0].source if self._places else None
        return guide.names_at(source[0], source[1]) if source is not None else ()
