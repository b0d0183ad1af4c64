"""Python programs on a command line: which word names one, and running it."""

from __future__ import annotations

from collections.abc import Sequence


def is_script(word: str) -> bool:
    """Whether a word of a command line names a Python program."""
    return word.endswith(".py") and not word.startswith("-")


def split_at_script(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """A command line up to its first Python program, and the rest: the arguments of that program."""
    at = next((at for at, word in enumerate(words) if is_script(word)), len(words))
    return list(words[: at + 1]), list(words[at + 1 :])


def run_program(file: str, arguments: Sequence[str], target: str, check: str, gpu: str) -> int:
    """Run a Python program that launches kernels; answers its exit status."""
    from tilewright.cli.collector import usual_collection
    from tilewright.gpu_programs import Settings, run_script

    usual_collection()
    return run_script(file, arguments, Settings.of(target, check, gpu))
