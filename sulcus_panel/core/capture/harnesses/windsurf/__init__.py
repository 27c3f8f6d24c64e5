"""Windsurf: Cascade's hooks, and the trajectories that it keeps."""
