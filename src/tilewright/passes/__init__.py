"""Passes and the pass manager: pipelines, options, analyses, instrumentation."""
