import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { boundedDecoder } from './packed-libraries.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const unitTests = 'test/unit/**/*.test.{ts,tsx}';
const integrationTests = 'test/integration/**/*.test.ts';
/** Test files that mock modules. They run isolated, since a mock would affect later test files in the same process. */
const mocking = globSync([unitTests, integrationTests], { cwd: root }).filter((file) =>
  readFileSync(path.join(root, file), 'utf8').includes('vi.mock('),
);

export default defineConfig({
  root,
  plugins: [boundedDecoder()],
  test: {
    // Inlined, so that the plugin that patches the decoder for the window also applies in tests.
    server: { deps: { inline: ['hyparquet'] } },
    environment: 'node',
    globalSetup: 'test/support/run-folder.ts',
    // Terminal output follows the locale, and tests expect English.
    env: { LC_ALL: 'C' },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      // Not isolated, since starting a process per file would take twice as long as most of these files run.
      { extends: true, test: { name: 'unit', include: [unitTests], exclude: mocking, isolate: false } },
      {
        extends: true,
        test: { name: 'integration', include: [integrationTests], exclude: mocking, isolate: false },
      },
      { extends: true, test: { name: 'mocking', include: mocking } },
    ],
  },
});
