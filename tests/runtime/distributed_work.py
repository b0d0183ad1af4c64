"""What `test_distribution` hands out: functions that other processes can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def squared(number: int) -> int:
    return number * number


def refused(number: int) -> int:
    if number == 3:
        raise ValueError(f"{number} is refused")
    return number


def marked(place: str) -> str:
    """Leaves one byte more in a file for each call."""
    with open(place, "ab") as file:
        file.write(b"x")
    return Path(place).name


def hangs(place: str) -> str:
    """Writes the number of its process and does not come back, unless the place is called ``quick``."""
    path = Path(place)
    if path.name == "quick":
        return path.name
    path.with_suffix(".new").write_text(str(os.getpid()))
    path.with_suffix(".new").rename(path)
    while True:
        time.sleep(3600)


def kills_its_process(place: str) -> str:
    """A place called ``once`` ends the process the first time, one called ``always`` each time."""
    path = Path(place)
    if path.name == "always" or (path.name == "once" and not path.exists()):
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name
