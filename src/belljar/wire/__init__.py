"""What goes over the network: models, states, ids.  Imports nothing of ours, so that servers and SDKs can share it."""
