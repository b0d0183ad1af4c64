"""The device and the streams of CuPy."""

from __future__ import annotations

from typing import Any

from tilewright.gpu_programs import streams
from tilewright.gpu_programs.refusals import refusal


class Device:
    """The one GPU.  Another number is refused."""

    def __init__(self, device: Any = 0, capability: str = "") -> None:
        self.id = int(device or 0)
        self.compute_capability = capability
        if self.id:
            raise refusal(
                f"cupy.cuda.Device({self.id})", "is a device that there is not: there is one GPU, 0"
            )

    def use(self) -> Device:
        """It is in use already."""
        return self

    def synchronize(self) -> None:
        """Nothing is pending."""

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *exception: object) -> None:
        """Nothing is to be put back."""


class Stream(streams.Stream):
    """A stream of CuPy."""

    null: Stream

    def __init__(
        self, null: bool = False, non_blocking: bool = False, ptds: bool = False, **named: Any
    ) -> None:
        super().__init__(0 if null else named.get("ptr"))

    @property
    def ptr(self) -> int:
        """The number of the stream."""
        return self.handle

    def use(self) -> Stream:
        """Make it the current one."""
        self.choose()
        return self

    def record(self, event: streams.Event | None = None) -> streams.Event:
        """An event that happens now."""
        event = event or streams.Event()
        event.record(self)
        return event


Stream.null = Stream(null=True)
