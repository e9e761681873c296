"""Every setting of the control plane, read once by `belljar serve`."""

import os
import re
import socket
from functools import cached_property
from ipaddress import ip_network
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationInfo, field_validator, model_validator

from belljar import __version__
from belljar.plane.ceilings import Ceilings, UserCeilings, make_ceilings
from belljar.plane.claims import ClaimRules, OidcSettings
from belljar.settings import ServerSettings, Several, read_bytes
from belljar.wire.access import AdminEgress
from belljar.wire.desktop import Webrtc
from belljar.wire.isolation import CdpRelay, Evaluate, JailMode
from belljar.wire.record import EventKind, FilmMode, RecordLevel, check_kinds
from belljar.wire.sessions import Allowance

# What a box must have, or Chromium cannot live in it.
_LEAST_MEMORY_MB, _LEAST_DISK_MB = 256, 64
LOOPBACK = "127.0.0.1"
# What stays free beside the reserve where a box is kept warm without anybody having asked for it.
_ROOM_FOR_A_WARM_BOX = 2 << 30
# As clusters write labels, quantities and taints.
_PAIR = re.compile(r"[A-Za-z0-9][A-Za-z0-9./_-]*=[A-Za-z0-9._-]*")
_TAINT = re.compile(r"[A-Za-z0-9][A-Za-z0-9./_-]*(=[A-Za-z0-9._-]*)?(:(NoSchedule|PreferNoSchedule|NoExecute))?")


class PlaneSettings(ServerSettings):
    """What `belljar serve` can be told."""

    public_url: str | None = Field(None, description="Where callers reach this server, for the addresses in answers.")
    trusted_proxies: Several = Field((), description="Addresses of proxies whose X-Forwarded-* headers are believed.")
    database_url: str | None = Field(None, description="postgresql://… or sqlite:///…; SQLite in the state folder.")
    database_timeout: float = Field(
        10.0, ge=1, le=300, description="Seconds the database may take; then whoever asked is told it is away."
    )
    master_key_file: Path | None = Field(None, description="The master key; control.key in the state folder.")
    host_name: str = Field(
        default_factory=socket.gethostname, description="This host's name among control planes on one database."
    )
    peer_url: str | None = Field(
        None, pattern=r"^https?://[^/\s]+", description="Where control planes on other hosts reach this one."
    )
    sign_in_ttl: float = Field(
        43_200.0, gt=0, le=2_592_000, description="Seconds that a person's browser stays signed in."
    )
    sign_in_idle: float = Field(
        7200.0, ge=0, description="Seconds without use until a person's browser is signed out; 0 for never."
    )
    no_mcp_oauth: bool = Field(False, description="Take keys alone at /mcp: apps can then not be let in by a person.")
    oidc_issuer: str | None = Field(
        None, description="Provider of OpenID Connect that people sign in by, such as https://login.example.com."
    )
    oidc_client_id: str = Field("", description="What that provider calls this server.")
    oidc_client_secret_file: Path | None = Field(
        None, description="File with the secret for it; else the variable BELLJAR_OIDC_CLIENT_SECRET; else none."
    )
    oidc_name: str = Field("", max_length=64, description="What the provider is called on the page; else its host.")
    oidc_scopes: Several = Field(
        ("openid", "profile", "email"), description="What the provider is asked for; openid is among it."
    )
    oidc_user_claim: str = Field(
        "preferred_username", min_length=1, description="The claim that becomes the user's name here."
    )
    oidc_link_users: bool = Field(
        False, description="Let the provider's names stand for users of that name who have keys already."
    )
    oidc_role_claim: str = Field(
        "", description="The claim that says who may come in, and as what; dots lead into objects."
    )
    oidc_admins: Several = Field((), description="Values of that claim that make an admin.")
    oidc_users: Several = Field(
        (), description="Values of that claim that make a user; any value where there are none."
    )
    oidc_max_sessions_claim: str = Field("", description="The claim with the most sessions that a person may have.")
    oidc_max_ttl_claim: str = Field("", description="The claim with the largest ttl that a person may ask for.")
    ttl: int = Field(3600, ge=1, description="Seconds a session lives when its caller does not say.")
    max_ttl: int = Field(86_400, ge=1, description="Largest ttl in seconds.")
    idle_timeout: int = Field(600, ge=0, description="Seconds without activity until a session ends; 0 for never.")
    watching_counts: bool = Field(False, description="Whether an open stream alone is activity.")
    max_sessions: int = Field(100, ge=0, description="Most sessions on all control planes of the database.")
    max_sessions_per_user: int = Field(5, ge=0, description="Most sessions of one user.")
    queue_wait: float = Field(30.0, ge=0, description="Seconds a new session waits for room.")
    queue_length: int = Field(100, ge=0, description="Most sessions that wait for room.")
    memory_per_session: int = Field(350, ge=0, description="Megabytes that must be free for one more session.")
    memory_reserve: int = Field(300, ge=0, description="Megabytes that stay free for everything else.")
    disk_reserve: int = Field(
        256, ge=0, description="Megabytes of disk that stay free: below, no session starts and writers are stopped."
    )
    evict_below: int = Field(
        0, ge=0, description="Megabytes free below which the session unused for longest is ended; 0 for never."
    )
    start_timeout: float = Field(60.0, gt=0, description="Seconds a box may take to come up.")
    starts_at_once: int = Field(
        0, ge=0, description="Most boxes that are being started at a time; 0 for two on each processor."
    )
    pool_size: int | None = Field(
        None, ge=0, description="Boxes started ahead of need; 1 where 2 GiB of memory stay free beside the reserve."
    )
    pool_mode: Literal["browser", "none"] = Field("browser", description="What warm boxes have running.")
    headless: bool = Field(False, description="Whether warm boxes are headless.")
    width: int = Field(1280, ge=100, description="Width of warm boxes' viewport.")
    height: int = Field(720, ge=100, description="Height of warm boxes' viewport.")
    launcher: Literal["local", "docker", "kubernetes"] = Field(
        "local",
        description="local, docker or kubernetes: whether boxes are processes of this host, containers or Pods.",
    )
    docker_socket: Path = Field(
        Path("/var/run/docker.sock"), description="Where the engine listens, Docker's or Podman's."
    )
    docker_image: str = Field(f"belljar:{__version__}", description="The image of boxes; `make image` makes it.")
    docker_runtime: str | None = Field(
        None, description="The engine's runtime for boxes, such as crun; else the engine's own."
    )
    docker_apparmor: str | None = Field(
        None, description="AppArmor profile of boxes, where the host has AppArmor: deploy/apparmor has one."
    )
    docker_network: str = Field(
        "bridge", description="The engine's network that boxes' egress processes have; boxes themselves have none."
    )
    kubeconfig: Path | None = Field(
        None, description="How to reach the cluster; else KUBECONFIG, what a Pod is given, or ~/.kube/config."
    )
    kubernetes_context: str | None = Field(None, description="A context of that file; else the current one.")
    kubernetes_cluster: str = Field(
        "kubernetes",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$",
        description="What the cluster is called among several on one database.",
    )
    kubernetes_namespace: str | None = Field(
        None, pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", description="Where boxes are; else the context's own."
    )
    kubernetes_image: str = Field(f"belljar:{__version__}", description="The image of boxes' Pods.")
    kubernetes_pull_policy: Literal["Always", "IfNotPresent", "Never"] = Field(
        "IfNotPresent", description="When nodes pull the image."
    )
    kubernetes_pull_secrets: Several = Field((), description="Secrets with which nodes pull it.")
    kubernetes_service_account: str | None = Field(
        None, description="The service account of boxes' Pods; its token is not given to them."
    )
    kubernetes_runtime_class: str | None = Field(None, description="The RuntimeClass of boxes' Pods, such as kata.")
    kubernetes_priority_class: str | None = Field(None, description="The PriorityClass of boxes' Pods.")
    kubernetes_node_selector: Several = Field((), description="Labels of nodes that boxes may run on, as KEY=VALUE.")
    kubernetes_tolerations: Several = Field(
        (), description="Taints of nodes that boxes may run on all the same, as KEY[=VALUE][:EFFECT]."
    )
    kubernetes_requests: Several = Field(
        ("cpu=250m", "memory=512Mi"), description="What a node must have free for a box, as RESOURCE=QUANTITY."
    )
    kubernetes_seccomp: str = Field(
        "belljar.json",
        description="Seccomp profile of boxes: a file in the nodes' folder of profiles, RuntimeDefault or Unconfined.",
    )
    kubernetes_apparmor: str | None = Field(
        None, description="AppArmor profile of boxes: one that nodes have loaded, RuntimeDefault or Unconfined."
    )
    kubernetes_host_users: bool = Field(
        False, description="Pods without a user namespace of their own: /proc stays covered, and a jail cannot be made."
    )
    kubernetes_volume: str | None = Field(
        None, description="A claim that is mounted at --state-dir here: boxes keep records, films and profiles on it."
    )
    kubernetes_write_rate: float = Field(
        20.0, gt=0, description="Calls a second with which Pods are made and removed, at most."
    )
    jail: JailMode = Field(JailMode.REQUIRE, description="require or off: whether boxes run programs in a jail.")
    egress: str = Field("public", description="Where boxes may connect to: public, open, none, learn, or a file.")
    allow: Several = Field((), description="Hosts and ports that boxes may connect to beside that.")
    admin_egress: AdminEgress = Field(
        AdminEgress.OFF,
        description="off, public or any: which hosts admins may allow to sessions that run, beside their policy.",
    )
    default_memory: str = Field("4G", description="Memory of a session's programs; 0 for no limit.")
    max_memory: str | None = Field(None, description="Most memory a session may ask for; else the default.")
    max_memory_per_user: str | None = Field(None, description="Memory of a user's sessions together.")
    default_cpus: float = Field(0, ge=0, description="Processors of a session's programs; 0 for all there are.")
    max_cpus: float | None = Field(None, gt=0, description="Most processors a session may ask for; else the default.")
    max_cpus_per_user: float | None = Field(None, gt=0, description="Processors of a user's sessions together.")
    default_disk: str = Field("4G", description="Disk of a session's programs; 0 for no limit.")
    max_disk: str | None = Field(None, description="Most disk a session may ask for; else the default.")
    max_disk_per_user: str | None = Field(None, description="Disk of a user's sessions together.")
    default_processes: int = Field(1024, ge=64, description="Processes and threads of a session.")
    max_processes: int | None = Field(
        None, ge=64, description="Most processes a session may ask for; else the default."
    )
    max_processes_per_user: int | None = Field(None, ge=64, description="Processes of a user's sessions together.")
    default_viewers: int = Field(32, ge=1, description="Live viewers of a session.")
    max_viewers: int | None = Field(None, ge=1, description="Most viewers a session may ask for; else the default.")
    max_viewers_per_user: int | None = Field(None, ge=1, description="Viewers of a user's sessions together.")
    default_input_rate: float = Field(300, ge=1, description="Input messages a second from one viewer.")
    max_input_rate: float | None = Field(None, ge=1, description="Most a session may ask for; else the default.")
    default_command_rate: float = Field(30, ge=1, description="Commands a second from one viewer.")
    max_command_rate: float | None = Field(None, ge=1, description="Most a session may ask for; else the default.")
    evaluate: Evaluate = Field(Evaluate.ON, description="on, isolated or off: where callers' scripts may run.")
    max_evaluate: Evaluate | None = Field(None, description="Most a session may ask for; else what --evaluate says.")
    cdp: CdpRelay = Field(CdpRelay.ON, description="on or off: whether CDP clients may connect.")
    max_cdp: CdpRelay | None = Field(None, description="Most a session may ask for; else what --cdp says.")
    record: RecordLevel = Field(
        RecordLevel.ACTIONS, description="none, actions or content: what is written down of what happens in sessions."
    )
    max_record: RecordLevel = Field(RecordLevel.CONTENT, description="Most a session may ask for.")
    record_kinds: Several = Field((), description="Kinds of events to write, such as call or nav; empty for all.")
    film: FilmMode = Field(FilmMode.OFF, description="off, on_failure or on: what of sessions is filmed unasked.")
    max_film: FilmMode = Field(FilmMode.ON, description="Most a session may ask for.")
    film_minutes: float = Field(2.0, gt=0, le=30, description="Minutes that on_failure keeps.")
    gateway_timeout: float = Field(300.0, gt=0, description="Seconds a box may take to begin an answer.")
    webhook_networks: Several = Field(
        (), description="Networks beside the public internet that webhooks may go to, such as 127.0.0.0/8."
    )
    webhook_retries: str = Field(
        "5,300,1800,7200,18000,36000,50400,72000,86400",
        description="Seconds to wait before each further attempt at a webhook; then it is given up.",
    )
    artifacts: str | None = Field(
        None,
        pattern=r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._/-]*)?$",
        description="s3://BUCKET/PREFIX: where logs, records and films of ended sessions go; else the state folder.",
    )
    artifacts_endpoint: str | None = Field(
        None, pattern=r"^https?://[^/\s@]+/?$", description="Where that store is, unless it is AWS: https://HOST."
    )
    artifacts_region: str | None = Field(None, description="Its region; else AWS_REGION.")
    retain: float = Field(7.0, ge=0, description="Days that ended sessions, their logs and recordings are kept.")
    drain: float = Field(30.0, ge=0, description="Seconds open requests may take once told to stop.")
    keep_sessions: bool = Field(False, description="Leave the boxes running at the end, for the next start to adopt.")

    @cached_property
    def oidc(self) -> OidcSettings | None:
        """Raises `ValueError` for what does not go together, and `OSError` for a file that cannot be read."""
        if self.oidc_issuer is None:
            return None
        secret = os.environ.get("BELLJAR_OIDC_CLIENT_SECRET", "")
        if self.oidc_client_secret_file is not None:
            secret = self.oidc_client_secret_file.read_text().strip()
        return OidcSettings(
            issuer=self.oidc_issuer,
            client_id=self.oidc_client_id,
            client_secret=secret,
            name=self.oidc_name,
            scopes=self.oidc_scopes,
            claims=ClaimRules(
                user=self.oidc_user_claim,
                role=self.oidc_role_claim,
                admins=frozenset(self.oidc_admins),
                users=frozenset(self.oidc_users),
                max_sessions=self.oidc_max_sessions_claim,
                max_ttl=self.oidc_max_ttl_claim,
            ),
            may_share_names=self.oidc_link_users,
        )

    @model_validator(mode="after")
    def _check_oidc(self) -> Self:
        try:
            self.oidc  # noqa: B018
        except OSError as error:
            raise ValueError(f"the file of --oidc-client-secret-file cannot be read: {error.strerror}") from None
        from belljar.server.guard import is_loopback

        if self.oidc is not None and self.public_url is None and not is_loopback(self.host):
            raise ValueError("--oidc-issuer needs --public-url: the address that the provider sends people back to")
        return self

    @field_validator("record_kinds")
    @classmethod
    def _are_kinds(cls, names: Several) -> Several:
        return check_kinds(names)

    @field_validator("kubernetes_node_selector", "kubernetes_tolerations", "kubernetes_requests")
    @classmethod
    def _are_pairs(cls, value: Several, info: ValidationInfo) -> Several:
        pattern = _TAINT if info.field_name == "kubernetes_tolerations" else _PAIR
        for text in value:
            if not pattern.fullmatch(text):
                raise ValueError(
                    f"{text!r} is not of the form {'KEY[=VALUE][:EFFECT]' if pattern is _TAINT else 'KEY=VALUE'}"
                )
        return value

    @field_validator("jail")
    @classmethod
    def _no_half_jail(cls, value: JailMode) -> JailMode:
        """Who lets others run programs decides whether they are kept in, and not what the host happens to have."""
        if value is JailMode.AUTO:
            raise ValueError("a control plane takes require or off; auto is for a single box")
        return value

    @field_validator("webhook_networks")
    @classmethod
    def _check_networks(cls, value: Several) -> Several:
        for text in value:
            ip_network(text)
        return value

    @field_validator("webhook_retries")
    @classmethod
    def _check_retries(cls, value: str) -> str:
        if not (1 <= len(_numbers(value)) <= 32 and all(0 <= seconds <= 604_800 for seconds in _numbers(value))):
            raise ValueError("one to 32 numbers of seconds with commas between them, each up to a week")
        return value

    @property
    def webhook_retry_seconds(self) -> tuple[float, ...]:
        return _numbers(self.webhook_retries)

    @property
    def webrtc_advertised(self) -> tuple[str, ...]:
        """Where viewers are told that the port is."""
        return (LOOPBACK,) if self.webrtc is Webrtc.LOOPBACK else self.webrtc_addresses

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.state_dir / 'control.db'}"

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names, beside loopback's, that this server is reached by when it listens on loopback alone."""
        public = urlsplit(self.public_url or "").hostname
        return (*self.allowed_hosts, *([public] if public else ()))

    @property
    def master_key(self) -> Path:
        return self.master_key_file or self.state_dir / "control.key"

    @cached_property
    def ceilings(self) -> Ceilings:
        """What sessions get and may ask for: without a ceiling of its own, the default is one."""
        default = Allowance(
            memory_mb=_megabytes(self.default_memory),
            cpus=self.default_cpus or float(os.cpu_count() or 1),
            disk_mb=_megabytes(self.default_disk),
            processes=self.default_processes,
            viewers=self.default_viewers,
            input_rate=self.default_input_rate,
            command_rate=self.default_command_rate,
            evaluate=self.evaluate,
            cdp=self.cdp,
            record=self.record,
            record_kinds=tuple(map(EventKind, self.record_kinds)) or None,
            film=self.film,
        )
        given = {
            "memory_mb": _megabytes(self.max_memory),
            "cpus": self.max_cpus,
            "disk_mb": _megabytes(self.max_disk),
            "processes": self.max_processes,
            "viewers": self.max_viewers,
            "input_rate": self.max_input_rate,
            "command_rate": self.max_command_rate,
            "evaluate": self.max_evaluate,
            "cdp": self.max_cdp,
            "record": self.max_record,
            "film": self.max_film,
        }
        most = default.model_copy(update={name: value for name, value in given.items() if value is not None})
        together = UserCeilings(
            _megabytes(self.max_memory_per_user),
            self.max_cpus_per_user,
            _megabytes(self.max_disk_per_user),
            self.max_processes_per_user,
            self.max_viewers_per_user,
        )
        return make_ceilings(default, most, together)

    def with_pool_size(self, available_memory: int, *, has_browser: bool) -> Self:
        """The same, with the number of warm boxes decided where nobody did: one, if there is room for it."""
        if self.pool_size is not None:
            return self
        is_room = available_memory - (self.memory_reserve << 20) >= _ROOM_FOR_A_WARM_BOX
        return self.model_copy(update={"pool_size": int(is_room and (has_browser or self.pool_mode == "none"))})

    @field_validator("default_memory", "max_memory", "max_memory_per_user")
    @classmethod
    def _check_memory(cls, value: str | None, info: ValidationInfo) -> str | None:
        return _check_size(value, _LEAST_MEMORY_MB, may_be_none=info.field_name == "default_memory")

    @field_validator("default_disk", "max_disk", "max_disk_per_user")
    @classmethod
    def _check_disk(cls, value: str | None, info: ValidationInfo) -> str | None:
        return _check_size(value, _LEAST_DISK_MB, may_be_none=info.field_name == "default_disk")

    @field_validator("webrtc")
    @classmethod
    def _has_its_own_port(cls, value: Webrtc) -> Webrtc:
        if value is Webrtc.RELAY:
            raise ValueError("off, loopback or public: relay is for a control plane's boxes")
        return value

    @model_validator(mode="after")
    def _can_be_reached(self) -> Self:
        if self.webrtc is Webrtc.PUBLIC and not (self.webrtc_addresses and self.webrtc_port):
            raise ValueError("--webrtc public needs --webrtc-address and --webrtc-port: what viewers reach it by")
        return self

    @model_validator(mode="after")
    def _check_ceilings(self) -> Self:
        # Whatever does not go together is said at the start, not to the first caller.
        self.ceilings  # noqa: B018
        return self


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(number) for number in text.split(","))


def _megabytes(size: str | None) -> int | None:
    """None for no limit."""
    return ((read_bytes(size) or 0) >> 20) or None if size else None


def _check_size(value: str | None, least_mb: int, *, may_be_none: bool) -> str | None:
    if value is None or (may_be_none and value.strip() in ("", "0")):
        return value
    size = read_bytes(value)
    if size is None or size >> 20 < least_mb:
        raise ValueError(f"a size such as 2G, and at least {least_mb}M")
    return value
