/** A WebRTC peer that brings the picture: probed before it is relied on, and given up as soon as it falls silent. */
import type { LivePeerChanged, LivePeerWish } from "belljar";
import { watchFrames } from "./video_frames.ts";
import type { Drawn } from "./webcodecs.ts";

// It is asked so often whether it lives, and is lost when it does not answer for so long: ICE itself would say so after many seconds.
const PING_MS = 250;
const SILENCE_MS = 1_100;
// The server sends a frame a second where nothing moves.
const NO_FRAME_MS = 4_000;
// The longest that a first frame may take.
const PROBE_MS = 10_000;
const [PING, PONG] = [7, 3];

export interface PeerListener {
  send(wish: LivePeerWish): void;
  /** It is connected and has shown a frame: it can be relied on. */
  proved(): void;
  shown(drawn: Drawn): void;
  /** It brings sound, too. */
  sounds(): void;
  /** It is over.  `isRefused`: the server would have none. */
  lost(reason: string, isRefused: boolean): void;
}

/** What this browser can be sent by WebRTC, best first; nothing where it has none. */
export function receivable(): string[] {
  const codecs = globalThis.RTCRtpReceiver?.getCapabilities?.("video")?.codecs ?? [];
  return ["h264", "vp8"].filter((name) => codecs.some(({ mimeType }) => mimeType.toLowerCase() === `video/${name}`));
}

export class Peer {
  readonly #number: number;
  readonly #listener: PeerListener;
  readonly #video: HTMLVideoElement;
  readonly #stopWatching: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #began = performance.now();
  #peer: RTCPeerConnection | null = null;
  #channel: RTCDataChannel | null = null;
  // When the oldest ping was sent that nothing was heard after.
  #asked: number | null = null;
  #isProved = false;
  #isHeard = false;
  #isOver = false;
  #frames = 0;
  #frameAt = 0;
  #measured = { frames: 0, bytes: 0, at: performance.now() };

  constructor(number: number, codecs: string[], crop: "page" | undefined, listener: PeerListener) {
    this.#number = number;
    this.#listener = listener;
    this.#video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, autoplay: true });
    this.#stopWatching = watchFrames(this.#video, (drawn) => this.#framed(drawn));
    this.#timer = setInterval(() => this.#check(), PING_MS);
    listener.send({ type: "webrtc", action: "start", peer: number, codecs, ...(crop === undefined ? {} : { crop }) });
  }

  /** What the server tells of it. */
  hear(changed: LivePeerChanged): void {
    if (this.#isOver || changed.peer !== this.#number) return;
    if (changed.state === "offered") void this.#answer(changed);
    else if (changed.state === "gone") this.#lose(changed.reason ?? "it is gone", this.#peer === null);
  }

  /** Let its sound be heard, or not; whether it is, which browsers refuse until a person has clicked. */
  async listen(isHeard: boolean): Promise<boolean> {
    this.#isHeard = isHeard;
    this.#video.muted = !isHeard;
    try {
      await this.#video.play();
    } catch {
      // Without its sound it may play at any time.
      this.#video.muted = true;
      void this.#video.play().catch(() => undefined);
    }
    return !this.#video.muted;
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#stopWatching();
    if (this.#peer !== null) this.#peer.onconnectionstatechange = this.#peer.ontrack = this.#peer.ondatachannel = null;
    this.#peer?.close();
    this.#video.srcObject = null;
    this.#listener.send({ type: "webrtc", action: "stop", peer: this.#number });
  }

  /** Frames and kilobits a second since it was asked last. */
  async measure(): Promise<{ fps: number; kbps: number }> {
    let bytes = 0;
    for (const one of ((await this.#peer?.getStats()) ?? new Map()).values()) if (one.type === "inbound-rtp") bytes += one.bytesReceived ?? 0;
    const [before, now] = [this.#measured, { frames: this.#frames, bytes, at: performance.now() }];
    this.#measured = now;
    const seconds = Math.max(0.1, (now.at - before.at) / 1000);
    return { fps: Math.round((now.frames - before.frames) / seconds), kbps: Math.max(0, Math.round(((now.bytes - before.bytes) * 8) / 1000 / seconds)) };
  }

  async #answer({ sdp, iceServers }: LivePeerChanged): Promise<void> {
    try {
      const peer = (this.#peer = new RTCPeerConnection({ iceServers: (iceServers ?? []) as RTCIceServer[] }));
      peer.ontrack = ({ streams, track }) => {
        const stream = streams[0] ?? new MediaStream([track]);
        if (this.#video.srcObject !== stream) this.#video.srcObject = stream;
        void this.listen(this.#isHeard);
        if (track.kind === "audio") this.#listener.sounds();
      };
      peer.ondatachannel = ({ channel }) => this.#open(channel);
      peer.onconnectionstatechange = () => {
        if (peer.connectionState === "failed" || peer.connectionState === "closed") this.#lose(`the connection ${peer.connectionState}`);
      };
      await peer.setRemoteDescription({ type: "offer", sdp: sdp ?? "" });
      await peer.setLocalDescription(await peer.createAnswer());
      if (this.#isOver) return peer.close();
      // The server finds out by itself where this side is.
      this.#listener.send({ type: "webrtc", action: "answer", peer: this.#number, sdp: peer.localDescription?.sdp ?? "" });
    } catch (error) {
      this.#lose(String(error));
    }
  }

  #open(channel: RTCDataChannel): void {
    channel.binaryType = "arraybuffer";
    channel.onmessage = ({ data }: MessageEvent) => {
      if (data instanceof ArrayBuffer && data.byteLength >= 3 && new DataView(data).getUint8(0) === PONG) this.#asked = null;
    };
    this.#channel = channel;
  }

  #framed(drawn: Drawn): void {
    this.#frames++;
    this.#frameAt = performance.now();
    // A first frame and an answer: both ways work.
    if (!this.#isProved && this.#channel?.readyState === "open") {
      this.#isProved = true;
      this.#listener.proved();
    }
    this.#listener.shown(drawn);
  }

  #check(): void {
    const now = performance.now();
    if (!this.#isProved && now - this.#began > PROBE_MS) return this.#lose("it did not connect in time");
    if (this.#asked !== null && now - this.#asked > SILENCE_MS) return this.#lose("it does not answer");
    // Frames are not shown where nobody can see them.
    if (globalThis.document?.hidden) this.#frameAt = now;
    else if (this.#isProved && now - this.#frameAt > NO_FRAME_MS) return this.#lose("no frames come");
    if (this.#channel?.readyState !== "open") return;
    this.#asked ??= now;
    const ping = new DataView(new ArrayBuffer(11));
    ping.setUint8(0, PING);
    ping.setUint16(1, 8);
    ping.setUint32(7, now);
    this.#channel.send(ping.buffer);
  }

  #lose(reason: string, isRefused = false): void {
    if (this.#isOver) return;
    this.close();
    this.#listener.lost(reason, isRefused);
  }
}
