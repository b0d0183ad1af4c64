"""The flag that enables preview features, for commands that print as ``tileirdisasm`` does."""

from __future__ import annotations

from tilewright.bytecode.preview import FEATURES
from tilewright.cli.errors import UsageError
from tilewright.cli.flags import Flag, ParsedFlags

FLAG = Flag(
    "preview",
    f"Read bytecode with preview features: {', '.join(FEATURES)}.",
    "FEATURE[,FEATURE]",
    repeated=True,
)


def check_features(flags: ParsedFlags) -> None:
    """Raise `UsageError` if the command line enables a preview feature that does not exist."""
    for feature in flags.texts(FLAG.name):
        if feature not in FEATURES:
            raise UsageError(f"unknown preview feature '{feature}'", f"known features: {', '.join(FEATURES)}")
