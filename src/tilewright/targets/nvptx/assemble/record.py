"""The output of an assembler as a value that the disk cache stores."""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass

from tilewright.inspect.binary.magic import is_cubin_image
from tilewright.targets.nvptx.assemble import messages as assemble_messages, resources

MAGIC = b"tilewright cubin 1\n"
_LENGTH = struct.Struct("<Q")
_HEAD = len(MAGIC) + _LENGTH.size


@dataclass(frozen=True, slots=True)
class AssemblerOutput:
    """The output of an assembler: a cubin, the resources of its kernels, and the messages. The cubin is empty
    if a message is an error.
    """

    cubin: bytes
    kernels: tuple[resources.Resources, ...]
    messages: tuple[assemble_messages.AssemblerMessage, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the kernels."""
        return tuple(one.kernel for one in self.kernels)

    @property
    def is_code(self) -> bool:
        """Return whether no message of the assembler is an error, so that it returned code."""
        return not any(message.is_error for message in self.messages)

    def to_bytes(self) -> bytes:
        """Return the output as bytes; equal outputs give equal bytes."""
        facts = {
            "kernels": [asdict(one) for one in self.kernels],
            "messages": [asdict(one) for one in self.messages],
        }
        head = json.dumps(facts).encode()
        return MAGIC + _LENGTH.pack(len(head)) + head + self.cubin

    @classmethod
    def from_bytes(cls, record: bytes) -> AssemblerOutput:
        """Return the output that `to_bytes` wrote as `record`.

        Raises:
         ValueError: `record` has another format, or contains no cubin.
        """
        if not is_assembly(record) or len(record) < _HEAD:
            raise ValueError("not a record of assembled code")
        (length,) = _LENGTH.unpack_from(record, len(MAGIC))
        cubin = record[_HEAD + length :]
        if not is_cubin_image(cubin):
            raise ValueError("a record of assembled code without a cubin")
        facts = json.loads(record[_HEAD : _HEAD + length])
        try:
            kernels = tuple(
                resources.Resources(**one | {"constant": _pairs(one["constant"])}) for one in facts["kernels"]
            )
            return cls(
                cubin, kernels, tuple(assemble_messages.AssemblerMessage(**one) for one in facts["messages"])
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a record of assembled code: {error}") from error


def is_assembly(record: bytes) -> bool:
    """Return whether a cache record begins like a record of assembled code."""
    return record.startswith(MAGIC)


def _pairs(rows: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((bank, size) for bank, size in rows)
