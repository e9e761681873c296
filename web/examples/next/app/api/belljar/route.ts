/** The only place that knows the API key: it gives a page a short token for one session, and nothing else. */
import { Belljar } from "belljar";

// BELLJAR_URL and BELLJAR_TOKEN, which only this server has.
const jar = () => new Belljar();

export async function POST(): Promise<Response> {
  // Here you would look at your own cookie: who is this, and which session is theirs?
  const user = "ann";
  const id = await sessionOf(user);
  const { token } = await jar().sessions.createToken(id, { role: "drive", ttl: 300, note: user });
  const baseUrl = `${process.env.BELLJAR_PUBLIC_URL ?? process.env.BELLJAR_URL}/s/${id}`;
  return Response.json({ baseUrl, token }, { headers: { "Cache-Control": "no-store" } });
}

/** Their running session, by its tag; a new one where there is none. */
async function sessionOf(user: string): Promise<string> {
  const { sessions } = await jar().sessions.list({ tag: [`user:${user}`], state: ["running"] });
  if (sessions[0] !== undefined) return sessions[0].id;
  const session = await jar().sessions.create({ ttl: 3600, tags: { user } });
  await session.browser.open("data:text/html,<title>Hello</title><h1>Hello</h1>");
  return session.id;
}
