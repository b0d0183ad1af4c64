"""The options that several commands which run programs have."""

from __future__ import annotations

import click

from tilewright.cli import completion
from tilewright.cli.findings import FORMS, TEXT
from tilewright.driver.options import TARGET

target_option = click.option(
    TARGET.flag,
    default=TARGET.default,
    help=TARGET.page,
    shell_complete=completion.one_of(completion.targets),
)
gpu_option = click.option(
    "--gpu",
    default="",
    help="The GPU that a Python program sees, such as sm_90.",
    shell_complete=completion.one_of(completion.gpus),
)
output_format_option = click.option(
    "--output-format",
    type=click.Choice(FORMS),
    default=TEXT,
    help="Of findings: text (to stderr), json, sarif, or github (annotations in GitHub workflows).",
)
