"""The unit of a multiprocessor that an instruction occupies, by its opcode.

The opcodes are from NVIDIA's public lists of instruction sets (CUDA Binary Utilities).  An opcode that no row has
counts as `Unit.OTHER`, so a new architecture gives a coarser table, never a wrong one.
"""

from __future__ import annotations

from enum import StrEnum


class Unit(StrEnum):
    """The units of a multiprocessor that instructions occupy, in the order in which tables show them."""

    MATRIX = "matrix"
    FLOAT = "float"
    HALF = "half"
    DOUBLE = "double"
    INTEGER = "integer"
    SPECIAL = "special functions"
    CONVERT = "conversion"
    MOVE = "moves and selects"
    UNIFORM = "uniform"
    WARP = "warp exchange"
    GLOBAL = "global memory"
    SHARED = "shared memory"
    LOCAL = "local memory"
    CONSTANT = "constant memory"
    TENSOR_MEMORY = "tensor memory"
    COPY = "asynchronous copies"
    SYNCHRONIZE = "synchronization"
    CONTROL = "control flow"
    OTHER = "other"


_OPCODES: dict[Unit, str] = {
    Unit.MATRIX: "HMMA IMMA QMMA DMMA BMMA OMMA FMMA HGMMA IGMMA QGMMA BGMMA "
    "UTCHMMA UTCQMMA UTCIMMA UTCOMMA UTCMXQMMA",
    Unit.FLOAT: "FADD FADD2 FADD32I FMUL FMUL2 FMUL32I FFMA FFMA2 FFMA32I FMNMX FMNMX3 FSEL FSET FSETP FSWZADD FCHK FHADD "
    "FHFMA",
    Unit.HALF: "HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HMNMX2 HSET2 HSETP2",
    Unit.DOUBLE: "DADD DMUL DFMA DSETP DMNMX",
    Unit.INTEGER: "IADD IADD2 IADD3 IADD32I IADD64 VIADD VIADDMNMX IMAD IMUL IMUL32I IMNMX VIMNMX VIMNMX3 VHMNMX ISETP ISET ICMP "
    "ISCADD LEA LOP LOP3 LOP32I SHF SHL SHR BMSK BREV FLO POPC SGXT IABS IDP IDP4A BFE BFI XMAD",
    Unit.SPECIAL: "MUFU",
    Unit.CONVERT: "F2F F2I F2IP F2FP I2F I2FP I2I I2IP FRND",
    Unit.MOVE: "MOV MOV32I MOVM SEL PRMT P2R R2P PLOP3 PSETP CS2R S2R R2UR UR2R",
    Unit.WARP: "SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT",
    Unit.GLOBAL: "LDG STG ATOMG ATOM RED REDG LD ST MATCHG",
    Unit.SHARED: "LDS STS LDSM STSM ATOMS LDS_LDU STAS REDAS",
    Unit.LOCAL: "LDL STL",
    Unit.CONSTANT: "LDC ULDC LDCU",
    Unit.TENSOR_MEMORY: "LDTM STTM LDT LDTT UTCCP UTCSHIFT UTCATOMSWS",
    Unit.COPY: "LDGSTS UBLKCP UBLKRED UBLKPF UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL UTMALST",
    Unit.SYNCHRONIZE: "BAR B2R R2B SYNCS SYNCSU DEPBAR LDGDEPBAR MEMBAR FENCE ERRBAR CCTL CCTLL CCTLT WARPSYNC WARPGROUP "
    "WARPGROUPSET ARRIVES ACQBULK ACQSHMINIT UCGABAR_ARV UCGABAR_WAIT CGAERRBAR UTCBAR UTMACMDFLUSH NANOSLEEP USETMAXREG "
    "ENDCOLLECTIVE",
    Unit.CONTROL: "BRA BRX BRXU JMP JMX JMXU CALL RET EXIT BSSY BSYNC BREAK BMOV KILL NOP YIELD PREEXIT RPCMOV RTT BPT LEPC "
    "WARPEXIT DEPEXIT PMTRIG",
}
"""The opcodes of each unit."""

_UNITS = {opcode: unit for unit, opcodes in _OPCODES.items() for opcode in opcodes.split()}


def unit_of(opcode: str) -> Unit:
    """Return the unit of an opcode, without modifiers. Opcodes that no row of the table has are `OTHER`,
    except that `S2UR` and opcodes that begin with U are `UNIFORM`.
    """
    known = _UNITS.get(opcode)
    if known is not None:
        return known
    return Unit.UNIFORM if opcode.startswith("U") or opcode == "S2UR" else Unit.OTHER
