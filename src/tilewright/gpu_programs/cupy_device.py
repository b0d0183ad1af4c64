"""``Device`` and ``Stream`` of ``cupy.cuda``."""

from __future__ import annotations

from typing import Any

from tilewright.gpu_programs import refusals, streams


class Device:
    """``cupy.cuda.Device``: the only GPU, whose `capability` is digits such as ``90``. Raises `NoAnswerError`
    if the number `device` is not 0; None stands for 0.
    """

    def __init__(self, device: Any = 0, capability: str = "") -> None:
        self.id = int(device or 0)
        self.compute_capability = capability
        if self.id:
            raise refusals.refusal(
                f"cupy.cuda.Device({self.id})", "is a device that there is not: there is one GPU, 0"
            )

    def use(self) -> Device:
        """Return this device, which is always the current device."""
        return self

    def synchronize(self) -> None:
        """Return at once: launches are synchronous."""

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
        """Restore nothing: there is only one device."""


class Stream(streams.Stream):
    """``cupy.cuda.Stream``, a stream of the only GPU. The handle is 0 if `null`, else the keyword ``ptr``, by
    default a new number. Other arguments have no effect.
    """

    null: Stream

    def __init__(
        self, null: bool = False, non_blocking: bool = False, ptds: bool = False, **named: Any
    ) -> None:
        super().__init__(0 if null else named.get("ptr"))

    @property
    def ptr(self) -> int:
        """The handle of the stream, as CuPy's attribute `ptr`."""
        return self.handle

    def use(self) -> Stream:
        """Make this stream the current stream; return it."""
        self.choose()
        return self

    def record(self, event: streams.Event | None = None) -> streams.Event:
        """Record an event on this stream, by default a new event, and return it."""
        event = event or streams.Event()
        event.record(self)
        return event


Stream.null = Stream(null=True)
