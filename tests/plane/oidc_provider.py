"""A real provider of OpenID Connect on loopback: npm's `oidc-provider`, run on the Node that `tests/npm` pins.

It calls itself localhost, and so is another site than the control plane: cookies go as they do between strangers.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.npm_clients import FOLDER, installed_oidc_provider

CLIENT_ID, CLIENT_SECRET = "belljar", "a secret: with %signs & such"
# What the provider says of whom, beside their name.
ACCOUNTS: Mapping[str, Mapping[str, object]] = {
    "ann": {"groups": ["users", "others"], "quota": 2},
    "root": {"groups": ["admins"]},
    "eve": {"groups": ["strangers"]},
    "odd": {"groups": ["users"], "quota": "many"},
    "admin": {"groups": ["users"]},
    "no name": {"groups": ["users"]},
}


@dataclass(frozen=True)
class RunningProvider:
    issuer: str
    process: subprocess.Popen[str]


def new_jwk(kid: str) -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    made = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key))
    # It signs, and looks at what it has signed.
    del made["key_ops"]
    return json.dumps({**made, "kid": kid, "use": "sig", "alg": "RS256"})


@contextmanager
def running_provider(port: int, plane_url: str, jwk: str, *, secret: str = CLIENT_SECRET) -> Iterator[RunningProvider]:
    node = installed_oidc_provider()
    said = {
        "PORT": str(port),
        "CLIENT_ID": CLIENT_ID,
        "CLIENT_SECRET": secret,
        "REDIRECT_URI": f"{plane_url}/sign-in/oidc/callback",
        "AFTER_LOGOUT": f"{plane_url}/",
        "ACCOUNTS": json.dumps(ACCOUNTS),
        "JWK": jwk,
    }
    process = subprocess.Popen(
        [node, "--no-warnings", "provider.mjs"],
        cwd=FOLDER / "oidc",
        env={"PATH": os.environ["PATH"], **said},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline().strip() == "ready"
            yield RunningProvider(f"http://localhost:{port}", process)
        finally:
            process.kill()
