"""Pipelines of loops: copies from global to shared memory that run while earlier iterations compute."""
