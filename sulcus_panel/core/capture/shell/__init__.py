"""What a command does to files: the tree is looked at before and after it, and the difference recorded.

`reading`, `scan`, `keeping`, `heads` and `look` run inside the hook (see hook.py): built-in modules alone.
"""
