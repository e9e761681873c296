/** The live view without a framework: its connection, its picture, and input for it. */
export { Access } from "./access.ts";
export type { AccessListener, ControlHolder } from "./access.ts";
export { type Answer, type AskActions, askForm, focusAsk, questionOf } from "./asks.ts";
export { addressOf, failureOf } from "./address.ts";
export { Connection, openLive } from "./connection.ts";
export type {
  ConnectionOptions,
  ConnectionState,
  LiveEvents,
  LiveMessage,
  LiveSnapshot,
  LiveSound,
  LiveSource,
} from "./connection.ts";
export { pointOnPage } from "./coordinates.ts";
export type { Point, Size } from "./coordinates.ts";
export { embedView } from "./embed.ts";
export type { TokenSource } from "./embed.ts";
export { type BoxAddress, saveFile, uploadFiles } from "./files.ts";
export { findForm } from "./find.ts";
export { Tools, type ToolsListener } from "./tools.ts";
export { Zoom } from "./zoom.ts";
export type { LiveChunk, LiveShot } from "./frames.ts";
export { Input, modifiersOf, place } from "./input.ts";
export type { InputOptions } from "./input.ts";
export { Picture } from "./picture.ts";
export { Video } from "./video.ts";
export type { LiveTransport, VideoOptions } from "./video.ts";
export { decodable } from "./webcodecs.ts";
export type { Drawn } from "./webcodecs.ts";
export { nameOfTransport } from "./transports.ts";
