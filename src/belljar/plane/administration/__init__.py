"""For operators: usage, users and limits, hosts, settings in force, checks of the host."""
