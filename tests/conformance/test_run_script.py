"""The options of the runner of scripts: those in front of the script are its own, those behind it the script's."""

from __future__ import annotations

import pytest

from conformance.run_script import split_options


def test_options_in_front_of_the_script_are_the_runners() -> None:
    options, script = split_options(["--check", "all", "sample.py", "--check", "mine"])
    assert (options.target, options.check) == ("cpu", "all")
    assert script == ["sample.py", "--check", "mine"]


def test_a_script_is_needed() -> None:
    with pytest.raises(SystemExit):
        split_options(["--check", "all"])
