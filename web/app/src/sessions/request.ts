/** The form of a new session: what is typed, the request it makes, and the same as curl, Python and TypeScript. */
import type { SessionCreateRequest } from "belljar";
import { addressOf } from "belljar/live";
import { root } from "../shell/address.ts";

/** Everything as it is typed: nothing is lost while it is not yet right. */
export interface Form {
  url: string;
  mode: string;
  headless: boolean;
  width: string;
  height: string;
  profileId: string;
  readOnly: boolean;
  name: string;
  id: string;
  ttl: string;
  idleTimeout: string;
  tags: string;
  metadata: string;
  egress: string;
  deny: string;
  only: string;
  proxy: string;
  cdp: string;
  evaluate: string;
  record: string;
  recordKinds: string;
  film: string;
  memoryMb: string;
  cpus: string;
  diskMb: string;
  processes: string;
  viewers: string;
  inputRate: string;
  commandRate: string;
}

export const EMPTY: Form = {
  url: "",
  mode: "browser",
  headless: false,
  width: "1280",
  height: "720",
  profileId: "",
  readOnly: false,
  name: "",
  id: "",
  ttl: "",
  idleTimeout: "",
  tags: "",
  metadata: "",
  egress: "",
  deny: "",
  only: "",
  proxy: "",
  cdp: "",
  evaluate: "",
  record: "",
  recordKinds: "",
  film: "",
  memoryMb: "",
  cpus: "",
  diskMb: "",
  processes: "",
  viewers: "",
  inputRate: "",
  commandRate: "",
};

export type Errors = Partial<Record<keyof Form | "all", string>>;

/** What is sent, and what of the form cannot be. */
export function requestOf(form: Form): { request: SessionCreateRequest; errors: Errors } {
  const errors: Errors = {};
  const number = (name: keyof Form): number | undefined => {
    const text = String(form[name]).trim();
    if (text === "") return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) errors[name] = "A number is wanted here.";
    return value;
  };
  const list = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
  const [width, height] = [number("width"), number("height")];
  const limits = clean({
    memoryMb: number("memoryMb"),
    cpus: number("cpus"),
    diskMb: number("diskMb"),
    processes: number("processes"),
    viewers: number("viewers"),
    inputRate: number("inputRate"),
    commandRate: number("commandRate"),
  });
  const policy = clean({
    egress: form.egress === "none" ? "none" : undefined,
    deny: some(list(form.deny)),
    only: some(list(form.only)),
    cdp: form.cdp || undefined,
    evaluate: form.evaluate || undefined,
  });
  const url = form.url.trim() === "" || form.mode !== "browser" ? undefined : addressOf(form.url);
  if (url === undefined && form.url.trim() !== "" && form.mode === "browser") errors.url = "That is no address: it needs a host, as in example.com.";
  let metadata: unknown;
  if (form.metadata.trim() !== "") {
    try {
      metadata = JSON.parse(form.metadata);
    } catch {
      errors.metadata = "This is not JSON.";
    }
  }
  const request = clean({
    id: form.id.trim() || undefined,
    url,
    mode: form.mode === "browser" ? undefined : form.mode,
    headless: form.headless && form.mode === "browser" ? true : undefined,
    viewport: (width === 1280 && height === 720) || (width === undefined && height === undefined) ? undefined : { width: width ?? 1280, height: height ?? 720 },
    profileId: form.profileId || undefined,
    readOnly: form.readOnly && form.profileId !== "" ? true : undefined,
    ttl: number("ttl"),
    idleTimeout: number("idleTimeout"),
    tags: some(tagsOf(form)),
    metadata,
    policy: some(policy),
    proxy: form.proxy.trim() || undefined,
    record: form.record || undefined,
    recordKinds: some(list(form.recordKinds)),
    film: form.film || undefined,
    limits: some(limits),
  }) as SessionCreateRequest;
  return { request, errors };
}

function tagsOf(form: Form): Record<string, string> {
  const tags: Record<string, string> = {};
  if (form.name.trim() !== "") tags["name"] = form.name.trim();
  for (const one of form.tags.split(",").map((part) => part.trim()).filter(Boolean)) {
    const [tag = "", ...value] = one.split(/[:=]/);
    tags[tag.trim()] = value.join(":").trim();
  }
  return tags;
}

function clean<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function some<T extends object>(value: T): T | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

const FIELDS: Record<string, keyof Form> = {
  "viewport.width": "width",
  "viewport.height": "height",
  "policy.egress": "egress",
  "policy.deny": "deny",
  "policy.only": "only",
  "policy.cdp": "cdp",
  "policy.evaluate": "evaluate",
};

/** Which field of the form a field of the request comes from. */
export function fieldOf(path: string): keyof Form | "all" {
  const known = FIELDS[path] ?? FIELDS[path.split(".").slice(0, 2).join(".")];
  if (known !== undefined) return known;
  const [first = "", second = ""] = path.split(".");
  const name = first === "limits" ? second : first;
  return name in EMPTY ? (name as keyof Form) : "all";
}

export const LANGUAGES = ["curl", "Python", "TypeScript"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The same request in another language; the key is the reader's own. */
export function asCode(request: SessionCreateRequest, language: Language): string {
  const base = root.href.replace(/\/$/, "");
  if (language === "curl") {
    const body = JSON.stringify(request, null, 2).replaceAll("'", "'\\''");
    return `curl ${base}/api/sessions \\\n  -H "Authorization: Bearer $BELLJAR_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  }
  if (language === "Python") {
    const fields = Object.entries(request).map(([name, value]) => `    ${snake(name)}=${python(value, 1)},\n`);
    return `import os\n\nfrom belljar import Belljar\n\nwith Belljar("${base}", os.environ["BELLJAR_TOKEN"]) as jar:\n  with jar.sessions.create(${fields.length === 0 ? "" : `\n${fields.join("")}  `}) as session:\n    print(session.browser.markdown().markdown)`;
  }
  const body = JSON.stringify(request, null, 2).replaceAll(/^(\s*)"(\w+)":/gm, "$1$2:");
  return `import { Belljar } from "belljar";\n\nconst jar = new Belljar({ baseUrl: "${base}", token: process.env.BELLJAR_TOKEN });\nawait using session = await jar.sessions.create(${body === "{}" ? "" : body});\nconsole.log(await session.browser.markdown());`;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function python(value: unknown, depth: number): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => python(one, depth + 1)).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${python(one, depth + 1)}`)
    .join(", ")}}`;
}
