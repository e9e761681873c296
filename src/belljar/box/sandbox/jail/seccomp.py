"""The system calls a jail does without, as a BPF program for `bwrap --seccomp`.

A network namespace does not contain AF_VSOCK, and much of the kernel's attack surface needs no namespace at all.
Chromium's own, far stricter filters go on top of this one.
"""

import errno
import struct
from dataclasses import dataclass

_LOAD, _JUMP_EQ, _JUMP_GE, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
# Offsets in `struct seccomp_data`: number, architecture, low words of the arguments.
_NR, _ARCH, _ARG0, _ARG1, _ARG2, _ARG3 = 0, 4, 16, 24, 32, 40
_X32_BIT = 0x40000000

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, NETLINK_ROUTE = 1, 2, 10, 16, 0
# Push characters into a terminal as if they were typed; draw on the console.
TIOCSTI, TIOCLINUX = 0x5412, 0x541C

# Refused as if the kernel did not have them, so that programs fall back.
_ABSENT = ("io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd", "openat2")
# Refused as not permitted.
_FORBIDDEN = (
    *("add_key", "request_key", "keyctl", "bpf", "perf_event_open", "setns", "fanotify_init"),
    *("mount", "umount2", "pivot_root", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick"),
    *("mount_setattr", "name_to_handle_at", "open_by_handle_at", "quotactl", "quotactl_fd", "acct", "swapon"),
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot", "syslog", "vhangup"),
    *("swapoff", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "lookup_dcookie"),
)  # fmt: skip

# Where a file's mode is given.  A set-uid file in a shared folder would be the sharer's, and could be run outside; what
# a filter cannot see into (`openat2`) is refused as absent.
_MODES = {"chmod": _ARG1, "fchmod": _ARG1, "fchmodat": _ARG2, "fchmodat2": _ARG2, "creat": _ARG1, "mknod": _ARG1,
          "mknodat": _ARG2}  # fmt: skip
# The same, where it counts only for a file that is made: flags and mode.
_OPENS = {"open": (_ARG1, _ARG2), "openat": (_ARG2, _ARG3)}
_SET_ID, _MAKING = 0o6000, 0o20000100

_SHARED = {
    "openat2": 437,
    "fchmodat2": 452,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "quotactl_fd": 443,
}
_X86_64 = _SHARED | {
    "open": 2,
    "ioctl": 16,
    "socket": 41,
    "creat": 85,
    "chmod": 90,
    "fchmod": 91,
    "mknod": 133,
    "openat": 257,
    "mknodat": 259,
    "fchmodat": 268,
    "syslog": 103,
    "vhangup": 153,
    "pivot_root": 155,
    "adjtimex": 159,
    "acct": 163,
    "settimeofday": 164,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "lookup_dcookie": 212,
    "clock_settime": 227,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "perf_event_open": 298,
    "fanotify_init": 300,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "clock_adjtime": 305,
    "setns": 308,
    "finit_module": 313,
    "kexec_file_load": 320,
    "bpf": 321,
    "userfaultfd": 323,
}
_AARCH64 = _SHARED | {
    "lookup_dcookie": 18,
    "ioctl": 29,
    "mknodat": 33,
    "fchmod": 52,
    "fchmodat": 53,
    "openat": 56,
    "umount2": 39,
    "mount": 40,
    "pivot_root": 41,
    "vhangup": 58,
    "quotactl": 60,
    "acct": 89,
    "kexec_load": 104,
    "init_module": 105,
    "delete_module": 106,
    "clock_settime": 112,
    "syslog": 116,
    "reboot": 142,
    "settimeofday": 170,
    "adjtimex": 171,
    "socket": 198,
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "swapon": 224,
    "swapoff": 225,
    "perf_event_open": 241,
    "fanotify_init": 262,
    "name_to_handle_at": 264,
    "open_by_handle_at": 265,
    "clock_adjtime": 266,
    "setns": 268,
    "finit_module": 273,
    "bpf": 280,
    "userfaultfd": 282,
    "kexec_file_load": 294,
}


@dataclass(frozen=True)
class _Machine:
    audit: int
    calls: dict[str, int]
    has_x32: bool = False


MACHINES = {
    "x86_64": _Machine(0xC000003E, _X86_64, has_x32=True),
    "aarch64": _Machine(0xC00000B7, _AARCH64),
}


def jail_filter(machine: str) -> bytes:
    """The filter for a machine as `os.uname().machine` names it; raises KeyError for one we have no numbers of."""
    kind = MACHINES[machine]
    program = [
        _load(_ARCH),
        *_unless_equal(kind.audit, _returning(_KILL)),
        _load(_NR),
    ]
    if kind.has_x32:
        # The x32 calls have numbers of their own, which a list by number would miss.
        program += [_jump(_JUMP_GE, _X32_BIT, 0, 1), _returning(_ERRNO | errno.ENOSYS)]
    for names, number in ((_ABSENT, errno.ENOSYS), (_FORBIDDEN, errno.EPERM)):
        for name in names:
            program += _if_equal(kind.calls[name], [_returning(_ERRNO | number)])
    program += _if_equal(kind.calls["ioctl"], _ioctls())
    program += _if_equal(kind.calls["socket"], _sockets())
    for name, mode in _MODES.items():
        # Newer architectures have only the later ones.
        if name in kind.calls:
            program += _if_equal(kind.calls[name], _modes(mode))
    for name, (flags, mode) in _OPENS.items():
        if name in kind.calls:
            making = [_load(flags), _jump(_JUMP_SET, _MAKING, 1, 0), _returning(_ALLOW), *_modes(mode)]
            program += _if_equal(kind.calls[name], making)
    program.append(_returning(_ALLOW))
    return b"".join(program)


def _sockets() -> list[bytes]:
    """Unix, IPv4, IPv6 and routing netlink; everything else as if this kernel had no such family."""
    refuse = _returning(_ERRNO | errno.EAFNOSUPPORT)
    allow = _returning(_ALLOW)
    return [
        _load(_ARG0),
        *_if_equal(AF_UNIX, [allow]),
        *_if_equal(AF_INET, [allow]),
        *_if_equal(AF_INET6, [allow]),
        *_unless_equal(AF_NETLINK, refuse),
        _load(_ARG2),
        *_unless_equal(NETLINK_ROUTE, refuse),
        allow,
    ]


def _modes(argument: int) -> list[bytes]:
    """No set-uid, no set-gid."""
    refuse = _returning(_ERRNO | errno.EPERM)
    return [_load(argument), _jump(_JUMP_SET, _SET_ID, 0, 1), refuse, _returning(_ALLOW)]


def _ioctls() -> list[bytes]:
    refuse = _returning(_ERRNO | errno.EPERM)
    return [_load(_ARG1), *_if_equal(TIOCSTI, [refuse]), *_if_equal(TIOCLINUX, [refuse]), _returning(_ALLOW)]


def _load(offset: int) -> bytes:
    return struct.pack("=HBBI", _LOAD, 0, 0, offset)


def _jump(code: int, value: int, when_true: int, when_false: int) -> bytes:
    return struct.pack("=HBBI", code, when_true, when_false, value)


def _returning(action: int) -> bytes:
    return struct.pack("=HBBI", _RETURN, 0, 0, action)


def _if_equal(value: int, then: list[bytes]) -> list[bytes]:
    return [_jump(_JUMP_EQ, value, 0, len(then)), *then]


def _unless_equal(value: int, then: bytes) -> list[bytes]:
    return [_jump(_JUMP_EQ, value, 1, 0), then]
