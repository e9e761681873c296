/** The live view without a framework: its connection, its picture, and input for it. */
export { Access } from "./access.ts";
export type { AccessListener, ControlHolder } from "./access.ts";
export { addressOf } from "./address.ts";
export { Connection, openLive } from "./connection.ts";
export type {
  ConnectionOptions,
  ConnectionState,
  LiveChunk,
  LiveEvents,
  LiveMessage,
  LiveShot,
  LiveSnapshot,
  LiveSource,
} from "./connection.ts";
export { pointOnPage } from "./coordinates.ts";
export type { Point, Size } from "./coordinates.ts";
export { embedView } from "./embed.ts";
export type { TokenSource } from "./embed.ts";
export { Input, modifiersOf, place } from "./input.ts";
export type { InputOptions } from "./input.ts";
export { Picture } from "./picture.ts";
export { Video, decodable } from "./video.ts";
