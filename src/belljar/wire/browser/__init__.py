"""What `/v1/browser/*` takes and gives."""
