"""Memory as tile blocks see it: addresses, what lies there, and who may touch it."""
