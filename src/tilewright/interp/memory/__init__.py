"""Memory as tile blocks see it: addresses, allocations, and permissions."""
