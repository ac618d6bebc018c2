import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const core = new URL('../../../electron/core/core.ts', import.meta.url);

it('loads undici with the first connection, not with the core', async () => {
  // Undici consists of CommonJS modules, which the cache of `require` lists.
  const script = `await import(${JSON.stringify(core.href)});
    const { createRequire } = await import('node:module');
    const loaded = Object.keys(createRequire(${JSON.stringify(import.meta.url)}).cache);
    console.log(JSON.stringify(loaded.filter((file) => /[\\\\/]undici[\\\\/]/.test(file))));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  });
  expect(JSON.parse(stdout)).toEqual([]);
}, 30_000);
