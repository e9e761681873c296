"""Boxes in Pods of a Kubernetes cluster, one each."""
