"""The cell magic ``%%tilewright``: a cell runs as ``tilewright run`` does a program, on this machine, with checks.

While the extension is loaded, a diagnostic that ends any cell is shown with its source frame instead of the traceback of
the compiler.
"""

from __future__ import annotations

import ast
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import Any

import IPython
from IPython.core import display_functions, magic_arguments
from IPython.core.error import UsageError

from tilewright.driver.options import TARGET
from tilewright.explorer import html as explorer_html, program as explorer_program, schema
from tilewright.gpu_programs import routing as gpu_programs_routing
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, in_notebook, render
from tilewright.ir.support.option_spelling import NOTEBOOK, options_spelled_for, wants_traceback
from tilewright.ir.support.strings import nearest
from tilewright.ir.support.tracebacks import is_ours
from tilewright.layouts import conversion, grids as layouts_grids, layout as layouts_layout, linear
from tilewright.pages.notebook import embedded
from tilewright.runtime.findings.record import key_of, recording

NAME = "tilewright"
"""The name of the magic."""
_IPYTHON = Path(IPython.__file__).parent
_ARGUMENTS: Any = magic_arguments
_DISPLAYS: Any = display_functions


PICTURED = (
    layouts_layout.Layout,
    layouts_layout.ComposedLayout,
    linear.LinearLayout,
    conversion.RegisterMovement,
)
"""The types that are shown as pictures, if they have not too many cells."""


def load(shell: Any) -> None:
    """Register the cell magic, the pictures of layouts and the display of diagnostics in an IPython `shell`."""
    register: Any = shell.register_magic_function
    register(_magic(shell), "cell", NAME)
    for type in PICTURED:
        _pictures(shell).for_type(type, layouts_grids.picture_of)
    shell.set_custom_exc((DiagnosticError,), show_diagnostics)


def unload(shell: Any) -> None:
    """Undo `load`: remove the cell magic, the pictures and the display of diagnostics from `shell`."""
    shell.magics_manager.magics["cell"].pop(NAME, None)
    for type in PICTURED:
        _pictures(shell).pop(type, None)
    shell.set_custom_exc((), None)


def _pictures(shell: Any) -> Any:
    """Return the formatter of `shell` for SVG, in which a function is registered for each type."""
    return shell.display_formatter.formatters["image/svg+xml"]


def _magic(shell: Any) -> Any:
    """Return the function of the cell magic for `shell`, decorated with the options that its line may have:
    the target, `--check`, `--gpu` and `--explore`.
    """

    def tilewright(line: str, cell: str) -> Any:
        """Run the kernels of a cell on this machine, as `tilewright run` does for a program."""
        given: Any = _parsed(tilewright, line)
        settings = ProgramSettings.of(given.target, given.check, given.gpu)
        return explored(shell, cell, settings) if given.explore else run(shell, cell, settings)

    magic: Any = tilewright
    for decorate in (
        _ARGUMENTS.argument(TARGET.flag, default=TARGET.default, help=TARGET.page),
        _ARGUMENTS.argument(
            "--check", default="", help="memcheck,initcheck,racecheck,fpcheck,promises or all."
        ),
        _ARGUMENTS.argument("--gpu", default="", help="The GPU that the cell sees, such as sm_90."),
        _ARGUMENTS.argument(
            "--explore", action="store_true", help="Run under all checks, and show the explorer's page."
        ),
        _ARGUMENTS.magic_arguments(),
    ):
        magic = decorate(magic)
    return magic


def _parsed(magic: Any, line: str) -> Any:
    """Return the options of a line as a namespace. ``magic`` is the function of the magic, decorated with its
    options. Raises `UsageError` for a line that cannot be parsed; for a misspelt option it suggests a similar
    name.
    """
    try:
        return _ARGUMENTS.parse_argstring(magic, line)
    except UsageError as error:
        known = [word for action in magic.parser._actions for word in action.option_strings]
        wrong = (word.partition("=")[0] for word in line.split() if word.startswith("--"))
        meant = next((nearest(word, known) for word in wrong if word not in known), None)
        raise UsageError(f"{error}; did you mean '{meant}'?" if meant else str(error)) from None


def run(shell: Any, cell: str, settings: ProgramSettings) -> Any:
    """Execute `cell` in the namespace of `shell`, with its GPU programs routed as `settings` say, and then
    show the findings that did not end it. Return the value of the expression at its end; None if it ends with
    another statement.
    """
    with options_spelled_for(NOTEBOOK), gpu_programs_routing.routed(settings), _caught_shown():
        return _execute(shell, cell)


def explored(shell: Any, cell: str, settings: ProgramSettings) -> Any:
    """Run a cell under all checks, and show the explorer's page of its kernels, also if the cell raises.
    Return the value of the expression at its end; None if it ends with another statement.
    """
    page = schema.Page("Kernels of the cell", f"%%{NAME} --explore {TARGET.flag} {settings.target}")
    collector = explorer_program.Collector(page, settings.target)
    try:
        with options_spelled_for(NOTEBOOK), gpu_programs_routing.routed(settings) as routing, _caught_shown():
            routing.launches.engine = collector.launch
            return _execute(shell, cell)
    finally:
        collector.finish()
        _show(embedded(explorer_html.page_text(page), page.title), f"<{page.title}>")


@contextmanager
def _caught_shown() -> Generator[None]:
    """After the body, show the findings that did not end it (the program caught them, or its threads and
    processes made them), and the ignore comments that were not used.
    """
    raised: list[Diagnostic] = []
    with recording() as record:
        try:
            yield
        except DiagnosticError as error:
            raised += error.diagnostics
            raise
        finally:
            known = {key_of(one) for one in raised}
            caught = [one for one in record.take() if key_of(one) not in known]
            caught += record.unused_ignores()
            if caught:
                _show(in_notebook(caught), "\n".join(map(render, caught)))


def _execute(shell: Any, cell: str) -> Any:
    """Execute the text of a cell in the shell's namespace, with a file name by which Python finds its lines.
    Lines count from the line of the magic, as in editors. Return the value of the expression at the end; None
    if the cell ends with another statement.
    """
    blank = sum(1 for _ in takewhile(str.isspace, cell.splitlines(keepends=True)))  # the shell drops them
    source: str = "\n" * (1 + blank) + shell.transform_cell(cell)
    file: str = shell.compile.cache(source, shell.execution_count, raw_code=cell)
    tree = ast.parse(source, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(shell.compile(tree, file, "exec"), shell.user_ns)
    if not isinstance(last, ast.Expr):
        return None
    return eval(shell.compile(ast.Expression(last.value), file, "eval"), shell.user_ns)


def show_diagnostics(
    shell: Any, kind: type, error: DiagnosticError, trace: TracebackType, tb_offset: int | None = None
) -> None:
    """Show the error that ended a cell: the diagnostics, and the line of the cell that led to them. Print the
    traceback instead if the user has asked for tracebacks. IPython calls this function as the exception
    handler that `load` sets.
    """
    if wants_traceback():
        print("".join(traceback.format_exception(kind, error, trace)))
        return
    text = str(error)
    frames = [frame for frame in traceback.extract_tb(trace) if _is_of_cell(frame)]
    is_placed = error.names_launch
    lead = f"\nraised by line {frames[0].lineno}: {frames[0].line}" if frames and not is_placed else ""
    _show(in_notebook(error.diagnostics), text + lead)


def _is_of_cell(frame: traceback.FrameSummary) -> bool:
    """Return whether `frame` is code of a cell: not of this package or of IPython, and not the call of a
    magic.
    """
    if is_ours(frame.filename) or Path(frame.filename).is_relative_to(_IPYTHON):
        return False
    return not (frame.line or "").startswith("get_ipython().run_cell_magic")


def _show(markup: str, text: str) -> None:
    _DISPLAYS.display({"text/html": markup, "text/plain": text}, raw=True)
