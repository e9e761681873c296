"""System packages for the browser and the desktop: shown, agreed to, installed, and then seen to work."""
