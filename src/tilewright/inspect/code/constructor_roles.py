"""The purpose of a static constructor, from the instructions of its body and the addresses in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tilewright.abi.hash_tables import FMIX_FIRST, FMIX_SECOND, HASH_MULTIPLIER, HASH_SEED
from tilewright.inspect.arrays import ADDRESS_LIMIT
from tilewright.inspect.binary.image import ProgramImage
from tilewright.inspect.code.instructions import MachineInstruction, function_body
from tilewright.inspect.code.scan import CodeScan
from tilewright.inspect.findings import LIKELY, STRONG, WEAK, Evidence
from tilewright.inspect.names.type_names import Text, type_name
from tilewright.inspect.tables.passes import OPTION_NAME

BODY_LIMIT = 2048
HASH_CONSTANTS = frozenset({FMIX_FIRST, FMIX_SECOND, HASH_MULTIPLIER, HASH_SEED})
ALLOCATED_STREAMS = (1, 2)
"""File descriptors of standard output and standard error."""


@dataclass(frozen=True)
class ConstructorRole:
    """The purpose of a static constructor. ``name`` is ``dialect``, ``pass``, ``type id``, ``option``,
    ``fingerprint``, ``stream``, ``dispatch table`` or ``singleton``; ``subject`` is the name of the dialect,
    pass, class or option that it registers, and empty for the others. ``evidence`` are the observations that
    show the role, ``confidence`` a number from 0 to 1.
    """

    name: str
    subject: str
    evidence: tuple[Evidence, ...]
    confidence: float


@dataclass(frozen=True)
class StringUse:
    """A text that the body refers to, its address, and in ``site`` the address of the instruction that refers
    to it.
    """

    text: str
    address: int
    site: int


class ConstructorFacts:
    """The strings, calls and data addresses in `body`, the decoded instructions of a static constructor in
    `image`; `scan` resolves stubs.
    """

    def __init__(self, image: ProgramImage, scan: CodeScan, body: list[MachineInstruction]) -> None:
        self.image = image
        self.scan = scan
        self.body = body

    @cached_property
    def mentioned(self) -> list[tuple[int, int]]:
        """Return the data addresses that instructions compute or load, as (address of the instruction, data
        address).
        """
        found: list[tuple[int, int]] = []
        for instruction in self.body:
            address = instruction.memory if instruction.mnemonic == "lea" else self._fixed(instruction)
            if address is not None:
                found.append((instruction.address, address))
        return found

    def _fixed(self, instruction: MachineInstruction) -> int | None:
        """Return the 64-bit word in memory that a `mov` loads from an address relative to the instruction, or
        the immediate operand of a `mov` if it is an address above 0xFFFF in a region of the program. Return
        None for other instructions and operands, and for a word whose bytes are not known.

        Immediates occur in programs that are linked to a fixed address.
        """
        if not instruction.mnemonic.startswith("mov"):
            return None
        held = instruction.memory
        if held is not None and instruction.operands.find("[") > 0:
            return self.image.word(held)
        number = instruction.immediate
        return number if number is not None and number > 0xFFFF and self.image.region_at(number) else None

    @cached_property
    def strings(self) -> list[StringUse]:
        """The NUL-terminated texts of printable ASCII, in data, that the body refers to."""
        found: list[StringUse] = []
        for site, address in self.mentioned:
            region = self.image.region_at(address)
            if region is None or region.executable:
                continue
            data = self.image.c_string(address)
            if data and all(0x20 <= byte < 0x7F for byte in data):
                found.append(StringUse(data.decode("ascii"), address, site))
        return found

    @cached_property
    def calls(self) -> list[tuple[int, int]]:
        """The direct calls and unconditional jumps, as (site, callee), with stubs resolved."""
        return [
            (instruction.address, self.resolve(instruction.target))
            for instruction in self.body
            if instruction.target is not None and instruction.mnemonic in ("call", "jmp")
        ]

    def resolve(self, target: int) -> int:
        """Return the function that the stub at `target` jumps to; a target that is no stub is returned
        unchanged.

        A jump decoded from bytes that are not code may lead below address 0, which wraps around.
        """
        import numpy as np

        if not 0 <= target < ADDRESS_LIMIT:
            return target
        return int(self.scan.resolve(np.array([target], np.int64))[0])

    @cached_property
    def guard(self) -> tuple[int, int] | None:
        """A byte of static storage that an instruction tests, if the body also computes or loads the address
        of the byte, as for a call: (site of the test, address). None if there is none.
        """
        tested: dict[int, int] = {}
        for instruction in self.body:
            address = instruction.memory
            if address is not None and "byte ptr" in instruction.operands and instruction.mnemonic != "lea":
                tested.setdefault(address, instruction.address)
        handed = {address for _, address in self.mentioned}
        return next(((site, address) for address, site in tested.items() if address in handed), None)


class RoleReader:
    """Classifies the constructors of `image` by their role; `scan` resolves stubs.

    ``dialect_functions`` are the addresses of functions that take dialect names; ``pass_tables`` maps
    addresses of tables of code pointers to names of passes, and the keys of ``tables`` are the addresses of
    all tables of code pointers.
    """

    def __init__(
        self,
        image: ProgramImage,
        scan: CodeScan,
        dialect_functions: frozenset[int],
        pass_tables: Mapping[int, str],
        tables: Mapping[int, int],
    ) -> None:
        self.image = image
        self.scan = scan
        self.dialect_functions = dialect_functions
        self.pass_tables = pass_tables
        self.tables = tables

    def read(self, entry: int) -> ConstructorRole | None:
        """Return the role of the constructor at the address `entry`. Return None if its code shows no role,
        is not in the image, or is not x86-64 code.
        """
        if self.image.machine != "x86-64" or not self.image.read(entry, 1):
            return None
        facts = ConstructorFacts(self.image, self.scan, function_body(self.image, entry, BODY_LIMIT))
        rules: tuple[Callable[[ConstructorFacts], ConstructorRole | None], ...] = (
            self._dialect,
            self._pass,
            self._type_id,
            self._option,
            self._fingerprint,
            self._stream,
            self._dispatch,
            self._singleton,
        )
        return next((role for rule in rules if (role := rule(facts)) is not None), None)

    def _dialect(self, facts: ConstructorFacts) -> ConstructorRole | None:
        for site, callee in facts.calls:
            if callee in self.dialect_functions:
                name = next((use for use in reversed(facts.strings) if use.site < site), None)
                if name is not None:
                    evidence = (
                        Evidence(f"hands '{name.text}' to {callee:#x}, which takes dialects", site),
                        Evidence(f"the name '{name.text}'", name.address),
                    )
                    return ConstructorRole("dialect", name.text, evidence, STRONG)
        return None

    def _pass(self, facts: ConstructorFacts) -> ConstructorRole | None:
        for site, address in facts.mentioned:
            if address in self.pass_tables:
                subject = self.pass_tables[address]
                text = f"mentions {address:#x}, the table of the pass '{subject}'"
                return ConstructorRole("pass", subject, (Evidence(text, site),), STRONG)
        return None

    def _type_id(self, facts: ConstructorFacts) -> ConstructorRole | None:
        if facts.guard is None:
            return None
        for use in facts.strings:
            name = type_name(Text(use.address, use.text)) if use.text.endswith("]") else None
            if name is not None:
                site, address = facts.guard
                evidence = (
                    Evidence(f"tests the guard byte at {address:#x} and hands its address on", site),
                    Evidence(f"mentions the type name '{name.name}]'", use.address),
                )
                return ConstructorRole("type id", name.name, evidence, STRONG)
        return None

    def _option(self, facts: ConstructorFacts) -> ConstructorRole | None:
        names = [use for use in facts.strings if OPTION_NAME.fullmatch(use.text) and len(use.text) > 1]
        words = [use for use in facts.strings if " " in use.text.strip()]
        if not names or not words or not facts.calls:
            return None
        evidence = (
            Evidence(f"mentions the option name '{names[0].text}'", names[0].address),
            Evidence(f"mentions the description '{words[0].text}'", words[0].address),
        )
        return ConstructorRole("option", names[0].text, evidence, LIKELY)

    def _fingerprint(self, facts: ConstructorFacts) -> ConstructorRole | None:
        for instruction in facts.body:
            number = instruction.immediate
            if number is not None and number & (1 << 64) - 1 in HASH_CONSTANTS:
                text = f"computes with the hash constant {number & (1 << 64) - 1:#x}"
                return ConstructorRole("fingerprint", "", (Evidence(text, instruction.address),), STRONG)
        return None

    def _stream(self, facts: ConstructorFacts) -> ConstructorRole | None:
        """Return the role of a constructor that makes an object of static storage from a file descriptor, by
        a call ``f(object, 1 or 2, flag, ...)``; None for any other constructor.
        """
        for position, instruction in enumerate(facts.body):
            if instruction.mnemonic != "call":
                continue
            before = facts.body[max(position - 8, 0) : position]
            numbers = {i.destination: i.immediate for i in before if i.mnemonic == "mov"}
            numbers |= {i.destination: 0 for i in before if i.mnemonic == "xor"}
            handed = [i for i in before if i.destination in ("rdi", "edi") and self._writable(facts, i)]
            if handed and numbers.get("esi") in ALLOCATED_STREAMS and numbers.get("edx") in (0, 1):
                text = f"makes an object from file descriptor {numbers['esi']}"
                return ConstructorRole("stream", "", (Evidence(text, instruction.address),), WEAK)
        return None

    def _writable(self, facts: ConstructorFacts, instruction: MachineInstruction) -> bool:
        address = dict(facts.mentioned).get(instruction.address)
        region = None if address is None else self.image.region_at(address)
        return region is not None and region.writable

    def _dispatch(self, facts: ConstructorFacts) -> ConstructorRole | None:
        found = [(site, address) for site, address in facts.mentioned if self._table(address)]
        if not found:
            return None
        stores = [
            i
            for i in facts.body
            if i.mnemonic.startswith("mov") and i.memory and i.operands.find("[") < i.operands.find(",")
        ]
        if not stores:
            return None
        evidence = tuple(
            Evidence(f"mentions the table of code pointers at {address:#x}", site)
            for site, address in found[:3]
        )
        store = Evidence(f"stores to {stores[0].memory:#x}", stores[0].address)
        return ConstructorRole("dispatch table", "", (*evidence, store), LIKELY)

    def _table(self, address: int) -> bool:
        """Return whether an address is slot 0 of a table, or its first prefix word."""
        return address in self.tables or address + 16 in self.tables

    def _singleton(self, facts: ConstructorFacts) -> ConstructorRole | None:
        if facts.guard is None:
            return None
        site, address = facts.guard
        text = f"tests the guard byte at {address:#x} and hands its address on"
        return ConstructorRole("singleton", "", (Evidence(text, site),), LIKELY)
