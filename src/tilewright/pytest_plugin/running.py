"""The working part of the plugin, in each process that runs tests."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any

import pytest

from tilewright.gpu_programs import LaunchRecord, ProgramSettings, start, stop
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, render
from tilewright.ir.location import UNKNOWN
from tilewright.ir.support.option_spelling import PYTEST, options_spelled_for, wants_traceback
from tilewright.pytest_plugin import COMPARE, MARKER, debugging, defaults, summary, time_limit
from tilewright.runtime.findings.record import key_of, recording
from tilewright.runtime.reports import stopped_at

_NOT_THE_SUITES = ("tilewright", "triton", "cuda")
"""Packages whose frames are removed from the end of a traceback, which then ends at the launch."""
TOO_LONG = (
    "tilewright: tests in sizes of a GPU take long on a CPU: take smaller shapes, mark the test with "
    "@pytest.mark.timeout(SECONDS), or raise --tilewright-timeout"
)


class CaughtError(DiagnosticError):
    """Findings of a test that the test did not expect, and that did not end it."""


class SuiteRun:
    """The plugin that ``--tilewright`` registers: from its construction to `pytest_unconfigure` it routes
    launches to the target that `options` name, and turns findings into failures of tests at the line of the
    kernel. `folder` is the root of the tests; the project around it has the defaults of the options. Raises
    `pytest.UsageError` for a wrong option.
    """

    def __init__(self, options: Namespace, folder: str) -> None:
        try:
            given = defaults.with_defaults(vars(options), folder)
            self._debugs = bool(getattr(options, "tilewright_pdb", False))
            if self._debugs:
                given["target"] = debugging.target(options)
            self._settings = ProgramSettings.of(
                given["target"], given["check"], given["gpu"], given["ignore"]
            )
        except DiagnosticError as error:
            raise pytest.UsageError(str(error)) from None
        self._time_limit = given["timeout"]
        self._launches: list[LaunchRecord] = []
        self._summary = summary.Summary(self._settings, given["sarif"])
        self._environment = {name: os.environ.get(name) for name in self._settings.environment()}
        os.environ.update(self._settings.environment())
        self._closing = ExitStack()
        self._closing.enter_context(options_spelled_for(PYTEST))
        self._record = self._closing.enter_context(recording())
        self._found: list[Diagnostic] = []
        """The findings since the last report, which the next report contains."""
        launches = start(self._settings).launches
        launches.listeners.append(self._launches.append)
        if getattr(options, COMPARE, False):
            from tilewright.driver.comparison.comparer import Comparer  # few suites need it

            launches.engine = Comparer().launch

    def pytest_configure(self, config: pytest.Config) -> None:
        """Attach the debugger to the terminal if ``--tilewright-pdb`` was given, and register the summary,
        except in a worker of pytest-xdist: only the process that reports the tests has a summary. Raises
        `pytest.UsageError` for the debugger with pytest-xdist.
        """
        if self._debugs:
            self._closing.enter_context(debugging.on_terminal(config))
        if not hasattr(config, "workerinput"):
            config.pluginmanager.register(self._summary, "pytest_tilewright_summary")

    def pytest_unconfigure(self) -> None:
        """Stop routing launches, and restore the environment variables."""
        stop()
        self._closing.close()
        for name, value in self._environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Give each test that has no ``timeout`` marker the time limit of ``--tilewright-timeout``, which
        pytest-timeout enforces (`time_limit`). Nothing happens without pytest-timeout, if the limit is 0, and
        with the debugger.
        """
        if self._time_limit > 0 and not self._debugs and config.pluginmanager.hasplugin("timeout"):
            for item in items:
                if item.get_closest_marker("timeout") is None:
                    item.add_marker(pytest.mark.timeout(self._time_limit))

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> bool | None:
        """Set the timer of a test (`time_limit.begin`) and return True. Return None if no signal can be used;
        pytest-timeout then sets a timer of its own.
        """
        return time_limit.begin(item, settings) or None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Raise `CaughtError` after the set-up of fixtures if launches in it had findings, even if a fixture
        caught the exceptions.
        """
        with self._noticing():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Raise `CaughtError` after the tear-down of fixtures if launches in it had findings, or launches of
        threads and processes of the test.
        """
        with self._noticing():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Run the test, and let it fail if it had findings. With the marker ``tilewright_finds`` findings
        with the named codes are accepted; the test fails for others, and for a named code that was not found.
        """
        marker = item.get_closest_marker(MARKER)
        with self._noticing():
            if marker is None:
                return (yield)
            with self.expected(marker.args):
                return (yield)

    @contextmanager
    def _noticing(self) -> Generator[None]:
        """Raise `CaughtError` at the end of the ``with`` block if launches in it had findings, even if the
        test caught the exceptions. If the block raises an exception other than a skip, this exception is
        raised, and the findings go into the next report.
        """
        try:
            yield
        except pytest.skip.Exception:
            self._raise_found()
            raise
        except BaseException:
            self._found += self._record.take()
            raise
        self._raise_found()

    def _raise_found(self) -> None:
        found = self._record.take()
        self._found += found
        if found:
            raise CaughtError(found)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Collect the findings after the last test.

        A worker sends them to the process that reports the tests. That process adds them to its summary, and
        fails the session if there are any.
        """
        late = [summary.finding_record(one, str(session.path)) for one in self._record.take()]
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[summary.LATE], output[summary.IGNORES] = late, self._record.ignores.as_data()
            return
        self._summary.ignores.join(self._record.ignores.as_data())
        self._summary.add(late)
        if self._summary.late and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @contextmanager
    def expected(self, codes: Iterable[str]) -> Generator[list[Diagnostic]]:
        """Accept findings with these codes in a ``with`` block, and yield the list to which their diagnostics
        are added when the block ends. A `DiagnosticError` that has only these codes ends the block and is not
        raised; any other exception is raised. Raises `CaughtError` for other findings that the block caught;
        the test fails if one of the codes was not found.
        """
        wanted, found = set(codes), list[Diagnostic]()
        self._found += self._record.take()
        try:
            yield found
        except DiagnosticError as error:
            if {str(one.code) for one in error.diagnostics} - wanted:
                raise
            found += error.diagnostics
        known = {key_of(one) for one in found}
        made = [one for one in self._record.take() if key_of(one) not in known]
        found += [one for one in made if str(one.code) in wanted]
        unexpected = [one for one in made if str(one.code) not in wanted]
        if unexpected:
            self._found += unexpected
            raise CaughtError(unexpected)
        self._launches[:] = [one for one in self._launches if not _found_only(one.error, found)]
        missing = wanted - {str(one.code) for one in found}
        if missing:
            pytest.fail(f"tilewright found nothing of {', '.join(sorted(missing))}", pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Return the report of a phase of a test, with findings at the line of the kernel instead of the line
        of the launch, and without the frames of tilewright. The report gets an attribute ``tilewright`` with
        the launches and findings since the last report, for the summary. A test that exceeded its time limit
        is shown at the loop that ran, if that is known.
        """
        error = None if call.excinfo is None else call.excinfo.value
        if isinstance(error, DiagnosticError | time_limit.TimeLimit) and not wants_traceback():
            error.__traceback__ = _without_our_frames(error)
            call.excinfo = pytest.ExceptionInfo[BaseException].from_exception(error)
        report = yield
        refusal = error if isinstance(error, DiagnosticError) and error.names_launch else None
        if refusal is not None:
            self._found += refusal.diagnostics
        is_plain = (refusal is not None and not wants_traceback()) or isinstance(error, CaughtError)
        if is_plain and call.excinfo is not None:
            report.longrepr = call.excinfo.getrepr(style="value")
        elif report.failed and self._found and not isinstance(error, DiagnosticError):
            report.sections.append(("findings", "\n".join(map(render, self._found))))
        if isinstance(error, DiagnosticError) and error.diagnostics:
            first = error.diagnostics[0]
            _show_place(report, item, first.location, f"{first.code}: {first.message}", str(first.code))
        elif isinstance(error, time_limit.TimeLimit):
            told = " ".join([str(error), *getattr(error, "__notes__", ())])
            _show_place(report, item, stopped_at(error) or UNKNOWN, told, type(error).__name__)
            if self._launches and stopped_at(error) is None:  # a loop that has a place may have no end
                report.sections.append(("time limit", TOO_LONG))
        report.__dict__["tilewright"] = self._new_launches(item)
        return report

    def _new_launches(self, item: pytest.Item) -> dict[str, Any]:
        """Return the launches and findings since the last report as JSON data, and forget them. ``kernels``
        maps the name of a kernel to its number of launches and their seconds; ``findings`` is a list of
        `summary.finding_record`.
        """
        records, self._launches[:] = list(self._launches), []
        kernels: dict[str, list[float]] = {}
        for record in records:
            launches = kernels.setdefault(record.kernel, [0, 0.0])
            launches[0] += 1
            launches[1] += record.seconds
        found, self._found = self._found, []
        findings = [summary.finding_record(one, str(item.path)) for one in found]
        return {"kernels": kernels, "findings": findings}


def _found_only(error: BaseException | None, accepted: list[Diagnostic]) -> bool:
    """Return whether a launch ended with the exception `error` whose findings are all in `accepted`; such a
    launch is not reported. False if it ended without an exception.
    """
    keys = {key_of(one) for one in accepted}
    return isinstance(error, DiagnosticError) and {key_of(one) for one in error.diagnostics} <= keys


def _package_of(step: TracebackType) -> str:
    return str(step.tb_frame.f_globals.get("__name__", "")).partition(".")[0]


def _without_our_frames(error: BaseException) -> TracebackType | None:
    """Return the traceback of an exception without its last frames that belong to tilewright, Triton or the
    package ``cuda``. At least the first frame remains; None if there is no traceback.
    """
    frames: list[TracebackType] = []
    step = error.__traceback__
    while step is not None:
        frames.append(step)
        step = step.tb_next
    while len(frames) > 1 and _package_of(frames[-1]) in _NOT_THE_SUITES:
        frames.pop()
    kept: TracebackType | None = None
    for frame in reversed(frames):
        kept = TracebackType(kept, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return kept


def _show_place(
    report: pytest.TestReport, item: pytest.Item, location: Location, message: str, word: str
) -> None:
    """Make a report show `message` at the line of the kernel, `location`, instead of the line of the launch.
    ``word`` replaces the name of the exception there. A report without a crash, or a location without a
    source line, changes nothing.
    """
    source = location.source
    crash = getattr(report.longrepr, "reprcrash", None)
    if source is None or crash is None:
        return
    crash.path, crash.lineno, _ = source
    crash.message = message
    entries = getattr(getattr(report.longrepr, "reprtraceback", None), "reprentries", [])
    place = getattr(entries[-1], "reprfileloc", None) if entries else None
    if place is not None:
        place.path, place.lineno, place.message = _as_pytest_shows(crash.path, item), crash.lineno, word


def _as_pytest_shows(file: str, item: pytest.Item) -> str:
    """Return the path of a file relative to the folder in which pytest was called if that is shorter,
    otherwise `file`.
    """
    try:
        found = os.path.relpath(file, item.config.invocation_params.dir)
    except ValueError:  # on another drive
        return file
    return min(found, file, key=len)
