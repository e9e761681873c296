"""The master key and everything derived from it, so that what one box knows opens no other."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

_SIZE = 32


class MasterKeyError(Exception):
    """The master key cannot be used; the message is a sentence for people."""


class MasterKey:
    """Derives, by HKDF (RFC 5869, SHA-256), one key for each purpose and name."""

    def __init__(self, key: bytes) -> None:
        self._extracted = hmac.digest(b"belljar", key, "sha256")

    def derive(self, purpose: str, name: str = "") -> bytes:
        """32 bytes: one block of HKDF's expansion."""
        return hmac.digest(self._extracted, f"{purpose}\0{name}".encode() + b"\x01", "sha256")

    def box_key(self, box_id: str) -> bytes:
        """Signs who calls a box."""
        return self.derive("box caller", box_id)

    def session_key(self, session_id: str) -> bytes:
        """Signs the tokens of one session."""
        return self.derive("session", session_id)

    def user_hash(self, user_id: str) -> str:
        """What stands for a user in logs: the same for the same user, and nobody's name."""
        return self.derive("user-in-logs", user_id).hex()[:12]


def load_master_key(path: Path) -> MasterKey:
    """Read the key, or make it.  Control planes on one database must share it: copy the file."""
    path.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise MasterKeyError(f"Cannot make the master key {path}: {error.strerror}.") from error
    with os.fdopen(descriptor, "wb") as file:
        key = secrets.token_bytes(_SIZE)
        file.write(key.hex().encode() + b"\n")
    return MasterKey(key)


def _read(path: Path) -> MasterKey:
    try:
        if path.stat().st_mode & 0o077:
            raise MasterKeyError(f"The master key {path} can be read by others: chmod 600 it.")
        key = bytes.fromhex(path.read_text())
    except OSError as error:
        raise MasterKeyError(f"Cannot read the master key {path}: {error.strerror}.") from error
    except ValueError as error:
        raise MasterKeyError(f"The master key {path} is not a line of hexadecimal digits.") from error
    if len(key) != _SIZE:
        raise MasterKeyError(f"The master key {path} must hold {_SIZE} bytes in hexadecimal.")
    return MasterKey(key)


def digest(secret: str) -> str:
    """What is kept of a secret with 256 bits of chance: no salt is needed against guessing those."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
