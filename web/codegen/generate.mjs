// Types out of openapi/*.json, and the codes of problems: `node generate.mjs` writes them, `--check` says whether they are fresh.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const here = new URL(".", import.meta.url);
const root = new URL("../../", here);
const output = new URL("../sdk/src/", here);
const heading = (from) => `// Made from ${from} by web/codegen: \`make web-types\`. Not to be edited.\n\n`;

const files = {};
const codes = new Set();
// By name; what both documents have is the same.
const schemas = new Map();
for (const name of ["box", "control"]) {
  const path = `openapi/${name}.json`;
  const document = JSON.parse(readFileSync(new URL(path, root), "utf8"));
  requireAnswered(document);
  // A field with a default may be left out of a request.
  files[`${name}.gen.ts`] = heading(path) + astToString(await openapiTS(document, { defaultNonNullable: false }));
  for (const schema of Object.keys(document.components.schemas)) if (!schemas.has(schema)) schemas.set(schema, name);
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    for (const response of Object.values(operation.responses))
      for (const code of Object.keys(response.content?.["application/problem+json"]?.examples ?? {})) codes.add(code);
}

/** A field with a default may be left out of a request, but is always there in an answer. */
function requireAnswered(document) {
  const schemas = document.components.schemas;
  const sent = new Set();
  const reach = (value) => {
    if (typeof value !== "object" || value === null) return;
    const name = value.$ref?.split("/").pop();
    if (name !== undefined && !sent.has(name)) {
      sent.add(name);
      reach(schemas[name]);
    }
    Object.values(value).forEach(reach);
  };
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    reach([operation.requestBody, operation.parameters]);
  for (const socket of Object.values(document["x-websockets"] ?? {})) reach(socket.clientMessages);
  for (const [name, schema] of Object.entries(schemas)) {
    if (sent.has(name)) continue;
    const known = Object.entries(schema.properties ?? {}).filter(([, property]) => property.default !== undefined);
    const required = new Set([...(schema.required ?? []), ...known.map(([key]) => key)]);
    if (required.size > 0) schema.required = [...required].sort();
  }
}

const union = [...codes].sort().map((code) => `  | "${code}"`);
files["codes.gen.ts"] =
  heading("openapi/*.json") +
  `/** The codes of the problems that operations name; docs/reference/problems.md says what each means. */\nexport type ProblemCode =\n${union.join("\n")};\n`;

// `Problem` is a class of ours.
schemas.delete("Problem");
const aliases = [...schemas].sort().map(([name, from]) => `export type ${name} = ${from}["schemas"]["${name}"];\n`);
files["schemas.gen.ts"] =
  heading("openapi/*.json") +
  `import type { components as box } from "./box.gen.ts";\nimport type { components as control } from "./control.gen.ts";\n\n` +
  aliases.join("");

let stale = false;
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, output);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
    continue;
  }
  let before = "";
  try {
    before = readFileSync(file, "utf8");
  } catch {}
  if (before !== text) {
    console.error(`web/sdk/src/${name} is stale: run 'make web-types' and commit it.`);
    stale = true;
  }
}
process.exit(stale ? 1 : 0);
