import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const source = new URL('../../../electron/host/young-generation.ts', import.meta.url).href;
const mib = 1024 * 1024;

/** MiB of the young generation after a lot of short-lived objects, made in turns as a listing makes them. */
function youngAfterGarbage(isBound: boolean): number {
  const program = `
    import v8 from 'node:v8';
    import { boundYoungGeneration } from ${JSON.stringify(source)};
    if (${String(isBound)}) boundYoungGeneration();
    let kept = [];
    for (let turn = 0; turn < 300; turn += 1) {
      for (let made = 0; made < 20_000; made += 1) kept.push({ made, text: 'text ' + made });
      if (turn % 8 === 0) kept = [];
      await new Promise((resolve) => setImmediate(resolve));
    }
    const space = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    process.stdout.write(String(space.space_size));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Number(printed) / mib;
}

test('the young generation stays small, which grows without a bound', () => {
  expect(youngAfterGarbage(true)).toBeLessThanOrEqual(64);
  expect(youngAfterGarbage(false)).toBeGreaterThan(64);
});
