"""What stays of a session after its end, and for how long."""

from typing import Any

import httpx2 as httpx

from tests.plane.plane import RunningPlane, running_plane, state_folder, until


def film_something(plane: RunningPlane) -> dict[str, Any]:
    """A session with a desktop that is ended while it records."""
    session = plane.create(mode="desktop", viewport={"width": 640, "height": 480})
    headers = {"Authorization": f"Bearer {session['token']}"}
    with httpx.Client(base_url=session["httpUrl"], headers=headers, timeout=60) as box:
        started = box.post("/v1/desktop/recording/start", json={"fps": 10})
        assert started.is_success, started.text
        until(lambda: box.get("/v1/desktop/recordings/rec_1").json()["bytes"] > 0, what="the film's first part")
    return session


def test_films_and_logs_outlive_their_session_for_as_long_as_asked() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state) as plane, plane.client() as client:
            session = film_something(plane)
            at = f"/api/sessions/{session['id']}"
            assert len(client.get(f"{at}/recordings").json()["recordings"]) == 1
            client.delete(at)
            [film] = client.get(f"{at}/recordings").json()["recordings"]
            assert film["id"] == "rec_1" and film["bytes"] > 0
            download = client.get(film["url"])
            assert download.headers["content-type"] == "video/mp4" and len(download.content) == film["bytes"]
            assert download.content[4:8] == b"ftyp" and b"moov" in download.content
            assert client.get(film["url"], headers={"Range": "bytes=4-7"}).content == b"ftyp"
            assert "recording.started" in client.get(f"{at}/logs").text
            for id in ("rec_2", "log", "rec_1.mp4"):
                assert client.get(f"{at}/recordings/{id}").status_code == 404
            assert client.get(f"{at}/recordings/..%2Flog").status_code == 400
            with plane.client(plane.new_key("bob")) as bob:
                assert bob.get(f"{at}/recordings").status_code == 404
                assert bob.get(film["url"]).status_code == 404
        with running_plane("--retain", "0", state_dir=state, key=plane.key) as later, later.client() as client:
            assert client.get(at).status_code == 404 and client.get(f"{at}/recordings").status_code == 404
            assert list((state / "kept").iterdir()) == []
