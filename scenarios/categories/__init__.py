"""Categories at many levels of trust."""
