"""The Release page: copies for real, from a ledger of the server's folder or in a rehearsal."""
