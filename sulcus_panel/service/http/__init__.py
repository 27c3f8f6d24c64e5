"""HTTP, one door of four: requests are checked (service/guards.py), understood (words), answered (routes)."""
