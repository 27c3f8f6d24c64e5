"""Commands whose work leaves this machine or belongs to another program: what a person can do by hand, in words."""

from sulcus_panel.core.commands.forward import words_of

OUT_THERE = "what it did lies outside this workspace, and nothing here can take that back"
GIT_WAYS = {
    "push": "what was pushed stays pushed: push the old commit or delete the branch at the remote yourself",
    "fetch": "what was fetched stays; it is in no branch of yours, and `git remote prune` lets go of what is gone",
    "pull": "what was fetched stays: to leave what was merged, look into `git reflog` yourself",
    "clone": "the copy that it made is a folder of its own: delete that yourself",
    "stash": "a stash is kept under its own id: `git stash list` names it, `git stash apply ID` brings it back",
    "merge": "git keeps the branch as it was before in ORIG_HEAD: look at it, and go back to it yourself",
    "rebase": "git keeps the branch as it was before in ORIG_HEAD: look at it, and go back to it yourself",
    "reset": "git keeps the branch as it was before in ORIG_HEAD: look at it, and go back to it yourself",
    "remote": "the repository's own configuration is not changed from here: `git remote` does it",
    "config": "the repository's own configuration is not changed from here: `git config` does it",
}
"""By git's subcommand."""
PACKAGES = "a package manager did it: its own uninstall or lock file takes it back"
SERVICES = "it spoke to a service outside this machine: take it back there"
WAYS = {
    **dict.fromkeys(("npm", "npx", "yarn", "pnpm", "bun"), PACKAGES),
    **dict.fromkeys(("pip", "pip3", "pipx", "uv", "poetry", "conda"), PACKAGES),
    **dict.fromkeys(("cargo", "gem", "brew", "apt", "apt-get", "dnf", "pacman"), PACKAGES),
    **dict.fromkeys(
        ("docker", "podman"), "containers and images are not files here: its own commands remove them"
    ),
    **dict.fromkeys(("kubectl", "helm", "terraform"), "it changed a cluster or cloud: roll it back there"),
    **dict.fromkeys(("curl", "wget", "ssh", "scp", "rsync", "gh", "aws", "gcloud", "az"), SERVICES),
}
"""By program."""


def manual_way(command: str) -> str:
    """What to do about a command that cannot be taken back here, "" where nothing is known of it."""
    words = words_of(command)
    if not words:
        return ""
    if words[0] == "git":
        return GIT_WAYS.get(words[1], "") if len(words) > 1 else ""
    way = WAYS.get(words[0], "")
    return f"{OUT_THERE}: {way}" if way else ""
