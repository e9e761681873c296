"""Keys, session tokens, tickets and cookies: what opens, and what does not."""

import base64
import json
import os
import time
from pathlib import Path

import jwt
import pytest

from belljar.plane.access.credentials import Credentials, Origin
from belljar.plane.access.secrets import MasterKey, MasterKeyError, load_master_key
from belljar.plane.registry import Registry
from belljar.wire.access import CreateKey
from belljar.wire.sessions import TokenRole

MASTER = MasterKey(b"m" * 32)


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/control.db"


@pytest.fixture
def credentials(registry: Registry) -> Credentials:
    return Credentials(registry, MASTER)


def test_the_master_key_is_made_once_and_is_ours_alone(tmp_path: Path) -> None:
    path = tmp_path / "master.key"
    first, again = load_master_key(path), load_master_key(path)
    assert first.box_key("box") == again.box_key("box")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [("zz", 0o600, "hexadecimal"), ("aa", 0o600, "32 bytes"), ("aa" * 32, 0o644, "read by others")],
)
def test_a_bad_master_key_is_a_clear_sentence(tmp_path: Path, content: str, mode: int, said: str) -> None:
    path = tmp_path / "master.key"
    path.write_text(content)
    os.chmod(path, mode)
    with pytest.raises(MasterKeyError, match=said):
        load_master_key(path)


def test_every_box_and_session_has_a_key_of_its_own() -> None:
    derived = {
        MASTER.box_key("a"),
        MASTER.box_key("b"),
        MASTER.session_key("a"),
        MASTER.session_key("b"),
    }
    assert len(derived) == 4
    assert MASTER.box_key("a") == MasterKey(b"m" * 32).box_key("a") != MasterKey(b"n" * 32).box_key("a")


async def test_a_key_is_good_until_it_is_revoked(credentials: Credentials, registry: Registry) -> None:
    key, row = await credentials.make_key(CreateKey(user="ann"), actor="test")
    assert key not in repr(row)
    assert (await credentials.judge_key(key)) == row
    assert (await credentials.judge_key(key + "x")) is None
    assert (await credentials.judge_key(f"bj_{row.id}_")) is None
    assert (await credentials.judge_key("nonsense")) is None
    await registry.keys.revoke(row.id, actor="test")
    credentials.forget_keys()
    assert (await credentials.judge_key(key)) is None


async def test_a_token_opens_its_session_only(credentials: Credentials) -> None:
    made = credentials.make_token("one", Origin("ann"), TokenRole.VIEW, time.time() + 60)
    judged = credentials.judge_token(made.token, "one")
    assert judged is not None
    assert (judged.user_id, judged.role, judged.id) == ("ann", TokenRole.VIEW, made.row.id)
    assert credentials.judge_token(made.token, "two") is None


async def test_a_token_past_its_time_opens_nothing(credentials: Credentials) -> None:
    made = credentials.make_token("one", Origin("ann"), TokenRole.DRIVE, time.time() - 5)
    assert credentials.judge_token(made.token, "one") is None


async def test_a_token_may_last_as_long_as_its_session(credentials: Credentials) -> None:
    made = credentials.make_token("one", Origin("ann"), TokenRole.DRIVE)
    assert "exp" not in jwt.decode(made.token, options={"verify_signature": False})
    judged = credentials.judge_token(made.token, "one")
    assert judged is not None and not credentials.is_past(judged) and made.row.expires_at is None
    dashboard = jwt.encode({"key": "k", "aud": "belljar:dashboard"}, MASTER.derive("dashboard"), "HS256")
    assert await credentials.judge_cookie(dashboard) is None, "only a session's token may have no time of its own"


async def test_forged_tokens_open_nothing(credentials: Credentials) -> None:
    good = credentials.make_token("one", Origin("ann"), TokenRole.VIEW, time.time() + 60).token
    claims = jwt.decode(good, options={"verify_signature": False})
    head, _, signature = good.split(".")
    raised = base64.urlsafe_b64encode(json.dumps(claims | {"role": "drive"}).encode()).rstrip(b"=").decode()
    unsigned = jwt.encode(claims, "", "none")
    of_another = jwt.encode(claims, MASTER.session_key("two"), "HS256")
    other_algorithm = jwt.encode(claims, MASTER.session_key("one") * 2, "HS512")
    for forged in (f"{head}.{raised}.{signature}", unsigned, of_another, other_algorithm, "", "a.b.c", good[:-2]):
        assert credentials.judge_token(forged, "one") is None


async def test_a_cookie_is_worth_its_key(credentials: Credentials, registry: Registry) -> None:
    _, row = await credentials.make_key(CreateKey(user="ann"), actor="test")
    cookie = credentials.make_cookie(row.id)
    judged = await credentials.judge_cookie(cookie)
    assert judged is not None and judged[0] == row and time.time() < judged[1] < time.time() + 13 * 3600
    assert await credentials.judge_cookie(credentials.make_token("one", Origin("a"), TokenRole.VIEW, 2e9).token) is None
    await registry.keys.revoke(row.id, actor="test")
    assert await credentials.judge_cookie(cookie) is None


async def test_a_token_from_a_host_whose_clock_is_ahead_is_good_at_once(
    credentials: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    with monkeypatch.context() as ahead:
        ahead.setattr(time, "time", lambda: now + 1800)
        made = credentials.make_token("s-1", Origin("ann"), TokenRole.DRIVE)
    judged = credentials.judge_token(made.token, "s-1")
    assert judged is not None and judged.user_id == "ann"
