/** What a server may send that is none: frames, descriptions and messages of any kind end nothing, and throw nothing. */
import { expect, test } from "vitest";
import { Connection, type LiveChunk, type LiveShot } from "../src/index.ts";
import { readFrame } from "../src/frames.ts";
import { fragment, headOf, initSegment, mimeOf, unitsOf } from "../src/mp4.ts";

/** The same numbers in each run. */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const bytes = (random: () => number, length: number) => Uint8Array.from({ length }, () => Math.floor(random() * 256));

// 1280 by 720, constrained baseline, level 3.1, as x264 writes it.
const SPS = [0x67, 0x42, 0xc0, 0x1f, 0xd9, 0x00, 0x50, 0x05, 0xbb, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10, 0x00, 0x00, 0x03, 0x03, 0xc0, 0xf1, 0x83, 0x24, 0x80];
const PPS = [0x68, 0xcb, 0x83, 0xcb, 0x20];
const KEY = Uint8Array.from([0, 0, 0, 1, ...SPS, 0, 0, 0, 1, ...PPS, 0, 0, 1, 0x65, 1, 2, 3]);

test("a key frame has its units, its size and its name", () => {
  const units = unitsOf(KEY);
  expect(units.map((unit) => unit[0]! & 31)).toEqual([7, 8, 5]);
  const head = headOf(units)!;
  expect([head.width, head.height, mimeOf(head)]).toEqual([1280, 720, 'video/mp4; codecs="avc1.42c01f"']);
  const made = fragment(units, true, 1, 2 ** 33, 34);
  // The boxes' lengths add up, and the frame is in the last.
  let at = 0;
  const names: string[] = [];
  for (const part of [initSegment(head), made]) {
    at = 0;
    while (at < part.length) {
      names.push(String.fromCharCode(...part.subarray(at + 4, at + 8)));
      at += new DataView(part.buffer, part.byteOffset + at).getUint32(0);
    }
    expect(at).toBe(part.length);
  }
  expect(names).toEqual(["ftyp", "moov", "moof", "mdat"]);
  expect([...made.subarray(-8)]).toEqual([0, 0, 0, 4, 0x65, 1, 2, 3]);
});

test("no bytes at all are too much for what reads frames and MP4", () => {
  const random = randomly(18);
  for (let time = 0; time < 5000; time++) {
    const data = bytes(random, Math.floor(random() * 80));
    // Often something that looks like a unit.
    if (time % 2 === 0) data.set([0, 0, 1, time % 4 === 0 ? 0x67 : 0x68, 66].slice(0, data.length));
    const spoiled = KEY.slice();
    for (let count = 0; count < 4; count++) spoiled[Math.floor(random() * spoiled.length)] = Math.floor(random() * 256);
    for (const one of [data, spoiled]) {
      const units = unitsOf(one);
      const head = headOf(units);
      if (head !== undefined) expect(Math.max(head.width, head.height)).toBeLessThanOrEqual(16384);
      if (head !== undefined) initSegment(head);
      expect(fragment(units, true, time, time, 34).length).toBeGreaterThan(80);
      const read = readFrame(one.slice().buffer);
      expect(read === undefined || "shot" in read || "chunk" in read).toBe(true);
    }
  }
});

test("a server that says anything leaves the connection as it was", async () => {
  const sent: string[] = [];
  const socket = Object.assign(new EventTarget(), {
    readyState: 1,
    binaryType: "",
    send: (text: string) => void sent.push(text),
    close: () => undefined,
    onmessage: null as ((event: { data: unknown }) => void) | null,
    onclose: null,
    onopen: null,
  });
  const connection = new Connection(() => socket as unknown as WebSocket, { storage: null });
  const shown: (LiveShot | LiveChunk)[] = [];
  connection.on("frame", (shot) => shown.push(shot));
  connection.on("chunk", (chunk) => shown.push(chunk));
  connection.open();
  await expect.poll(() => socket.onmessage !== null).toBe(true);
  const call = connection.call("navigate");
  const say = (data: unknown) => socket.onmessage!({ data });
  for (const text of ["", "null", "7", "[]", "{", '"x"', '{"type":"event"}', '{"type":"event","name":"ready"}', '{"type":"event","name":"video","data":null}', '{"type":"event","name":"constructor","data":{}}', '{"type":"pong"}', '{"type":"result","id":99}', '{"type":"event","name":"stats","data":{}}', '{"__proto__":{"type":"event"}}']) say(text);
  for (const length of [0, 1, 15, 16]) say(new ArrayBuffer(length));
  const frame = new Uint8Array(20);
  for (const kind of [0, 4, 255]) say(Uint8Array.from(frame, (_, index) => (index === 0 ? kind : 0)).buffer);
  expect(shown).toEqual([]);
  say(Uint8Array.from(frame, (_, index) => (index === 0 ? 1 : 0)).buffer);
  expect(shown).toHaveLength(1);
  say(JSON.stringify({ type: "result", id: 1, ok: true, result: "still here" }));
  expect(await call).toBe("still here");
  expect(connection.state).toBe("open");
  connection.close();
});
