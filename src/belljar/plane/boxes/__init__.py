"""Boxes as the control plane sees them: how they are launched and spoken to."""
