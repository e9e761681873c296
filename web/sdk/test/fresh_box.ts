/** Before each file of tests the box that all share is as it was at first: what went wrong in one file is told there, and not in all that follow. */
import { SandboxAgent } from "belljar";
import { beforeAll, inject } from "vitest";

beforeAll(async () => {
  const agent = new SandboxAgent({ baseUrl: inject("boxUrl"), token: inject("boxToken") });
  // By the operator, from whoever holds it.
  await agent.control.release({ force: true });
  await agent.stopBrowser();
  await agent.stopDesktop();
});
