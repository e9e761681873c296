/** H.264 as it comes (Annex B) in fragments of MP4, as Media Source Extensions take it: a head, then a fragment for each frame. */

const [SPS, PPS] = [7, 8];
// Larger ones are no picture of ours.
const MOST_PIXELS = 16384;
// Milliseconds.
const TIMESCALE = 1000;

type Bytes = Uint8Array<ArrayBuffer>;

/** The parameter sets before a key frame, and the size that they tell. */
export interface H264Head {
  sps: Bytes;
  pps: Bytes;
  width: number;
  height: number;
}

/** The units of an access unit, without their start codes. */
export function unitsOf(data: Bytes): Bytes[] {
  const units: Bytes[] = [];
  let begin = -1;
  for (let at = 0; at + 2 < data.length; at++) {
    if (data[at] !== 0 || data[at + 1] !== 0 || data[at + 2] !== 1) continue;
    if (begin >= 0) units.push(data.subarray(begin, data[at - 1] === 0 ? at - 1 : at));
    begin = at + 3;
    at += 2;
  }
  if (begin >= 0) units.push(data.subarray(begin));
  return units.filter((unit) => unit.length > 0);
}

/** Of a key frame's units; nothing where they tell no size that could be one. */
export function headOf(units: Bytes[]): H264Head | undefined {
  const [sps, pps] = [SPS, PPS].map((kind) => units.find((unit) => (unit[0]! & 31) === kind));
  if (sps === undefined || pps === undefined || sps.length < 4) return undefined;
  const size = sizeOf(sps);
  return size === undefined ? undefined : { sps, pps, ...size };
}

/** Numbers of a bit stream; 0 beyond its end. */
class Bits {
  readonly #data: Uint8Array;
  #at = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  get isOver(): boolean {
    return this.#at > this.#data.length * 8;
  }

  bit(): number {
    const byte = this.#data[this.#at >> 3] ?? 0;
    return (byte >> (7 - (this.#at++ & 7))) & 1;
  }

  /** Exp-Golomb. */
  number(): number {
    let zeros = 0;
    while (this.bit() === 0 && zeros < 32 && !this.isOver) zeros++;
    let value = 1;
    for (let count = 0; count < zeros; count++) value = value * 2 + this.bit();
    return value - 1;
  }
}

/** The profiles without a choice of colours, which are those that are made for viewers: baseline and main. */
function sizeOf(sps: Bytes): { width: number; height: number } | undefined {
  if (sps[1] !== 66 && sps[1] !== 77) return undefined;
  // A zero that stands there only so that nothing looks like a start code.
  const plain = sps.filter((byte, index) => byte !== 3 || index < 2 || sps[index - 1] !== 0 || sps[index - 2] !== 0);
  const bits = new Bits(plain.subarray(4));
  bits.number(); // its id
  bits.number(); // frame numbers
  const order = bits.number();
  if (order === 0) bits.number();
  else if (order === 1) return undefined;
  bits.number(); // reference frames
  bits.bit();
  const across = bits.number() + 1;
  const down = bits.number() + 1;
  const isWhole = bits.bit();
  if (isWhole === 0) bits.bit();
  bits.bit();
  const [left, right, top, bottom] = bits.bit() === 1 ? [bits.number(), bits.number(), bits.number(), bits.number()] : [0, 0, 0, 0];
  const width = across * 16 - 2 * (left + right);
  const height = (2 - isWhole) * (down * 16 - 2 * (top + bottom));
  const isGood = !bits.isOver && width > 0 && height > 0 && width <= MOST_PIXELS && height <= MOST_PIXELS;
  return isGood ? { width, height } : undefined;
}

/** As a source buffer is asked for it. */
export function mimeOf({ sps }: H264Head): string {
  const hex = [...sps.subarray(1, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `video/mp4; codecs="avc1.${hex}"`;
}

type Part = Bytes | number[];

function bytesOf(parts: Part[]): Bytes {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

const u16 = (value: number): number[] => [(value >> 8) & 255, value & 255];
const u32 = (value: number): number[] => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const u64 = (value: number): number[] => [...u32(Math.floor(value / 2 ** 32)), ...u32(value % 2 ** 32)];
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

function box(name: string, ...parts: Part[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return bytesOf([u32(length), letters(name), ...parts]);
}

const MATRIX = [...u32(0x10000), ...zeros(12), ...u32(0x10000), ...zeros(12), ...u32(0x40000000)];

/** What comes first, and again where the size changes.  It has no duration: browsers show what is live without delay. */
export function initSegment({ sps, pps, width, height }: H264Head): Bytes {
  const avcC = box("avcC", [1], sps.subarray(1, 4), [0xff, 0xe1], u16(sps.length), sps, [1], u16(pps.length), pps);
  const size = [...u16(width), ...u16(height)];
  const avc1 = box("avc1", zeros(6), u16(1), zeros(16), size, u32(0x480000), u32(0x480000), u32(0), u16(1), zeros(32), u16(24), [255, 255], avcC);
  const nothing = (name: string): Bytes => box(name, zeros(8));
  const tables = [box("stsd", zeros(4), u32(1), avc1), nothing("stts"), nothing("stsc"), box("stsz", zeros(12)), nothing("stco")];
  const data = box("dinf", box("dref", zeros(4), u32(1), box("url ", [0, 0, 0, 1])));
  const media = box("minf", box("vmhd", [0, 0, 0, 1], zeros(8)), data, box("stbl", ...tables));
  const track = box(
    "trak",
    box("tkhd", [0, 0, 0, 7], zeros(8), u32(1), zeros(8), zeros(8), zeros(8), MATRIX, u32(width * 65536), u32(height * 65536)),
    box("mdia", box("mdhd", zeros(12), u32(TIMESCALE), u32(0), [0x55, 0xc4, 0, 0]), box("hdlr", zeros(8), letters("vide"), zeros(12), letters("video"), [0]), media),
  );
  const movie = box("mvhd", zeros(12), u32(TIMESCALE), u32(0), u32(0x10000), [1, 0], zeros(10), MATRIX, zeros(24), u32(2));
  const extends_ = box("mvex", box("trex", zeros(4), u32(1), u32(1), u32(0), u32(0), u32(0)));
  return bytesOf([box("ftyp", letters("isom"), u32(1), letters("isomavc1")), box("moov", movie, track, extends_)]);
}

/** One frame, from `time` on for `duration`, in milliseconds. */
export function fragment(units: Bytes[], isKey: boolean, number: number, time: number, duration: number): Bytes {
  const sample = bytesOf(units.filter((unit) => ![SPS, PPS].includes(unit[0]! & 31)).flatMap((unit) => [u32(unit.length), unit]));
  const flags = u32(isKey ? 0x02000000 : 0x01010000);
  const moof = (offset: number): Bytes =>
    box(
      "moof",
      box("mfhd", zeros(4), u32(number)),
      box(
        "traf",
        // Offsets are counted from this box.
        box("tfhd", u32(0x020000), u32(1)),
        box("tfdt", [1, 0, 0, 0], u64(time)),
        box("trun", u32(0x000701), u32(1), u32(offset), u32(duration), u32(sample.length), flags),
      ),
    );
  return bytesOf([moof(moof(0).length + 8), box("mdat", sample)]);
}
