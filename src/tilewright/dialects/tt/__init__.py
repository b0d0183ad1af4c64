"""The ``tt`` dialect of Triton 3.9: what its front end makes of a kernel."""
