"""What does not fit: tiles beyond the registers of threads, factors of products beyond shared memory."""
