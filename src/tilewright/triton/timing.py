"""The interface of a device for Triton's timing helpers: all work is complete when the call that started it
returns.
"""

from __future__ import annotations

from tilewright.gpu_programs.streams import Event, Stream


def synchronize(device: object = None) -> None:
    """Return at once: all work is complete."""


__all__ = ["Event", "Stream", "synchronize"]
