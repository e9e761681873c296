"""What ended sessions left: on this host's disk, or in an S3-compatible store that every control plane reads."""
