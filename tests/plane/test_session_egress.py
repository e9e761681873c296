"""What admins may allow to sessions that run: as far as `--admin-egress` goes, and written down."""

from collections.abc import Iterator

import pytest

from tests.plane.plane import RunningPlane, running_plane


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "none", "--admin-egress", "public") as running:
        yield running


def test_an_admin_allows_public_hosts_while_a_session_runs_and_nobody_else_does(plane: RunningPlane) -> None:
    ann = plane.new_key("ann")
    made = plane.create(ann)
    path, wanted = f"/api/sessions/{made['id']}/egress", {"allow": ["shop.example", "*.cdn.example:443"]}
    with plane.client(ann) as user, plane.client() as admin:
        assert user.get("/api/me").json()["egress"] == "off" and admin.get("/api/me").json()["egress"] == "public"
        refused = user.post(path, json=wanted)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        # Nor by the gateway, with whatever one has.
        for client in (user, admin):
            assert client.post(f"/s/{made['id']}/v1/egress/loosen", json=wanted).status_code == 403
        assert user.get(f"/s/{made['id']}/v1/egress/policy").json() == {"policy": "none", "allow": []}
        lines = admin.post(path, json=wanted).json()["policy"].splitlines()
        assert lines == ["allow shop.example", "allow *.cdn.example:443", "use none"]
        assert admin.post(path, json=wanted).json()["policy"].splitlines() == lines
        for target in ("127.0.0.1:80", "localhost", "10.0.0.1", "169.254.169.254", "[::1]:80"):
            above = admin.post(path, json={"allow": [target]})
            assert (above.status_code, above.json()["code"]) == (422, "above_ceiling"), target
        for odd in ("a b", "a\nallow * to any", "*", "", "10.0.0.0/8", "x" * 300):
            assert admin.post(path, json={"allow": [odd]}).status_code == 422, odd
        assert user.get(f"/s/{made['id']}/v1/egress/policy").json()["policy"].splitlines() == lines
        events = admin.get("/api/audit", params={"session": made["id"]}).json()["events"]
        told = [event for event in events if event["kind"] == "egress.loosened"]
        assert [(event["actor"], event["userId"], event["detail"]) for event in told] == [("admin", "ann", wanted)] * 2
        assert admin.delete(f"/api/sessions/{made['id']}").is_success
        over = admin.post(path, json=wanted)
        assert (over.status_code, over.json()["code"]) == (409, "session_over")


def test_without_the_operators_word_nobody_loosens_anything() -> None:
    with running_plane("--egress", "none") as plane, plane.client() as admin:
        made = plane.create()
        answer = admin.post(f"/api/sessions/{made['id']}/egress", json={"allow": ["shop.example"]})
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert "--admin-egress" in answer.json()["detail"] and admin.get("/api/me").json()["egress"] == "off"
