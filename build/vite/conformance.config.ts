import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs one suite against the endpoint in S3_ENDPOINT and related variables; see test/integration/conformance/run.ts. */
export default defineConfig({
  root,
  test: {
    include: ['test/integration/conformance/*.suite.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
});
