"""From a module to bytes."""
