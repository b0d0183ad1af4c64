"""The driver: targets, start-up, loading and launching."""
