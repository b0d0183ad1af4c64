"""Shell completion of option values, and of commands that parse their flags themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import BashComplete, CompletionItem

if TYPE_CHECKING:
    from tilewright.cli.flags import Flag

Names = Callable[[], Iterable[str]]
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def one_of(names: Names) -> Completer:
    """Return a completer that suggests the names that begin with the text typed so far; ``names`` is called
    at each completion.
    """

    def complete(ctx: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in names() if name.startswith(begun)]

    return complete


def some_of(names: Names) -> Completer:
    """Return a completer for a list of names with commas between them: it suggests the names that begin with
    the text after the last comma. ``names`` is called at each completion.
    """

    def complete(ctx: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        before, comma, last = begun.rpartition(",")
        return [CompletionItem(before + comma + name) for name in names() if name.startswith(last)]

    return complete


def files(ctx: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return a single item that tells the shell to complete file names itself."""
    return [CompletionItem(begun, type="file")]


def folders(ctx: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return a single item that tells the shell to complete directory names itself."""
    return [CompletionItem(begun, type="dir")]


def pipeline(ctx: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Complete the last pass of a textual pipeline, such as ``builtin.module(canonicalize,cs``: suggest the
    names of passes that begin with the text after the last comma or parenthesis.
    """
    start = max(begun.rfind(mark) for mark in "(,") + 1
    return [CompletionItem(begun[:start] + name) for name in passes() if name.startswith(begun[start:])]


class Bash(BashComplete):
    """Completion in bash. It gives the ``=`` of ``--flag=value`` as a word of its own, which is dropped."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, begun = super().get_completion_args()
        return [word for word in words if word != "="], begun


class FlagCommand(click.Command):
    """A command that parses its arguments itself (`tilewright.cli.flags`): flags and passes are completed
    from tables.

    ``flags`` and ``passes`` are called when the user presses the key. ``passes`` returns names with one line
    of help.
    """

    def __init__(
        self,
        name: str,
        *,
        flags: Callable[[], Sequence[Flag]],
        passes: Callable[[], dict[str, str]] = dict,
        **settings: Any,
    ) -> None:
        super().__init__(name, **settings)
        self.flags = flags
        self.passes = passes

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters. During completion they include flags with values, so that `click` finds the
        flag of a value.
        """
        found = super().get_params(ctx)
        return [*map(_valued, self._with_values()), *found] if ctx.resilient_parsing else found

    def _with_values(self) -> list[Flag]:
        return [flag for flag in self.flags() if flag.value in _VALUES]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete flags with one or two dashes, a flag with a value up to its `=`, and names of passes."""
        dashes = incomplete[: len(incomplete) - len(incomplete.lstrip("-"))]
        known = {f"{flag.name}{'=' if flag.value else ''}": flag.help for flag in self.flags()}
        return [
            CompletionItem(dashes + name, help=text)
            for name, text in (known | self.passes()).items()
            if (dashes + name).startswith(incomplete)
        ]


def _valued(flag: Flag) -> click.Option:
    """Return a flag with a value as an option of `click`, for completion."""
    dest = flag.name.replace("-", "_")
    return click.Option([f"--{flag.name}", f"-{flag.name}", dest], shell_complete=_VALUES[flag.value])


def targets() -> Iterable[str]:
    """Return the names of targets."""
    from tilewright.driver.target import target_names

    return target_names()


def gpus() -> Iterable[str]:
    """Return the names of the GPUs that programs can see."""
    from tilewright.gpu_programs.chips import CHIPS

    return CHIPS


def checks() -> Iterable[str]:
    """Return the names of the run-time checks, and `all`."""
    from tilewright.driver.options import CHECKS

    return (*CHECKS, "all")


def stages() -> Iterable[str]:
    """Return the names of the stages of a compilation that any target has, each once."""
    from tilewright.driver.stages import stages_of
    from tilewright.driver.target import all_targets, one_of_each_kind

    all_targets()  # loads the targets of packages
    return dict.fromkeys(name for target in one_of_each_kind() for name in stages_of(target))


def passes() -> dict[str, str]:
    """Return the names of passes, each with the summary of its manual."""
    from tilewright.driver.startup import startup
    from tilewright.ir.support.strings import first_paragraph

    return {name: first_paragraph(cls.manual()) for name, cls in startup().passes.items()}


def versions() -> Iterable[str]:
    """Return the versions of the bytecode."""
    from tilewright.dialects.cuda_tile.version import VERSIONS

    return map(str, VERSIONS)


def pages() -> Iterable[str]:
    """Return the names of the pages of `tilewright explain`: operations, types, enumerations and codes."""
    from tilewright.reference import names

    return names()


def kinds() -> Iterable[str]:
    """Return the kinds of findings of `tilewright inspect`: their keys in the JSON, which ``--kind`` accepts."""
    from tilewright.inspect.findings import KINDS

    return KINDS.values()


_VALUES: dict[str, Completer] = {
    "DIR": folders,
    "FILE": files,
    "KIND": one_of(lambda: ("list", "tree")),
    "M.N": one_of(versions),
    "PASSES": some_of(passes),
    "PIPELINE": pipeline,
}
"""How values of flags are completed, by the word that the help has for them."""
