"""What a command does to files: the tree is looked at before and after it, and the difference recorded.

`reading`, `scan`, `keeping`, `git_index`, `heads` and `look` run inside the hook: built-in modules alone.
"""
