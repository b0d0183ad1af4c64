"""The runtime: machine code in this process, its arguments, its threads, and the cache of it on disk."""
