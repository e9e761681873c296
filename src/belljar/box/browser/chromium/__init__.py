"""Chromium as a program: its flags and profile, its launch, its window, and one life of it."""
