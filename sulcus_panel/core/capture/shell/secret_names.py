"""Names of files that may hold a secret: the rule of safety.WITHHELD, for whoever may not import it.

Runs inside the hook, at every file.
"""

import sys

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

_NAMES = (
    ".env .env~ .envrc .netrc _netrc .npmrc .pypirc .pgpass .htpasswd .git-credentials .dockercfg"
    " credentials token.json kubeconfig"
)
SECRET_NAMES = frozenset(_NAMES.split())
SECRET_STARTS = (".env.", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "secrets.")
SECRET_ENDS = (".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".tfstate")
SECRET_PATHS = ("/.kube/config", "/.docker/config.json", "/.aws/credentials")
OTHER_ENDS = ("/config", "/config.json")
"""Of a secret by its folder, which may be reached under another name."""
HARMLESS = (".env.example", ".env.sample", ".env.template")


def withheld(path: str) -> bool:
    """Say whether only the hash of a file of this name may be kept."""
    path = "/" + path.lower()
    name = path.rpartition("/")[2]
    if name in HARMLESS or name.endswith(".pub"):
        return False
    if name in SECRET_NAMES or path.endswith(SECRET_PATHS):
        return True
    if name.startswith(("credentials", "service-account")) and name.endswith(".json"):
        return True
    return name.startswith(SECRET_STARTS) or name.endswith(SECRET_ENDS) or ".tfstate." in name


def may_be_secret(path: str) -> bool:
    """Say whether a file may hold a secret, or is reached by other names too: then rules.py judges."""
    if withheld(path) or path.endswith(OTHER_ENDS):
        return True
    try:
        system.readlink(path)
    except (OSError, ValueError):
        return False
    return True
