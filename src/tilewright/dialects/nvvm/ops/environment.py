"""The registers in which the driver describes the environment."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.constraints import LLVM_TYPE
from tilewright.ir.declaration.fields import result_def
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class EnvironmentRegisterOp(StandardOp):
    """A read-only register that the driver sets before the launch."""

    res: Value = result_def(LLVM_TYPE, "The result.")
    assembly_format = "attr-dict `:` type($res)"
    traits = (Pure(),)


class EnvReg0Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg0"):
    """Environment register 0."""


class EnvReg1Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg1"):
    """Environment register 1."""


class EnvReg2Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg2"):
    """Environment register 2."""


class EnvReg3Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg3"):
    """Environment register 3."""


class EnvReg4Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg4"):
    """Environment register 4."""


class EnvReg5Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg5"):
    """Environment register 5."""


class EnvReg6Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg6"):
    """Environment register 6."""


class EnvReg7Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg7"):
    """Environment register 7."""


class EnvReg8Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg8"):
    """Environment register 8."""


class EnvReg9Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg9"):
    """Environment register 9."""


class EnvReg10Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg10"):
    """Environment register 10."""


class EnvReg11Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg11"):
    """Environment register 11."""


class EnvReg12Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg12"):
    """Environment register 12."""


class EnvReg13Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg13"):
    """Environment register 13."""


class EnvReg14Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg14"):
    """Environment register 14."""


class EnvReg15Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg15"):
    """Environment register 15."""


class EnvReg16Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg16"):
    """Environment register 16."""


class EnvReg17Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg17"):
    """Environment register 17."""


class EnvReg18Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg18"):
    """Environment register 18."""


class EnvReg19Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg19"):
    """Environment register 19."""


class EnvReg20Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg20"):
    """Environment register 20."""


class EnvReg21Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg21"):
    """Environment register 21."""


class EnvReg22Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg22"):
    """Environment register 22."""


class EnvReg23Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg23"):
    """Environment register 23."""


class EnvReg24Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg24"):
    """Environment register 24."""


class EnvReg25Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg25"):
    """Environment register 25."""


class EnvReg26Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg26"):
    """Environment register 26."""


class EnvReg27Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg27"):
    """Environment register 27."""


class EnvReg28Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg28"):
    """Environment register 28."""


class EnvReg29Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg29"):
    """Environment register 29."""


class EnvReg30Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg30"):
    """Environment register 30."""


class EnvReg31Op(EnvironmentRegisterOp, name="nvvm.read.ptx.sreg.envreg31"):
    """Environment register 31."""


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
