"""A survey in which the miner guides what respondents send."""
