"""Numbers at many levels of trust."""
