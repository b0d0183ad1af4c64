"""The text of `nvdisasm -c -hex` as a model.

Read are sections of code, labels, instructions and their encodings; directives and comments are passed over.  The
second word of an encoding, which holds the control bits, stands on the line below its instruction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from tilewright.inspect.sass.model import Control, Listing, SassCode, SassInstruction

_SECTION = re.compile(r"\s*\.section\s+(?P<name>[^\s,]+)")
_LABEL = re.compile(r"\s*(?P<name>[.$\w]+):\s*$")
_INSTRUCTION = re.compile(
    r"\s*/\*(?P<address>[0-9a-f]{4,})\*/\s+(?:@(?P<guard>!?\w+)\s+)?"
    r"(?P<spelling>[A-Z][\w.]*)\s*(?P<operands>[^;]*);\s*(?:/\*\s*0x[0-9a-f]+\s*\*/)?\s*$"
)
_LOOKS_LIKE_ONE = re.compile(r"\s*/\*[0-9a-f]{4,}\*/")
_SECOND_WORD = re.compile(r"\s*/\*\s*0x(?P<word>[0-9a-f]{16})\s*\*/\s*$")
_COMMA = re.compile(r",(?![^\[({]*[\])}])")
TEXT = ".text."


@dataclass
class _Section:
    """A section of code while it is read. ``waiting`` are the labels after the last instruction: they get the
    address of the next instruction, or else of the end of the code.
    """

    name: str
    instructions: list[SassInstruction] = field(default_factory=list[SassInstruction])
    labels: dict[str, int] = field(default_factory=dict[str, int])
    waiting: list[str] = field(default_factory=list[str])

    def add(self, instruction: SassInstruction) -> None:
        self.labels.update(dict.fromkeys(self.waiting, instruction.address))
        self.waiting.clear()
        self.instructions.append(instruction)

    def encode(self, word: int) -> None:
        """Add the control bits of `word`, the second encoding word, to the last instruction, unless it has
        some already.
        """
        if self.instructions and self.instructions[-1].control is None:
            self.instructions[-1] = replace(self.instructions[-1], control=Control.of(word))

    def code(self) -> SassCode:
        end = self.instructions[-1].address + 16 if self.instructions else 0
        return SassCode(self.name, tuple(self.instructions), self.labels | dict.fromkeys(self.waiting, end))


def parse(text: str) -> Listing:
    """Return the model of the output of `nvdisasm -c -hex`. Lines outside of `.text.` sections are ignored.
    The numbers of lines that look like instructions but cannot be read are in ``unread`` of the result.
    """
    sections: list[_Section] = []
    current: _Section | None = None
    unread: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if (match := _SECTION.match(line)) is not None:
            name = match["name"]
            current = _Section(name.removeprefix(TEXT)) if name.startswith(TEXT) else None
            sections += [current] if current else []
        elif current is not None and not _line(line, current):
            unread.append(number)
    return Listing(tuple(section.code() for section in sections), tuple(unread))


def _line(line: str, section: _Section) -> bool:
    """Read one line of a section. Return False for a line that looks like an instruction but is not
    understood; other unknown lines are ignored.
    """
    if (match := _INSTRUCTION.match(line)) is not None:
        section.add(_instruction(match))
    elif (match := _SECOND_WORD.match(line)) is not None:
        section.encode(int(match["word"], 16))
    elif (match := _LABEL.match(line)) is not None:
        section.waiting.append(match["name"])
    else:
        return _LOOKS_LIKE_ONE.match(line) is None
    return True


def _instruction(match: re.Match[str]) -> SassInstruction:
    opcode, *modifiers = match["spelling"].split(".")
    operands = [operand.strip() for operand in _COMMA.split(match["operands"])]
    guard = "" if match["guard"] in (None, "PT", "UPT") else match["guard"]
    return SassInstruction(
        int(match["address"], 16), opcode, tuple(modifiers), tuple(filter(None, operands)), guard
    )
