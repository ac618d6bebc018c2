import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  root,
  test: {
    include: ['test/unit/**/*.test.{ts,tsx}', 'test/integration/**/*.test.ts'],
    environment: 'node',
    // What the terminal prints follows its language; tests read English.
    env: { LC_ALL: 'C' },
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
