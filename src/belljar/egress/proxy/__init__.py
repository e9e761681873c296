"""The proxy that moves what the policy allows: HTTP, CONNECT and SOCKS 5 on one listener."""
