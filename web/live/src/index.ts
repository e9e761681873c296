/** The live view without a framework: its connection, its picture, and input for it. */
export { Connection } from "./connection.ts";
export type {
  ConnectionOptions,
  ConnectionState,
  LiveEvents,
  LiveMessage,
  LiveShot,
  LiveSnapshot,
  LiveSource,
} from "./connection.ts";
export { pointOnPage } from "./coordinates.ts";
export type { Point, Size } from "./coordinates.ts";
export { Input, modifiersOf, place } from "./input.ts";
export { Picture } from "./picture.ts";
