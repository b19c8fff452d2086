"""What the Release page shows: copies that are made for real, recorded in a ledger."""
