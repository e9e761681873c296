"""What programs on the display let be heard: a PulseAudio beside them, and the pipe that it plays into.

It plays nothing while nothing plays: its only sink is suspended then, and the pipe stays empty.
"""

import os
import secrets
import shutil

from belljar.box.display.x11.protocol import DisplayStartFailed
from belljar.box.process import Process, Processes, Program
from belljar.dependencies import INSTALL_DESKTOP
from belljar.problems import StreamError
from belljar.wire.processes import ProcessOwner, RestartPolicy

# What comes out of the pipe: two channels of 16 bits, little-endian, so often a second.
RATE = 48_000
_PIPE = 3


class Sound:
    """`descriptor` is where the sound comes out; who reads late finds some old sound there, a third of a second."""

    def __init__(self) -> None:
        self.descriptor, self._write_end = os.pipe()
        os.set_blocking(self.descriptor, False)
        # PulseAudio opens it by its name below /proc, as another user; nobody else has a name for it.
        os.fchmod(self._write_end, 0o666)
        # Where programs of this box alone find it; not to be guessed by others of the host.
        self._folder = f"/tmp/belljar-sound-{secrets.token_hex(8)}"
        self._process: Process | None = None

    @property
    def environment(self) -> dict[str, str]:
        return {"PULSE_SERVER": f"unix:{self._folder}/native", "PULSE_RUNTIME_PATH": self._folder}

    async def start(self, processes: Processes) -> None:
        if shutil.which("pulseaudio") is None:
            raise DisplayStartFailed(f"sound was asked for and there is no pulseaudio: {INSTALL_DESKTOP}")
        modules = (
            f"module-native-protocol-unix socket={self._folder}/native auth-anonymous=1",
            f"module-pipe-sink file=/proc/self/fd/{_PIPE} sink_name=belljar format=s16le rate={RATE} channels=2 "
            "use_system_clock_for_timing=yes",
            "module-suspend-on-idle timeout=1",
        )
        program = Program(
            command="pulseaudio",
            args=(
                # No settings of anybody's; no memory shared with clients, which could be changed under its hands.
                *("-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes"),
                *("--realtime=no", "--high-priority=no", "--log-target=stderr", "--log-level=error"),
                *(part for module in modules for part in ("-L", module)),
            ),
            # It closes all descriptors at its start but this one.
            env={"PULSE_PASSED_FD": str(_PIPE), "PULSE_RUNTIME_PATH": self._folder, "HOME": self._folder},
            owner=ProcessOwner.DESKTOP,
            restart=RestartPolicy.ALWAYS,
        )
        try:
            self._process = await processes.start(program, descriptors={_PIPE: self._write_end})
        except StreamError as error:
            raise DisplayStartFailed("pulseaudio cannot be started") from error

    async def end(self) -> None:
        try:
            if self._process is not None:
                await self._process.end(grace=1.0)
        finally:
            os.close(self.descriptor)
            os.close(self._write_end)
