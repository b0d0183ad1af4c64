"""The ``func`` dialect: functions and calls."""
