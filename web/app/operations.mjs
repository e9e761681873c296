// Method and path of every operation of a box, from openapi/box.json: what the record names, as a call.
import { readFileSync } from "node:fs";

/** The module's text. */
export function operations() {
  const { paths } = JSON.parse(readFileSync(new URL("../../openapi/box.json", import.meta.url), "utf8"));
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => (operationId ? [[operationId, [method.toUpperCase(), path]]] : [])),
  );
  return `export const OPERATIONS = ${JSON.stringify(Object.fromEntries(all))};`;
}
