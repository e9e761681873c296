"""A cluster for tests: an API that can be made to misbehave, and a kubelet that really starts boxes."""
