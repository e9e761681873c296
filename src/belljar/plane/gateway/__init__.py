"""Carries HTTP and WebSocket to boxes at `/s/{session}/…`, for those who may."""
