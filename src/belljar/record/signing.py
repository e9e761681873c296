"""Heads of a record, signed with Ed25519: where it stood at a time, in a way that nobody can make up later.

A box signs with the OpenSSL that Python has loaded already: `cryptography` brings one of its own, 8 MB of it, which
would be an eighth of an idle box.  Both make the same signatures, so it is the one that verifies, elsewhere.
"""

import base64
import ctypes
import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import msgspec

from belljar.logs import log
from belljar.state import make_private_file

HEADS = "heads.jsonl"
KEY = "key.json"
SEED_BYTES = 32
# A head says all that those before it said: of so many bytes of them the last few stay.
_MAX_HEADS_BYTES = 256 * 1024
_KEPT_HEADS = 64
_EVP_PKEY_ED25519 = 1087


class Head(msgspec.Struct, frozen=True):
    """The chain of the last event that was written, at the microsecond `t`."""

    seq: int
    chain: str
    t: int
    # The first 16 digits of SHA-256 over the public key.
    key: str
    # In base64.
    signature: str


class PublicKey(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Whose heads these are; `certificate` is an installation's signature over this box having this key."""

    id: str
    public_key: str
    # None of an installation's own.
    box: str = ""
    algorithm: str = "ed25519"
    certificate: str | None = None


def head_message(seq: int, chain: str, t: int) -> bytes:
    """What is signed."""
    return f"belljar-head-1 {seq} {chain} {t}".encode()


def certificate_message(box: str, public_key: str) -> bytes:
    """What an installation's key signs of a box's."""
    return f"belljar-box-key-1 {box} {public_key}".encode()


def key_id(public_key: bytes) -> str:
    return hashlib.sha256(public_key).hexdigest()[:16]


def box_seed(caller_key: bytes) -> bytes:
    """Of the key of a box behind a control plane, who can derive it too and so vouch for it."""
    return hmac.digest(caller_key, b"belljar record", "sha256")


def read_or_make_seed(path: Path) -> bytes:
    """Of a box of its own: kept beside its record.  Raises `OSError`."""
    try:
        seed = bytes.fromhex(path.read_text().strip())
        if len(seed) == SEED_BYTES:
            return seed
    except (FileNotFoundError, ValueError):
        # None yet, or one that a full disk cut off: what it signed cannot be signed again anyway.
        pass
    seed = secrets.token_bytes(SEED_BYTES)
    make_private_file(path)
    path.write_text(seed.hex() + "\n")
    return seed


class SigningKey:
    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._sign, self.public_bytes = _from_openssl(seed) or _from_cryptography(seed)

    @cached_property
    def public_key(self) -> str:
        return base64.b64encode(self.public_bytes).decode()

    @cached_property
    def id(self) -> str:
        return key_id(self.public_bytes)

    def sign(self, message: bytes) -> str:
        return base64.b64encode(self._sign(message)).decode()

    def sign_head(self, seq: int, chain: str, t: int) -> Head:
        return Head(seq, chain, t, self.id, self.sign(head_message(seq, chain, t)))

    def certify(self, box: str, key: "SigningKey") -> PublicKey:
        """That `key` is the box's, by this one."""
        certificate = self.sign(certificate_message(box, key.public_key))
        return PublicKey(key.id, key.public_key, box, certificate=certificate)


class HeadWriter:
    """Called in the writer's thread with what is on disk; a disk that is full keeps nobody from going on."""

    def __init__(self, folder: Path, seed: bytes, box: str) -> None:
        self._folder = folder
        self._key = SigningKey(seed)
        self._box = box
        self._is_ready = False
        # The last one that was written.
        self.head: Head | None = None

    @property
    def public(self) -> PublicKey:
        return PublicKey(self._key.id, self._key.public_key, self._box)

    def __call__(self, seq: int, chain: str) -> None:
        head = self._key.sign_head(seq, chain, time.time_ns() // 1000)
        try:
            self._write(msgspec.json.encode(head) + b"\n")
        except OSError as error:
            log.debug("record.cannot_sign", error=os.strerror(error.errno or 0))
            return
        self.head = head

    def _write(self, line: bytes) -> None:
        path = self._folder / HEADS
        if not self._is_ready:
            make_private_file(self._folder / KEY)
            (self._folder / KEY).write_bytes(msgspec.json.encode(self.public) + b"\n")
            make_private_file(path)
        if not self._is_ready or path.stat().st_size > _MAX_HEADS_BYTES:
            self._keep_last(path)
            self._is_ready = True
        with path.open("ab") as file:
            file.write(line)

    def _keep_last(self, path: Path) -> None:
        """Whole lines only: of a killed box the last may be half of one."""
        whole = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        draft = path.with_suffix(".new")
        make_private_file(draft)
        draft.write_bytes(b"".join(whole[-_KEPT_HEADS:]))
        draft.replace(path)


Signs = tuple[Callable[[bytes], bytes], bytes]


def _from_openssl(seed: bytes) -> Signs | None:
    """By the library that the interpreter's own `ssl` was linked with; None where that cannot be reached."""
    import _ssl

    try:
        library = ctypes.CDLL(_ssl.__file__)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        new_key, new_context = library.EVP_PKEY_new_raw_private_key, library.EVP_MD_CTX_new
        begin, sign, free = library.EVP_DigestSignInit, library.EVP_DigestSign, library.EVP_MD_CTX_free
        public = library.EVP_PKEY_get_raw_public_key
    except (OSError, AttributeError):
        return None
    new_key.restype, new_context.restype, free.restype = pointer, pointer, None
    new_key.argtypes = [ctypes.c_int, pointer, ctypes.c_char_p, size]
    new_context.argtypes, free.argtypes = [], [pointer]
    begin.argtypes = [pointer] * 5
    sign.argtypes = [pointer, ctypes.c_char_p, ctypes.POINTER(size), ctypes.c_char_p, size]
    public.argtypes = [pointer, ctypes.c_char_p, ctypes.POINTER(size)]
    # It lives as long as the process: there is one.
    key = new_key(_EVP_PKEY_ED25519, None, seed, len(seed))
    if not key:
        return None

    def signature(message: bytes) -> bytes:
        context, made, length = new_context(), ctypes.create_string_buffer(64), size(64)
        try:
            if begin(context, None, None, None, key) != 1:
                raise OSError("OpenSSL does not sign")
            if sign(context, made, ctypes.byref(length), message, len(message)) != 1 or length.value != 64:
                raise OSError("OpenSSL does not sign")
        finally:
            free(context)
        return made.raw

    found, length = ctypes.create_string_buffer(32), size(32)
    if public(key, found, ctypes.byref(length)) != 1 or length.value != 32:
        return None
    return signature, found.raw


def _from_cryptography(seed: bytes) -> Signs:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(seed)
    return key.sign, key.public_key().public_bytes_raw()
