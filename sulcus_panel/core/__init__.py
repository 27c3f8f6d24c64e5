"""What the product knows and does: called, never runs. No Qt, loop, thread, socket, subprocess, print."""
