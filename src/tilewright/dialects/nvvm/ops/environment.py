"""The registers in which the driver describes the environment."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.constraints import LLVM_TYPE
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class EnvironmentRegisterOp(StandardOp):
    """The base of reads of a read-only register that the driver sets before the launch."""

    res: Value = fields.result_def(LLVM_TYPE, "The result.")
    assembly_format = "attr-dict `:` type($res)"
    traits = (ir_traits.Pure(),)


class EnvReg0Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg0"):
    """Reads the special register `%envreg0`."""


class EnvReg1Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg1"):
    """Reads the special register `%envreg1`."""


class EnvReg2Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg2"):
    """Reads the special register `%envreg2`."""


class EnvReg3Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg3"):
    """Reads the special register `%envreg3`."""


class EnvReg4Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg4"):
    """Reads the special register `%envreg4`."""


class EnvReg5Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg5"):
    """Reads the special register `%envreg5`."""


class EnvReg6Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg6"):
    """Reads the special register `%envreg6`."""


class EnvReg7Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg7"):
    """Reads the special register `%envreg7`."""


class EnvReg8Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg8"):
    """Reads the special register `%envreg8`."""


class EnvReg9Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg9"):
    """Reads the special register `%envreg9`."""


class EnvReg10Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg10"):
    """Reads the special register `%envreg10`."""


class EnvReg11Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg11"):
    """Reads the special register `%envreg11`."""


class EnvReg12Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg12"):
    """Reads the special register `%envreg12`."""


class EnvReg13Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg13"):
    """Reads the special register `%envreg13`."""


class EnvReg14Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg14"):
    """Reads the special register `%envreg14`."""


class EnvReg15Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg15"):
    """Reads the special register `%envreg15`."""


class EnvReg16Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg16"):
    """Reads the special register `%envreg16`."""


class EnvReg17Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg17"):
    """Reads the special register `%envreg17`."""


class EnvReg18Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg18"):
    """Reads the special register `%envreg18`."""


class EnvReg19Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg19"):
    """Reads the special register `%envreg19`."""


class EnvReg20Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg20"):
    """Reads the special register `%envreg20`."""


class EnvReg21Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg21"):
    """Reads the special register `%envreg21`."""


class EnvReg22Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg22"):
    """Reads the special register `%envreg22`."""


class EnvReg23Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg23"):
    """Reads the special register `%envreg23`."""


class EnvReg24Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg24"):
    """Reads the special register `%envreg24`."""


class EnvReg25Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg25"):
    """Reads the special register `%envreg25`."""


class EnvReg26Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg26"):
    """Reads the special register `%envreg26`."""


class EnvReg27Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg27"):
    """Reads the special register `%envreg27`."""


class EnvReg28Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg28"):
    """Reads the special register `%envreg28`."""


class EnvReg29Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg29"):
    """Reads the special register `%envreg29`."""


class EnvReg30Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg30"):
    """Reads the special register `%envreg30`."""


class EnvReg31Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg31"):
    """Reads the special register `%envreg31`."""


OPERATIONS: tuple[type[Operation], ...] = (
    EnvReg0Op,
    EnvReg1Op,
    EnvReg2Op,
    EnvReg3Op,
    EnvReg4Op,
    EnvReg5Op,
    EnvReg6Op,
    EnvReg7Op,
    EnvReg8Op,
    EnvReg9Op,
    EnvReg10Op,
    EnvReg11Op,
    EnvReg12Op,
    EnvReg13Op,
    EnvReg14Op,
    EnvReg15Op,
    EnvReg16Op,
    EnvReg17Op,
    EnvReg18Op,
    EnvReg19Op,
    EnvReg20Op,
    EnvReg21Op,
    EnvReg22Op,
    EnvReg23Op,
    EnvReg24Op,
    EnvReg25Op,
    EnvReg26Op,
    EnvReg27Op,
    EnvReg28Op,
    EnvReg29Op,
    EnvReg30Op,
    EnvReg31Op,
)
"""The operations of this module."""
