"""The substrate: types, attributes, operations, regions, verifier, text, diagnostics."""
