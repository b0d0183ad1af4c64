"""Messages of Triton's front end as diagnostics, with stand-ins for its exceptions and functions."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tilewright.driver import codes
from tilewright.driver.mistakes.error import FrontendError
from tilewright.ir.location import FileLineColLocation
from tilewright.triton import mistakes


class CompilationError(Exception):
    """An error of the front end, at a node of a function's source."""

    def __init__(self, src: str, node: Any, error_message: str | None) -> None:
        super().__init__(error_message)
        self.src, self.node, self.error_message = src, node, error_message


class CompileTimeAssertionFailure(CompilationError):
    """An assertion that does not hold."""


class JITFunction:
    """A function of Triton: its text begins at the left, its place is that in the file."""

    def __init__(self, fn: Any) -> None:
        self.fn = fn
        lines, self.starting_line_number = inspect.getsourcelines(fn)
        self.raw_src = lines
        text = "".join(lines)
        self.src = inspect.cleandoc(text[text.index("def ") :])


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    fields: dict[str, dict[str, Any]] = {
        "triton": {},
        "triton.compiler": {},
        "triton.runtime": {},
        "triton.language": {"tensor": type("tensor", (), {"reshape": 1})},
        "triton.compiler.errors": {
            "CompilationError": CompilationError,
            "CompileTimeAssertionFailure": CompileTimeAssertionFailure,
        },
        "triton.runtime.jit": {"JITFunction": JITFunction},
    }
    for name, values in fields.items():
        module = ModuleType(name)
        vars(module).update(values)
        monkeypatch.setitem(sys.modules, name, module)


def decorated(function: Any) -> Any:
    """Return a function as it is: a line before its head."""
    return function


def functions() -> tuple[JITFunction, JITFunction]:
    """Return a kernel, and a function that it calls."""

    @decorated
    @decorated
    def helper(x: Any) -> Any:
        return x + missing  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    inner = JITFunction(helper)

    def kernel(x: Any) -> Any:
        return inner.fn(x)

    return JITFunction(kernel), inner


def at(line: int, column: int) -> Any:
    """Return a node of a syntax tree."""
    return SimpleNamespace(lineno=line, col_offset=column)


def told(kernel: Any, error: BaseException) -> Any:
    """Return the diagnostic of an error."""
    found = mistakes.mistake(kernel, error)
    assert isinstance(found, FrontendError)
    return found.diagnostics[0]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("'tensor' object has no attribute 'reshap'", codes.UNKNOWN_NAME_IN_KERNEL),
        ("NameError('missing is not defined')", codes.UNKNOWN_NAME_IN_KERNEL),
        ("Cannot access global variable N from within", codes.CONSTANT_IN_KERNEL),
        ("unsupported AST node type: With", codes.PYTHON_IN_KERNEL),
        ("Unsupported ptr type <['4'], fp32>", codes.TYPES_IN_KERNEL),
        ("TypeError(\"missing a required argument: 'y'\")", codes.CALL_IN_KERNEL),
        ("Cannot make_shape_compatible: incompatible dimensions", codes.SHAPES_IN_KERNEL),
        ("too many values to unpack", codes.CALL_IN_KERNEL),
        ("invalid operands of type int32 and pointer", codes.TYPES_IN_KERNEL),
    ],
)
def test_messages_have_codes(message: str, code: Any) -> None:
    kernel, _ = functions()
    found = told(kernel, CompilationError(kernel.src, at(2, 4), message))
    assert found.code is code
    assert found.hints


def test_an_assertion_has_a_code_of_its_own() -> None:
    kernel, _ = functions()
    found = told(kernel, CompileTimeAssertionFailure(kernel.src, at(2, 4), "shape must be equal"))
    assert found.code is codes.ASSERTION_IN_KERNEL


def test_the_place_is_that_in_the_file_and_callers_are_named() -> None:
    kernel, helper = functions()
    outer = CompilationError(kernel.src, at(2, 11), None)
    outer.__cause__ = CompilationError(helper.src, at(2, 15), "NameError('missing is not defined')")
    found = told(kernel, outer)
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    innermost = next(number for number, line in enumerate(lines, 1) if "return x + missing" in line)
    caller = next(number for number, line in enumerate(lines, 1) if "return inner.fn(x)" in line)
    calls = [note.location for note in found.notes if note.message == "called from here"]
    assert [place.line for place in (found.location, *calls)] == [innermost, caller]
    assert found.location == FileLineColLocation.at(__file__, innermost, 15 + 1 + 4)
    assert "missing is not defined" in found.message
    assert "NameError" not in found.message


def test_places_count_from_the_head_of_the_function() -> None:
    _, helper = functions()
    place = mistakes._place(CompilationError(helper.src, at(1, 0), ""), {helper.src: helper})
    assert isinstance(place, FileLineColLocation)
    assert place.line == helper.starting_line_number + 2
    assert place == FileLineColLocation.at(__file__, place.line, 5)
    assert mistakes._place(CompilationError("other", at(1, 0), ""), {helper.src: helper}) is None
    assert mistakes._place(CompilationError(helper.src, None, ""), {helper.src: helper}) is None


def test_functions_are_found_through_closures_and_wrappers() -> None:
    kernel, helper = functions()
    assert list(mistakes._functions(SimpleNamespace(fn=SimpleNamespace(fn=kernel)))) == [kernel, helper]
    assert list(mistakes._functions(helper)) == [helper]
    assert list(mistakes._functions(SimpleNamespace(src="no function"))) == []


def test_other_exceptions_and_other_back_ends_stay() -> None:
    kernel, _ = functions()
    assert mistakes.mistake(kernel, ValueError("no")) is None
    source = SimpleNamespace(fn=kernel)
    ours = [True]

    def make(given: Any, error: BaseException | None, *, more: int = 0) -> Any:
        assert given is source
        if error is not None:
            raise error
        return more

    made = mistakes.telling(make, lambda: ours[0])
    assert made(source, None, more=3) == 3
    wrong = CompilationError(kernel.src, at(2, 4), "too many values to unpack")
    with pytest.raises(FrontendError):
        made(source, wrong)
    with pytest.raises(ValueError, match="no"):
        made(source, ValueError("no"))
    ours[0] = False
    with pytest.raises(CompilationError):
        made(source, wrong)


def test_names_are_looked_for_where_they_may_be() -> None:
    names = mistakes._KnownTritonNames([])
    match: Any = re.match(r"(?P<module>\w+) (?P<type>\w+)", "json tensor")
    assert "dumps" in names(mistakes.guide.MODULE, match)
    assert "reshape" in names(mistakes.guide.TYPE, match)
    assert list(names(mistakes.guide.SCOPE, match)) == []
    _, helper = functions()
    place = FileLineColLocation.at(__file__, helper.starting_line_number + 3, 5)
    assert "x" in mistakes._KnownTritonNames([place])(mistakes.guide.SCOPE, match)
