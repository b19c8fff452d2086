"""Where the key of a ledger is kept: never in the SQLite file, never in the clear on the disk.

By default in the system's key store, where there is one; otherwise in a file in the ledger's folder, encrypted by
AES-256-GCM under a key that scrypt makes of a passphrase. A backup is such a file, too. The passphrase is asked for
at the terminal, or taken from TRUSTSCOPE_PASSPHRASE where nobody sits.
"""

import getpass
import hashlib
import os
import secrets
import sys
from pathlib import Path
from types import ModuleType

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from trustscope.release import chain
from trustscope.release.problems import Problem
from trustscope.release.store import read_exactly, write_durably
from trustscope.release.types import PathLike

FILE = "key.json"
SERVICE = "trustscope release"
VARIABLE = "TRUSTSCOPE_PASSPHRASE"
STORES = ("system", "file", "memory")
# 128 MiB and a third of a second for each guess.
COST = 2**17
# A file that asks for more is not ours, and would take memory and time for as long as it likes.
MOST_COST = 2**17
LEAST_LENGTH = 8
_memory: dict[str, bytes] = {}


def new_key() -> bytes:
    """A new key: 32 bytes from the operating system's generator."""
    return secrets.token_bytes(32)


def mark(key: bytes) -> str:
    """What tells keys apart without giving anything away: a digest of the key, for nothing else."""
    return hashlib.blake2b(b"mark", digest_size=16, key=key, person=b"trustscope mark").hexdigest()


def system_store() -> ModuleType | None:
    """The system's key store, or None."""
    try:
        import keyring
        from keyring.backends import fail, null

        found = keyring.get_keyring()
    except Exception:  # a key store may break in any way of its own; then there is none
        return None
    if isinstance(found, fail.Keyring | null.Keyring) or found.priority < 1:
        return None
    # One that only chains others, none of which can be used, is no key store either.
    return None if getattr(found, "backends", True) == [] else keyring


def choose(store: str | None) -> str:
    """The store to be used: the one that is asked for, or the best there is."""
    if store is None:
        return "system" if system_store() else "file"
    if store not in STORES:
        raise Problem(f"A key is kept in one of {', '.join(STORES)}, not in {store!r}.")
    if store == "system" and not system_store():
        raise Problem("This system has no key store; keep the key in a file with a passphrase.")
    return store


def save(store: str, folder: PathLike, ledger: str, key: bytes, passphrase: str | None = None) -> None:
    """Keep the key of the ledger with this identity in `store`."""
    match store:
        case "system":
            keyring = system_store()
            assert keyring is not None  # it was chosen because it is there
            keyring.set_password(SERVICE, ledger, key.hex())
        case "memory":
            _memory[ledger] = key
        case _:
            write_durably(Path(folder) / FILE, encrypt_key(key, ledger, get_passphrase(passphrase, new=True)))


def load(store: str, folder: PathLike, ledger: str, passphrase: str | None = None) -> bytes:
    """The key of a ledger."""
    if store == "memory":
        if ledger not in _memory:
            raise Problem("The key of this rehearsal is gone: it was never written down.")
        return _memory[ledger]
    if store == "system":
        found = system_store()
        text = found and found.get_password(SERVICE, ledger)
        if not text:
            raise Problem("The system's key store does not have the key of this ledger; import it from a backup.")
        return bytes.fromhex(text)
    path = Path(folder) / FILE
    if not path.exists():
        raise Problem(f"The key file {path} is missing; import the key from a backup.")
    return decrypt_key(path, ledger, get_passphrase(passphrase))


def forget(store: str, folder: PathLike, ledger: str) -> None:
    """Destroy the key of a ledger."""
    if store == "memory":
        _memory.pop(ledger, None)
    elif store == "system":
        found = system_store()
        if found and found.get_password(SERVICE, ledger):
            found.delete_password(SERVICE, ledger)
    elif (path := Path(folder) / FILE).exists():
        # Overwritten first; on some disks old blocks survive, but they hold only what the passphrase encrypts.
        write_durably(path, b"\0" * path.stat().st_size)
        path.unlink()


def encrypt_key(key: bytes, ledger: str, passphrase: str) -> bytes:
    """The content of a key file."""
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    box = AESGCM(_stretched(passphrase, salt, COST)).encrypt(nonce, key, _about(ledger, COST))
    return chain.text(
        {
            "what": "key of a Trustscope ledger",
            "ledger": ledger,
            "cipher": "scrypt and AES-256-GCM",
            "cost": COST,
            "salt": salt.hex(),
            "nonce": nonce.hex(),
            "box": box.hex(),
        }
    ).encode()


def decrypt_key(path: PathLike, ledger: str, passphrase: str) -> bytes:
    """The key in a key file."""
    content = read_exactly(Path(path))
    try:
        if content["ledger"] != ledger:
            raise Problem(f"The key file {path} belongs to another ledger.")
        cost, texts = content["cost"], [content[name] for name in ("salt", "nonce", "box")]
        parts = [bytes.fromhex(text) for text in texts]
        # One spelling only: a capital letter is a flipped bit.
        if isinstance(cost, int) and cost > MOST_COST:
            raise Problem(
                f"The key file {path} asks for more work than any that Trustscope writes, so it is not one of them; "
                "take another backup."
            )
        if cost not in [2**power for power in range(4, 18)] or [part.hex() for part in parts] != texts:
            raise ValueError
        words = content["what"], content["cipher"]
        if words != ("key of a Trustscope ledger", "scrypt and AES-256-GCM") or len(content) != 7:
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, Problem):
            raise
        raise Problem(f"The key file {path} is damaged; import the key from a backup.") from None
    salt, nonce, box = parts
    try:
        return AESGCM(_stretched(passphrase, salt, cost)).decrypt(nonce, box, _about(ledger, cost))
    except (InvalidTag, ValueError):
        raise Problem(
            f"The passphrase does not open {path}, or the file is damaged; try again, or import the key from a backup."
        ) from None


def _stretched(passphrase: str, salt: bytes, cost: int) -> bytes:
    return Scrypt(salt=salt, length=32, n=cost, r=8, p=1).derive(passphrase.encode())


def _about(ledger: str, cost: int) -> bytes:
    return chain.text(["trustscope key", ledger, cost]).encode()


def get_passphrase(passphrase: str | None = None, *, new: bool = False, variable: str = VARIABLE) -> str:
    """The passphrase: given, from the environment, or asked for at the terminal."""
    passphrase = passphrase if passphrase is not None else os.environ.get(variable)
    if passphrase is None:
        if not sys.stdin or not sys.stdin.isatty():
            raise Problem(f"The ledger's key needs a passphrase; set {variable} where nobody can be asked.")
        passphrase = getpass.getpass("Passphrase of the ledger's key: ")
        if new and getpass.getpass("The same again: ") != passphrase:
            raise Problem("The two passphrases differ; nothing was done.")
    if new and len(passphrase) < LEAST_LENGTH:
        raise Problem(f"The passphrase must have at least {LEAST_LENGTH} characters; several words are best.")
    return passphrase
