"""The worker process of a C++ program: it plays the GPU. It loads modules and launches kernels at the
program's requests, until the program ends.

``python -m tilewright.cuda_programs.worker SOCKET MEMORY PROCESS``: the descriptors of the socket and of the
file with the device memory, and the process number of the program. The stand-in for the CUDA runtime starts
it.
"""

from __future__ import annotations

import io
import os
import signal
import socket
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from tilewright.cuda_programs import codes, fat_binary, host_places, modules, wire
from tilewright.cuda_programs.device_memory import ProgramMemory
from tilewright.gpu_programs.settings import TARGET_VARIABLE, ProgramSettings
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity, render
from tilewright.ptxsim import codes as simulator
from tilewright.runtime.findings.record import VARIABLE, FindingRecord, inherited, recording

TARGET = "TILEWRIGHT_PROGRAM_TARGET"
"""The environment variable with the target. It is not `TILEWRIGHT`, which would make this Python process
route its own programs.
"""
FINDINGS = {
    int(one.number): one
    for one in (
        codes.HOST_POINTER,
        codes.USE_AFTER_FREE,
        codes.BAD_FREE,
        codes.PAST_THE_END,
        codes.UNCHECKED_ERROR,
        codes.LEAK,
        codes.STREAM_ORDER,
        codes.HOST_ACCESS,
        codes.NOT_PROVIDED,
    )
}
"""The findings that the stand-in reports, by the number that it sends."""
WARNINGS = frozenset({codes.LEAK, codes.NOT_PROVIDED})
SUCCESS, BAD_IMAGE, ILLEGAL_ADDRESS, ASSERT, MISALIGNED, FAILED = 0, 200, 700, 710, 716, 719
"""Values of `cudaError_t` that replies have as their status."""
_STATUSES: Mapping[DiagnosticCode | None, int] = {
    simulator.OUT_OF_BOUNDS: ILLEGAL_ADDRESS,
    codes.HOST_POINTER: ILLEGAL_ADDRESS,
    codes.USE_AFTER_FREE: ILLEGAL_ADDRESS,
    simulator.MISALIGNED: MISALIGNED,
    simulator.ASSERTION: ASSERT,
}


class DeviceWorker:
    """The state of the simulated device of one program: memory, modules, kernels and findings. ``memory`` is
    the descriptor of the file with the device memory, and ``process`` the number of the program's process.
    """

    def __init__(self, memory: int, process: int, settings: ProgramSettings) -> None:
        self._memory_file = memory
        self._settings = settings
        self._places = host_places.HostPlaces(process)
        self._modules: list[modules.ProgramModule] = []
        self._kernels: dict[tuple[int, str], modules.ProgramKernel] = {}
        self._memory: ProgramMemory | None = None
        self._launched_from: wire.ProgramFrames | None = None
        self._outer = os.environ.get(VARIABLE, "")
        self._record: FindingRecord | None = None
        self._errors = 0

    @property
    def memory(self) -> ProgramMemory:
        """The device memory, which the first request of a program maps."""
        assert self._memory is not None
        return self._memory

    @property
    def record(self) -> FindingRecord:
        """The findings of the program, without repetitions of a kind at the same place. It exists while
        `serve` runs.
        """
        assert self._record is not None
        return self._record

    def serve(self, channel: socket.socket) -> None:
        """Receive requests on `channel`, execute them and reply, until the program ends."""
        with recording(self._told, goes_on=bool(self._settings.checks)) as record:
            self._record = record
            while (request := wire.receive(channel)) is not None:
                number, message = request
                answer = wire.MessageWriter()
                status = self._guarded(lambda: self._answers[wire.DeviceRequest(number)](message, answer))  # noqa: B023
                wire.reply(channel, status, answer)
                if number == wire.DeviceRequest.END:
                    break

    def _guarded(self, work: Callable[[], int]) -> int:
        """Call `work` and return its status. If it raises `DiagnosticError`, record the findings, and return
        the status of `cudaError_t` for the first of them.
        """
        try:
            return work()
        except DiagnosticError as error:
            for found in error.diagnostics:
                self.record.add(found)
            return _STATUSES.get(error.diagnostics[0].code if error.diagnostics else None, FAILED)

    # --- findings

    def _told(self, found: Diagnostic) -> None:
        """Report a finding, and count it if it is an error: to the record that the process inherited, or else
        to stderr. A finding in a kernel gets the line of the program that launched the kernel.
        """
        if self._launched_from is not None:
            place = self._places.place(self._launched_from)
            if found.location.source is None:
                found.location = place
            elif place.source is not None:
                found.note("the kernel is launched here", place)
        for one in (found, *found.notes):
            one.location = host_places.short_place(one.location)
        self._errors += found.severity is Severity.ERROR
        with self._outer_record() as outer:
            if outer is not None:
                outer.add(found)
            else:
                sys.stderr.write(f"{render(found)}\n")
                sys.stderr.flush()

    @contextmanager
    def _outer_record(self) -> Generator[FindingRecord | None]:
        """Yield the record of the program in a ``with`` block, None if there is none. It is opened each time:
        the next record of a program may have the same address.
        """
        found = inherited(self._outer)
        try:
            yield found
        finally:
            if found is not None:
                found.close()

    def _pass_on(self) -> None:
        """Count the launches since the last call in the record that the process inherited, if there is one."""
        with self._outer_record() as outer:
            if outer is not None:
                for name in self.record.launches.elements():
                    outer.count(name)
        self.record.launches.clear()

    # --- requests

    def _hello(self, message: wire.MessageReader, answer: wire.MessageWriter) -> int:
        size = message.long()
        if message.number() != wire.PROTOCOL:
            return FAILED
        checked = "initcheck" in self._settings.checks
        self._memory = ProgramMemory(self._memory_file, size, self._places, is_initialisation_checked=checked)
        chip = self._settings.chip
        answer.text(chip.name).number(*chip.capability, chip.multiprocessors, chip.threads)
        answer.long(chip.l2_cache, chip.shared_memory)
        answer.number(bool(self._settings.checks), "racecheck" in self._settings.checks)
        return SUCCESS

    def _load(self, message: wire.MessageReader, answer: wire.MessageWriter) -> int:
        self._launched_from, frames = None, message.frames()
        try:
            module = modules.loaded(fat_binary.images(message.rest()), self.memory, self._settings)
        except DiagnosticError as error:
            for found in error.diagnostics:
                if found.location.source is None:
                    found.location = self._places.place(frames)
                self.record.add(found)
            return BAD_IMAGE
        self._modules.append(module)
        answer.number(len(self._modules) - 1, len(module.variables))
        for one in module.variables:
            answer.text(one.name).long(one.size).number(one.is_managed)
        answer.number(len(module.symbols))
        for symbol in module.symbols:
            answer.text(symbol)
        return SUCCESS

    def _place(self, message: wire.MessageReader, answer: wire.MessageWriter) -> int:
        self.memory.take_changes(message)
        number = message.signed()
        self._modules[number].place([message.long() for _ in range(message.number())])
        return SUCCESS

    def _kernel(self, message: wire.MessageReader, answer: wire.MessageWriter) -> int:
        self._launched_from = None
        number, symbol = message.signed(), message.text()
        kernel = self._kernels[number, symbol] = self._modules[number].kernel(symbol)
        answer.text(kernel.name).number(
            kernel.is_tile, kernel.shared, kernel.maximum_threads, len(kernel.sizes)
        )
        for size, align in kernel.sizes:
            answer.number(size, align)
        return SUCCESS

    def _launch(self, message: wire.MessageReader, answer: wire.MessageWriter) -> int:
        self.memory.take_changes(message)
        kernel = self._kernels[message.signed(), message.text()]
        grid, block, cluster = ((message.number(), message.number(), message.number()) for _ in range(3))
        shape = modules.LaunchExtents(grid, block, cluster, message.long(), bool(message.number()))
        self._launched_from = message.frames()
        accesses: list[tuple[int, int, bool]] = []
        with _captured() as printed:
            status = self._guarded(lambda: accesses.extend(kernel.launch(shape, message.raw())) or SUCCESS)
        self._launched_from = None
        self._pass_on()
        answer.text(printed.getvalue()).number(len(accesses))
        for begin, end, is_write in accesses:
            answer.long(begin, end).number(is_write)
        return status

    def _finding(self, message: wire.MessageReader, answer: wire.MessageWriter) -> int:
        code, text, frames = FINDINGS[message.number()], message.text(), message.frames()
        severity = Severity.WARNING if code in WARNINGS else Severity.ERROR
        found = Diagnostic(severity, text, self._places.place(frames), code)
        for _ in range(message.number()):
            words, place = message.text(), self._places.place(message.frames())
            if place.source is not None:
                found.note(words, place)
        self.record.add(found)
        return SUCCESS

    def _end(self, message: wire.MessageReader, answer: wire.MessageWriter) -> int:
        answer.number(self._errors if self._settings.checks else 0)
        return SUCCESS

    def _change_record(self, message: wire.MessageReader, answer: wire.MessageWriter) -> int:
        """Send findings to another record from now on: the program has opened or closed one."""
        self._outer = message.text()
        self.record.take()
        return SUCCESS

    @property
    def _answers(
        self,
    ) -> Mapping[wire.DeviceRequest, Callable[[wire.MessageReader, wire.MessageWriter], int]]:
        return {
            wire.DeviceRequest.HELLO: self._hello,
            wire.DeviceRequest.LOAD: self._load,
            wire.DeviceRequest.PLACE: self._place,
            wire.DeviceRequest.KERNEL: self._kernel,
            wire.DeviceRequest.LAUNCH: self._launch,
            wire.DeviceRequest.FINDING: self._finding,
            wire.DeviceRequest.END: self._end,
            wire.DeviceRequest.RECORD: self._change_record,
        }


@contextmanager
def _captured() -> Generator[io.StringIO]:
    """Capture what kernels print in a ``with`` block, and yield the buffer. The program prints the text
    itself, in the order of its own output.
    """
    before, sys.stdout = sys.stdout, io.StringIO()
    try:
        yield sys.stdout
    finally:
        sys.stdout = before


def main() -> None:
    """Serve the program that has started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program decides what an interruption means
    channel, memory, process = (int(word) for word in sys.argv[1:4])
    os.environ[TARGET_VARIABLE] = os.environ.get(TARGET, "")
    settings = ProgramSettings.from_environment()
    DeviceWorker(memory, process, settings).serve(socket.socket(fileno=channel))


if __name__ == "__main__":
    main()
