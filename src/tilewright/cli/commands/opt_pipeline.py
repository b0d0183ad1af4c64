"""The passes of `tilewright opt`: the pipeline that flags ask for, and its instrumentation.

A command line without passes does not import this module, nor the machinery of passes.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from tilewright.cli import errors, flags as cli_flags
from tilewright.driver.options import VERIFY_EACH
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.passes import ir_printing, pass_, pipeline as passes_pipeline, timing
from tilewright.passes.manager import PassManager

if TYPE_CHECKING:
    from tilewright.driver.registry import Registry


class OptPipeline:
    """The passes of one run of `tilewright opt`: the pipeline and the instrumentation that its flags request.
    Reports are printed to ``stderr``; ``text_options`` are the options for printing IR.
    """

    def __init__(
        self, flags: cli_flags.ParsedFlags, registry: Registry, text_options: PrintOptions, stderr: IO[str]
    ) -> None:
        self.flags = flags
        self.registry = registry
        self.text_options = text_options
        self.stderr = stderr

    def run(self, module: Operation, context: Context, text: str) -> PrintOptions:
        """Run the passes over `module`, whose text is `text` (empty for bytecode), and print the reports of
        the instrumentation. Return the options for printing the result: if passes were not verified, the
        generic form for a module that its own syntax cannot show.
        """
        manager = self._manager(context, module.name, text)
        reports = self._instrument(manager)
        try:
            manager.run(module)
        finally:
            for report in reports:
                print(report.report(), file=self.stderr)
        return self.text_options if manager.verify_each else ir_printing.printable(module, self.text_options)

    def _manager(self, context: Context, anchor: str, text: str) -> PassManager:
        flags = self.flags
        pipeline = flags.text("pass-pipeline")
        if flags.has("run-reproducer"):
            pipeline = ir_printing.read_configuration(text) or pipeline
        if pipeline and flags.passes:
            raise errors.UsageError("'--pass-pipeline' can't be used with individual pass options")
        if pipeline:
            manager = passes_pipeline.parse_pipeline(pipeline, context, self.registry.passes, anchor=anchor)
        else:
            manager = PassManager(context, anchor)
            for name, options in flags.passes:
                manager.add(passes_pipeline.make_pass(name, _option_texts(options), self.registry.passes))
        manager.verify_each = flags.text(VERIFY_EACH.name, VERIFY_EACH.shown_default) not in ("false", "0")
        if flags.has("dump-pass-pipeline"):
            count = sum(1 for _ in manager.passes())
            print(f"Pass Manager with {count} passes:\n{_indented(manager)}", file=self.stderr)
        return manager

    def _instrument(self, manager: PassManager) -> list[timing.Timing | timing.Statistics]:
        flags = self.flags
        clients: list[pass_.Instrumentation] = []
        if any(name.startswith("mlir-print-ir-") for name in flags.values):
            clients.append(ir_printing.IRPrinting(self._printing(), self.stderr.write))
        path = flags.text("mlir-pass-pipeline-crash-reproducer")
        if path:
            local = flags.has("mlir-pass-pipeline-local-reproducer")
            clients.append(ir_printing.CrashReproducer(Path(path), str(manager), local=local))
        if flags.has("debug-rewrites"):
            clients.append(ir_printing.RewriteTracing(self.stderr))
        reports: list[timing.Timing | timing.Statistics] = []
        if flags.has("mlir-timing"):
            reports.append(timing.Timing(as_list=flags.text("mlir-timing-display", "tree") == "list"))
        if flags.has("mlir-pass-statistics"):
            reports.append(timing.Statistics())
        for client in (*clients, *reports):
            manager.instrument(client)
        return reports

    def _printing(self) -> ir_printing.PrintingOptions:
        flags = self.flags
        directory = flags.text("mlir-print-ir-tree-dir")
        return ir_printing.PrintingOptions(
            before=frozenset(flags.texts("mlir-print-ir-before")),
            after=frozenset(flags.texts("mlir-print-ir-after")),
            before_all=flags.has("mlir-print-ir-before-all"),
            after_all=flags.has("mlir-print-ir-after-all"),
            only_on_change=flags.has("mlir-print-ir-after-change"),
            only_on_failure=flags.has("mlir-print-ir-after-failure"),
            module_scope=flags.has("mlir-print-ir-module-scope"),
            tree_directory=Path(directory) if directory else None,
            text=self.text_options,
        )


def _indented(manager: PassManager, margin: str = "") -> str:
    """Return the text of a pipeline with one pass on each line, nested passes indented."""
    inner = margin + "  "
    items = [
        _indented(i, inner) if isinstance(i, PassManager) else inner + i.display_name for i in manager.items
    ]
    return f"{margin}{manager.anchor}(\n" + ",\n".join(items) + f"\n{margin})"


def _option_texts(options: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in options.strip('"{}').split())
    return {name: value or "true" for name, _, value in pairs}
