"""The screen as video: a program of its own, which alone loads FFmpeg."""
