// Preloaded, so that `import … from "sandbox-agent"` is our own client, from its source: the checks stay as they are.
import { registerHooks } from "node:module";

const OURS = new URL("../../web/sdk/src/index.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "sandbox-agent" ? { url: OURS, shortCircuit: true } : next(specifier, context),
});
