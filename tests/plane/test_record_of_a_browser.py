"""A browser session's record as its control plane gives it out: webhooks without a secret, pictures, and their end."""

import hashlib
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest

from tests.box.live.client import watching
from tests.box.record.test_screens import PAGE
from tests.box.record.test_secrets import PLACES, Session, secret
from tests.plane.plane import PATIENCE, RunningPlane, running_plane, state_folder, until
from tests.plane.receiver import running_receiver
from tests.servers import RunningBox
from tests.site import Site, running_site

FLAGS = ("--webhook-network", "127.0.0.0/8", "--egress", "open")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


def box_of(plane: RunningPlane, session: dict[str, Any]) -> RunningBox:
    """As its user reaches it: through the gateway."""
    return RunningBox(f"{plane.url}/s/{session['id']}", session["token"], plane.process, plane.log)


@pytest.mark.timeout(240)
def test_webhooks_tell_of_questions_dialogs_and_control_and_never_a_planted_secret(site: Site) -> None:
    words = {place: secret(number) for number, place in enumerate(PLACES)}
    with running_plane(*FLAGS) as plane, running_receiver() as receiver, plane.client() as client:
        webhook = client.post("/api/webhooks", json={"url": receiver.url}).json()
        session = plane.create(mode="browser", headless=True)
        box = box_of(plane, session)

        def told(name: str) -> list[dict[str, Any]]:
            kinds = ("session.ask", "session.mark")
            bodies = [one.json for one in receiver.received if one.json["type"] in kinds]
            return [body for body in bodies if body["data"]["name"] == name]

        with box.client() as http:
            using = Session(box, http, site)
            for place, word in words.items():
                using.page()
                PLACES[place](using, word)
            # One of them was a question: a person takes over, and gives back.
            until(lambda: told("asked"), what="the question")
            with watching(box) as person:
                person.event("ready")
                person.call("control.take")
                person.call("control.release")
            until(lambda: told("answered"), what="control given back")
            assert told("answered")[0]["data"]["actor"]["kind"] == "viewer"
            # What waits for an answer is told once it has waited; what it says is content.
            using.page()
            using.run(f"void setTimeout(() => confirm('{secret(98)[:4]}' + '{secret(98)[4:]}'), 0)")
            until(lambda: told("dialog"), what="the dialog")
            assert told("dialog")[0]["data"]["data"]["type"] == "confirm"
            using.post("/v1/browser/dialog", {"accept": False})
            until(lambda: told("dialog.over"), what="the dialog's end")
        assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"
        until(lambda: "session.stopped" in receiver.kinds(session["id"]), what="the session's end")
        assert told("mark"), "one of the secrets was in a mark"
        assert all(one.is_signed_with(webhook["secret"]) for one in receiver.received)
        sent = b"\n".join(one.body for one in receiver.received)
        assert [place for place, word in {**words, "a dialog": secret(98)}.items() if word.encode() in sent] == []
        assert session["token"].encode() not in sent


def pictures(client: httpx.Client, at: str) -> list[str]:
    events = client.get(f"{at}/record", params={"kinds": "screen", "limit": 1000}).json()["events"]
    return [one["data"]["sha256"] for one in events]


def test_pictures_are_read_of_a_session_that_runs_or_is_over_and_go_with_record_and_film() -> None:
    with state_folder() as state:
        with running_plane(*FLAGS, state_dir=state) as plane, plane.client() as client:
            session = plane.create(mode="browser", headless=True, film="on")
            at = f"/api/sessions/{session['id']}"
            with box_of(plane, session).client() as box:
                box.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()
                until(lambda: box.get("/v1/desktop/recordings").json()["recordings"], what="the session's film")

                def seen() -> list[str]:
                    box.post("/v1/browser/click", json={"selector": "button"}).raise_for_status()
                    return pictures(client, at)

                name = until(seen, what="a picture")[0]
            made = client.post(f"{at}/tokens", json={"role": "view", "ttl": 60}).json()

            def look() -> list[int]:
                """As its user, with a token that may only watch, with the session's own, and as another user."""
                path = f"{at}/record/pictures/{name}"
                answer = client.get(path)
                if answer.is_success:
                    assert answer.headers["content-type"] == "image/jpeg"
                    assert hashlib.sha256(answer.content).hexdigest() == name
                others = (made["token"], session["token"], stranger)
                return [answer.status_code, *(_status(plane, token, path) for token in others)]

            stranger = plane.new_key("bob")
            assert look() == [200, 401, 401, 404]
            # Of the box itself whoever drives sees it, and whoever watches does not.
            inside = f"/s/{session['id']}/v1/events/pictures/{name}"
            assert [_status(plane, token, inside) for token in (session["token"], made["token"])] == [200, 403]
            odd = ("0" * 64, "x", name.upper(), f"{name}.jpg")
            assert {client.get(f"{at}/record/pictures/{one}").status_code for one in odd} == {404}
            assert client.delete(at).json()["state"] == "stopped"
            assert look() == [200, 401, 401, 404]
            assert client.get(f"{at}/recordings").json()["recordings"]
            assert list((state / "kept").glob("*/record/pictures/*.jpg"))
        with running_plane("--retain", "0", state_dir=state, key=plane.key) as later, later.client() as client:
            for path in (f"record/pictures/{name}", "record", "recordings"):
                assert client.get(f"{at}/{path}").status_code == 404
            assert list((state / "kept").rglob("*")) == []


def _status(plane: RunningPlane, token: str, path: str) -> int:
    with httpx.Client(base_url=plane.url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as client:
        return client.get(path).status_code
