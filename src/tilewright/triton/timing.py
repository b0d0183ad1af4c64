"""What Triton's timing helpers ask of a device: everything is done when the call that started it returns."""

from __future__ import annotations

from tilewright.gpu_programs.streams import Event, Stream


def synchronize(device: object = None) -> None:
    """Nothing is pending."""


__all__ = ["Event", "Stream", "synchronize"]
