"""The record at rest: what box, control plane and command line do with it alike."""
