"""Long-lived and Qt-free: the operations behind every door, the watcher, the tail."""
