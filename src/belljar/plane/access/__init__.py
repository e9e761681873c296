"""Who gets in: credentials, and the master key that everything secret is derived from."""
