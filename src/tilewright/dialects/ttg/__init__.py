"""The operations of Triton's ``ttg`` dialect that its front end makes: barriers."""
