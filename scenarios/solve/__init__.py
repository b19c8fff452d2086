"""From a target to the parameters: requirements, and the highest settings that keep them."""
