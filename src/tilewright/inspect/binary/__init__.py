"""Memory as a program sees it, read from ELF files, core dumps and raw bytes."""
