"""Holds the table of PTX instructions against the vendor's assembler, form by form and choice by choice.

    python -m tools.ptx_forms [--name cvt]... [--jobs 2]

Each form is written with each choice of each of its modifiers, in a module of the least version and for the least
target that the table says.  What our reader takes there `ptxas` has to take, too: what it refuses is printed, with its
message, and with the least version and target at which it takes the module.  The exit status is 1 if anything is, apart
from the instructions of `tests/ptx/data/differing_forms.txt`.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.matching import assign
from tilewright.ptx.model import Address, IntegerConstant, Name, Operand, Pair, PtxInstruction, Vector
from tilewright.ptx.printer import print_instruction
from tilewright.ptx.table.choices import EXACT_SIZES
from tilewright.ptx.table.instructions import FORMS
from tilewright.ptx.table.notation import InstructionForm, OperandForm
from tilewright.ptx.table.targets import FEATURES
from tilewright.ptx.value_types import TYPES, ScalarType, ValueKind
from tilewright.targets.nvptx.tools import programs

CHIPS = {75: "6.3", 80: "7.0", 90: "7.8", 100: "8.6"}
"""The targets that the assembler knows and forms begin with, and the version of PTX that knows each first."""
VERSIONS = [
    "7.0",
    "7.1",
    "7.2",
    "7.3",
    "7.4",
    "7.5",
    "7.6",
    "7.7",
    "7.8",
    "8.0",
    "8.1",
    "8.2",
    "8.3",
    "8.4",
    "8.5",
    "8.6",
    "8.7",
    "8.8",
    "9.0",
    "9.1",
    "9.2",
    "9.3",
]
SUFFIXED = ("sm_90a", "sm_100a", "sm_120a")
LATER = (
    *((version, "sm_75") for version in ("6.5", "7.0", "7.4", "7.8", "8.2", "8.3", "8.4")),
    *((version, "sm_80") for version in ("7.0", "7.1", "7.4", "8.0", "8.1", "8.5")),
    *(("7.2", "sm_86"), ("8.4", "sm_89")),
    *((version, "sm_90") for version in ("7.8", "8.0", "8.1", "8.2", "8.4", "8.6")),
    *(("8.6", "sm_100"), ("8.8", "sm_100")),
)
"""Versions and targets above those of a form, the least first for each target."""
KNOWN = Path(__file__).parent.parent / "tests" / "ptx" / "data" / "differing_forms.txt"
"""Instructions of which it is known that our reader takes them where the assembler does not."""
COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 3, 5, 6)
"""Numbers of registers that are tried where a form leaves them to rules."""
OTHERWISE = {"tile": ".shared .align 16 .b8 tile[1024];", "own": ".local .align 16 .b8 own[64];"}
SPACES = {"shared": "tile", "local": "own", "const": "fixed", "param": "given"}
NARROW = ("tcgen05.ld", "tcgen05.st", "tcgen05.mma", "tcgen05.cp", "tcgen05.shift")
"""Instructions whose addresses have 32 bits."""
PAIRED = ("lop3", "elect.sync")
"""Instructions that are written with a predicate beside their destination."""
KINDS = {ValueKind.PREDICATE: "pred", ValueKind.FLOAT: "f", ValueKind.UNSIGNED: "u", ValueKind.SIGNED: "s"}


@dataclass(frozen=True)
class Variant:
    """A form with chosen modifiers, as the text of an instruction and the least version and target of the table."""

    form: InstructionForm
    line: str
    version: str
    target: str

    def module(self, version: str, target: str) -> str:
        """A module with the instruction in a kernel."""
        return (
            f".version {version}\n.target {target}\n.address_size 64\n.const .align 16 .b8 fixed[64];\n"
            f".visible .entry k(.param .align 16 .b8 given[64])\n{{\n{registers(self.line)}\n{self.line}\nret;\n}}\n"
        )


def registers(line: str) -> str:
    """The declarations of the registers ``%<type>_<number>`` that a line has, and of variables in each space."""
    kinds = sorted(set(re.findall(r"%([a-z]+\d*)_\d", line)))
    return "\n".join([*(f".reg .{kind} %{kind}_<130>;" for kind in kinds), *OTHERWISE.values()])


def register(row: ScalarType) -> str:
    """The type of the register that holds a value."""
    bits = max(row.bits, 16)
    letter = KINDS.get(row.kind, "b")
    return "pred" if letter == "pred" else f"{'b' if letter == 'f' and bits == 16 else letter}{bits}"


def variants(form: InstructionForm) -> Iterator[Variant]:
    """Yield the form with each choice that our reader takes, where the other modifiers are the first that go with it."""
    seen: set[tuple[str, str]] = set()
    for slot in form.slots:
        for choice in slot.choices:
            if (slot.name, choice) not in seen:
                found = first_taken(form, {slot.name: choice})
                if found is not None:
                    seen.update(found[0].items())
                    yield found[1]
    if not form.slots and (found := first_taken(form, {})) is not None:
        yield found[1]


def first_taken(form: InstructionForm, fixed: Mapping[str, str]) -> tuple[dict[str, str], Variant] | None:
    """Return the first choice of the other modifiers, and the instruction, that our reader takes."""
    needed = [slot for slot in form.slots if not slot.optional and slot.name not in fixed]
    several = [slot.choices[:6] for slot in needed]
    for choices in itertools.islice(itertools.product(*several), 60):
        given = dict(zip((slot.name for slot in needed), choices, strict=True)) | dict(fixed)
        chosen = {slot.name: given[slot.name] for slot in form.slots if slot.name in given}
        for count in COUNTS if any(one.count == "any" for one in form.operands) else (1,):
            found = variant(form, chosen, count)
            if found is not None:
                return chosen, found
    return None


def variant(form: InstructionForm, chosen: dict[str, str], count: int) -> Variant | None:
    """Return the instruction if our reader takes it at the least version and for the least target of the table."""
    operands = [
        operand(place, chosen, count, form.name)
        for place in form.operands
        if not place.optional or asks_for(chosen, place)
    ]
    assigned = (
        None if None in operands else assign(form, chosen, [one for one in operands if one is not None])
    )
    if assigned is None:
        return None
    line = print_instruction(PtxInstruction(form, tuple(chosen.items()), assigned))
    first_chip = max([chip for chip in CHIPS if chip <= max(form.sm, 75)])
    target = f"sm_{first_chip}"
    if form.only:
        target = next(iter(chip for chip in SUFFIXED if chip in FEATURES[form.only]), target)
    first = {"sm_90a": "8.0", "sm_100a": "8.6", "sm_120a": "8.7"}.get(target, CHIPS[first_chip])
    version = max(f"{form.ptx[0]}.{form.ptx[1]}", first, key=numbers)
    least = Variant(form, line, version, target)
    if is_read(least):
        return least
    others = [*later(least)]
    if not others or not is_read(others[-1]):
        return None  # what the last version refuses for the last target, none takes
    return next(filter(is_read, others))


def later(one: Variant) -> Iterator[Variant]:
    """Yield a variant with versions and targets above those of its form, which one of its choices may need."""
    for version, target in LATER:
        wanted = one.target if one.form.only else max(one.target, target, key=chip)
        if numbers(version) >= numbers(one.version):
            yield Variant(one.form, one.line, version, wanted)


def chip(target: str) -> int:
    """Return the number of a target."""
    return int(target.removeprefix("sm_").rstrip("af"))


def is_read(one: Variant) -> bool:
    """Whether our reader takes a variant."""
    try:
        read(one.module(one.version, one.target))
    except DiagnosticError:
        return False
    return True


def asks_for(chosen: Mapping[str, str], place: OperandForm) -> bool:
    """Whether modifiers ask for an operand that may be left out elsewhere."""
    return {"policy": "hint", "mask": "multicast"}.get(place.name, "") in chosen


def address(place: OperandForm, chosen: Mapping[str, str], name: str) -> Address:
    """Return an address in the space that modifiers name for a place, or else in a register."""
    if name.startswith(NARROW) and place.name != "bar":
        return Address(Name("%b32_0"))
    slot = {"d": "to", "s": "source", "bar": "shared"}.get(place.name, "")
    words = [chosen[slot]] if slot in chosen else [chosen.get("global", "")] if place.name == "s" else []
    words = words or (["shared"] if place.name == "bar" else list(chosen.values()))
    space = next((word for word in words if word.partition("::")[0] in SPACES), "").partition("::")[0]
    return Address(Name(SPACES.get(space, "%u64_0")))


def operand(place: OperandForm, chosen: Mapping[str, str], count: int, name: str) -> Operand | None:
    """Return an operand for a place; None if it is one of those that name something."""
    if place.sort == "constant":
        return IntegerConstant(EXACT_SIZES.get(name, 16) if place.name == "size" else 0)
    if place.sort == "address":
        return address(place, chosen, name)
    if place.sort == "tensor":
        dimensions = int(chosen.get("dim", "1d")[0])
        return Address(Name("%u64_0"), 0, tuple(Name(f"%s32_{at}") for at in range(dimensions)))
    if place.sort == "name":
        return None
    row = TYPES[chosen.get(place.type, place.type or "b32")]
    names = tuple(Name(f"%{register(row)}_{at}") for at in range(130))
    if not place.count:
        return Pair(names[0], Name("%pred_0")) if place.second and name in PAIRED else names[0]
    width = chosen.get(place.count, place.count).strip("v")  # of the modifier ``vec``, or a number
    length = int(width) if width.isdigit() else 2 if place.count == "pieces" else count
    return Vector(names[:length])


def numbers(version: str) -> tuple[int, ...]:
    """Return the parts of a version."""
    return tuple(map(int, version.split(".")))


@dataclass(frozen=True)
class Assembler:
    """The vendor's assembler, in a folder for its files."""

    path: Path
    folder: Path

    def refusal(self, one: Variant, version: str, target: str) -> str:
        """Return the first message about a variant, empty if there is none."""
        with tempfile.NamedTemporaryFile("w", suffix=".ptx", dir=self.folder) as text:
            text.write(one.module(version, target))
            text.flush()
            command = [self.path, f"-arch={target}", "-O0", "-o", f"{text.name}.cubin", text.name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return ""
        told = re.findall(r"(?:error|fatal) *: (.*)", done.stdout + done.stderr)
        return told[0] if told else f"ended with {done.returncode}"

    def judged(self, one: Variant) -> str:
        """Return what is wrong with a variant, empty if nothing is."""
        message = self.refusal(one, one.version, one.target)
        if not message:
            return ""
        later = [version for version in VERSIONS if numbers(version) >= numbers(one.version)]
        targets = [f"sm_{chip}" for chip in CHIPS if f"sm_{chip}" >= one.target or chip == 100]
        for target in dict.fromkeys([one.target, *targets, *SUFFIXED]):
            if not self.refusal(one, later[-1], target):
                first = next(version for version in later if not self.refusal(one, version, target))
                return f"{one.line}  at {one.version} {one.target}: {message} | taken at {first} {target}"
        return f"{one.line}  at {one.version} {one.target}: {message}"


@click.command()
@click.option(
    "--name", "names", multiple=True, help="Instructions, by their names or the beginnings of them."
)
@click.option("--jobs", default=2, show_default=True, help="Assemblers at a time.")
def main(names: Sequence[str], jobs: int) -> None:
    """Print the choices of forms that ptxas refuses at the version and target that the table says."""
    found = programs("ptxas")
    if not found:
        raise click.ClickException("there is no ptxas")
    forms = [form for form in FORMS if not names or form.name.startswith(tuple(names))]
    known = KNOWN.read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        assembler = Assembler(Path(found[0].path), Path(folder))
        every = [one for form in forms for one in variants(form)]
        told = [line for line in pool.map(assembler.judged, every) if line]
    new = [line for line in told if line.partition("  at ")[0] not in known]
    figures = (
        f"{len(every)} instructions of {len(forms)} forms, {len(told)} refused, {len(new)} of them unknown"
    )
    click.echo("\n".join([*new, figures]))
    sys.exit(bool(new))


if __name__ == "__main__":
    main()
