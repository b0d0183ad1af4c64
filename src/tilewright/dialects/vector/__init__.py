"""The ``vector`` dialect: values of several dimensions in registers."""
