"""Who may do what here, and until when: the lease, the box's tenancy, its allowance, signing in."""
