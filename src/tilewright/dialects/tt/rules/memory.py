"""Rules of accesses to memory."""

from __future__ import annotations

from tilewright.dialects.tt.attributes import CachePolicyAttr
from tilewright.dialects.tt.enums import CacheModifier
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.enum_attribute import spelling
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.support.record import Record


class AccessKind(Record, frozen=True):
    """A kind of access: its name in messages and the cache modifiers that it may have."""

    words: str
    modifiers: frozenset[CacheModifier]


LOAD = AccessKind(
    "loads",
    frozenset((CacheModifier.NONE, CacheModifier.CA, CacheModifier.CG, CacheModifier.CS, CacheModifier.CV)),
)
STORE = AccessKind(
    "stores",
    frozenset((CacheModifier.NONE, CacheModifier.WB, CacheModifier.CG, CacheModifier.CS, CacheModifier.WT)),
)


def check_cache_policy(policy: Attribute | None, access: AccessKind) -> None:
    """Raise `VerifyError` unless an access supports the cache policy."""
    if policy is None:
        return
    if not isinstance(policy, CachePolicyAttr):
        raise VerifyError(f"unsupported cache policy attribute {policy}")
    if policy.cache_modifier not in access.modifiers:
        raise VerifyError(
            f"invalid cache policy: cache modifier '{spelling(policy.cache_modifier)}' "
            f"is not supported for {access.words}"
        )
