/** A call of the record as curl, Python and TypeScript: from the operation's own path and method. */
import type { Act } from "./acts.ts";
import { boxAddress } from "../../shell/server.ts";
import { OPERATIONS } from "virtual:operations";

export const CALL_LANGUAGES = ["curl", "Python", "TypeScript"] as const;
export type CallLanguage = (typeof CALL_LANGUAGES)[number];

/** Undefined where the record does not know an operation of the API by that name. */
export function asCall(act: Act, session: string | undefined, language: CallLanguage): string | undefined {
  const operation = OPERATIONS[act.name];
  if (operation === undefined) return undefined;
  const [method, template] = operation;
  const base = boxAddress(session).replace(/\/$/, "");
  // What was typed is in no record: whoever sends it again fills it in.
  const rest = Object.fromEntries(Object.entries(act.data).map(([name, value]) => [name, isLeftOut(value) ? "…" : value]));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name] ?? rest[camel(name)];
    delete rest[name];
    delete rest[camel(name)];
    return value === undefined ? `{${name}}` : encodeURIComponent(String(value));
  });
  const isQuery = method === "GET" || method === "DELETE";
  const pairs = Object.entries(rest).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const);
  const query = isQuery && pairs.length > 0 ? `?${new URLSearchParams(pairs as unknown as [string, string][])}` : "";
  const body = isQuery ? undefined : rest;
  if (language === "curl") {
    const data = body === undefined ? "" : ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
    return `curl${method === "GET" ? "" : ` -X ${method}`} '${base}${path}${query}' \\\n  -H "Authorization: Bearer $BELLJAR_TOKEN"${data}`;
  }
  if (language === "Python")
    return `import httpx\n\nhttpx.request("${method}", "${base}${path}${query}",\n    headers={"Authorization": f"Bearer {token}"}${body === undefined ? "" : `,\n    json=${JSON.stringify(body).replaceAll(":true", ":True").replaceAll(":false", ":False").replaceAll(":null", ":None")}`})`;
  return `await fetch("${base}${path}${query}", {\n  method: "${method}",\n  headers: { Authorization: \`Bearer \${token}\`${body === undefined ? "" : ', "Content-Type": "application/json"'} },${body === undefined ? "" : `\n  body: JSON.stringify(${JSON.stringify(body)}),`}\n});`;
}

function isLeftOut(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "length";
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
