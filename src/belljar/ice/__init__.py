"""What is needed of ICE (RFC 8445) to share one port among many peers, without connecting any: no aiortc in here.

A packet belongs to the peer whose name (ufrag) and password the first STUN request from its source had.
"""

from belljar.ice.credentials import Credentials, IceServer, TurnServers, is_turn_url, name_prefix
from belljar.ice.port import OpenPort, SharedPort, bind_port, open_port
from belljar.ice.relay import Packet, pack, unpack
from belljar.ice.source import Candidate, Source, Transport, host_to_bind, is_reachable
from belljar.ice.stun import is_request, is_signed, name_in

__all__ = [
    "Candidate",
    "Credentials",
    "IceServer",
    "OpenPort",
    "Packet",
    "SharedPort",
    "Source",
    "Transport",
    "TurnServers",
    "bind_port",
    "host_to_bind",
    "is_reachable",
    "is_request",
    "is_signed",
    "is_turn_url",
    "name_in",
    "name_prefix",
    "open_port",
    "pack",
    "unpack",
]
