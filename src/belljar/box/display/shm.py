"""The requests of MIT-SHM that python-xlib lacks: those that share memory by a descriptor."""

from Xlib.protocol import rq

EXTENSION = "MIT-SHM"


class QueryVersion(rq.ReplyRequest):  # type: ignore[misc]  # python-xlib is untyped
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(0), rq.RequestLength())
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Bool("shared_pixmaps"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card16("major_version"),
        rq.Card16("minor_version"),
        rq.Card16("uid"),
        rq.Card16("gid"),
        rq.Card8("pixmap_format"),
        rq.Pad(15),
    )


class Detach(rq.Request):  # type: ignore[misc]  # python-xlib is untyped
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(2), rq.RequestLength(), rq.Card32("segment"))


class GetImage(rq.ReplyRequest):  # type: ignore[misc]  # python-xlib is untyped
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(4),
        rq.RequestLength(),
        rq.Card32("drawable"),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.Card16("width"),
        rq.Card16("height"),
        rq.Card32("plane_mask"),
        rq.Card8("format"),
        rq.Pad(3),
        rq.Card32("segment"),
        rq.Card32("offset"),
    )
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("depth"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card32("visual"),
        rq.Card32("size"),
        rq.Pad(16),
    )


class AttachFd(rq.Request):  # type: ignore[misc]  # python-xlib is untyped
    """The descriptor itself travels beside the request, as SCM_RIGHTS."""

    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(6), rq.RequestLength(), rq.Card32("segment"), rq.Bool("read_only"), rq.Pad(3)
    )
