import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { guardProcess } from '../../../electron/host/process.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { execFileSync } from 'node:child_process';

const source = new URL('../../../electron/host/process.ts', import.meta.url).href;
const mib = 1024 * 1024;

/**
 * Returns the size of the young generation in MiB at three moments: after many short-lived objects, created in batches like a
 * listing's; after a collection that shrinks it, as V8 does in idle programs; and after as many objects again.
 */
function youngSizes(isBound: boolean): readonly [number, number, number] {
  const program = `
    import v8 from 'node:v8';
    import vm from 'node:vm';
    import { boundYoungGeneration } from ${JSON.stringify(source)};
    if (${String(isBound)}) boundYoungGeneration();
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc');
    const size = () => v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
    const work = async () => {
      let kept = [];
      for (let turn = 0; turn < 300; turn += 1) {
        for (let made = 0; made < 20_000; made += 1) kept.push({ made, text: 'text ' + made });
        if (turn % 8 === 0) kept = [];
        await new Promise((resolve) => setImmediate(resolve));
      }
      return size();
    };
    const first = await work();
    collect({ type: 'major', flavor: 'last-resort' });
    const rested = size();
    process.stdout.write(JSON.stringify([first, rested, await work()]));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [first, rested, again] = JSON.parse(printed) as [number, number, number];
  return [first / mib, rested / mib, again / mib];
}

/** The limit of 16 MiB, and what V8 holds beside it for a moment while it collects (up to 27 MiB in all, measured). */
const maxMib = 32;

test('the young generation stays near its limit, which V8 alone would exceed', () => {
  expect(youngSizes(true)[0]).toBeLessThanOrEqual(maxMib);
  expect(youngSizes(false)[0]).toBeGreaterThan(64);
});

test('a young generation shrunk by V8 at rest grows again up to its limit', () => {
  const [, rested, again] = youngSizes(true);
  expect(rested).toBeLessThanOrEqual(4);
  expect(again).toBeGreaterThanOrEqual(8);
  expect(again).toBeLessThanOrEqual(maxMib);
});

test('every uncaught error is logged, and reported to the user once', () => {
  const target = new EventEmitter();
  const ports = fakePorts();
  const tell = vi.fn<() => void>();
  const stop = guardProcess({ logger: ports.logger, tell }, target);
  target.emit('uncaughtException', new Error('one'));
  target.emit('unhandledRejection', new Error('two'), Promise.resolve());
  expect(ports.logger.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
  expect(tell).toHaveBeenCalledTimes(1);
  stop();
  expect(target.listenerCount('uncaughtException')).toBe(0);
});
