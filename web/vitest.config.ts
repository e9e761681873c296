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
    // As `--reruns 2` in the Makefile: for CI's machine, until five whole runs in a row have needed none.
    retry: process.env.CI ? 2 : 0,
  },
});
