/** The few messages of MCP over HTTP that trying a tool takes; the server keeps no sessions. */
import type { SandboxAgent } from "belljar";
import { serverFetch } from "../../../shell/embedding.ts";

export interface McpTool {
  name: string;
  description?: string;
  inputSchema: { properties?: Record<string, { type?: string; description?: string; enum?: unknown[]; default?: unknown }>; required?: string[] };
}

export type McpContent = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string } | { type: string };

export interface McpAnswer {
  content: readonly McpContent[];
  isError?: boolean;
}

interface McpReply<T> {
  result?: T;
  error?: { message: string };
  /** Of a problem, where the request did not get as far as MCP. */
  detail?: string;
}

const VERSION = "2025-06-18";
// A crawl, or a question to a person.
const LONGEST_MS = 600_000;

async function ask<T>(box: SandboxAgent, method: string, params: object): Promise<T> {
  const headers = { Accept: "application/json, text/event-stream", "Content-Type": "application/json", "MCP-Protocol-Version": VERSION };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await serverFetch(box.http.url("/mcp"), { method: "POST", headers, body, signal: AbortSignal.timeout(LONGEST_MS) });
  const text = await response.text();
  // As one event, or as it is.
  const told = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  let reply: McpReply<T>;
  try {
    reply = JSON.parse(told) as McpReply<T>;
  } catch {
    throw new Error(`The MCP server answered ${response.status}, and with no JSON.`);
  }
  if (reply.result === undefined) throw new Error(reply.error?.message ?? reply.detail ?? "The MCP server gave no answer.");
  return reply.result;
}

export async function listTools(box: SandboxAgent): Promise<readonly McpTool[]> {
  return (await ask<{ tools: McpTool[] }>(box, "tools/list", {})).tools;
}

export function callTool(box: SandboxAgent, name: string, args: unknown): Promise<McpAnswer> {
  return ask<McpAnswer>(box, "tools/call", { name, arguments: args });
}
