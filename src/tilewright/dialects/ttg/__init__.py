"""What of Triton's ``ttg`` dialect its front end makes: barriers."""
