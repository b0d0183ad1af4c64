"""What code may ask of operations that it does not know: interfaces and capabilities."""
