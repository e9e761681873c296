import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*/test/**/*.test.ts"],
    globalSetup: ["sdk/test/servers.ts"],
    setupFiles: ["sdk/test/fresh_box.ts"],
    // One box and one control plane serve all tests, and processors are few.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
