"""`dir` shows the names that are meant for users, whatever was imported before."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import tilewright
import tilewright.driver.launch
from tilewright import cutile


@pytest.mark.parametrize("package", [tilewright, cutile], ids=lambda package: package.__name__)
def test_dir_lists_the_api_and_nothing_else(package: ModuleType) -> None:
    assert dir(package) == sorted(package.__all__)


def test_every_listed_name_can_be_had() -> None:
    for name in dir(tilewright):
        assert getattr(tilewright, name) is not None


def test_the_list_does_not_depend_on_what_was_loaded() -> None:
    code = "import tilewright; before = dir(tilewright); tilewright.compile; assert dir(tilewright) == before; print(before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(sorted(tilewright.__all__))
