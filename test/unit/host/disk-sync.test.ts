import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createDiskSync,
  nodeDiskSync,
  reportsSyncErrors,
  type Helper,
} from '../../../electron/host/disk-sync.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { manualClock } from '../../support/core/fake-ports.ts';
import { tempDir } from '../../support/temp-dir.ts';

const ext4 = 0xef53;

/** Helpers that reply when the test tells them to. */
function rig(systemOf: (folder: string) => Promise<number> = () => Promise.resolve(ext4)) {
  const clock = manualClock();
  const helpers: { events: EventEmitter; asked: string[]; say: (line: string) => void; isEnded: boolean }[] =
    [];
  const disk = createDiskSync({
    clock,
    systemOf,
    start: () => {
      const events = new EventEmitter();
      const stdin = new PassThrough();
      const stdout = new PassThrough();
      const helper = {
        events,
        asked: [] as string[],
        isEnded: false,
        say: (line: string) => stdout.write(`${line}\n`),
      };
      stdin.on('data', (chunk: Buffer) => helper.asked.push(...chunk.toString().trimEnd().split('\n')));
      stdin.on('end', () => (helper.isEnded = true));
      helpers.push(helper);
      return Object.assign(events, { stdin, stdout }) as unknown as Helper;
    },
  });
  return { clock, disk, helpers };
}

/** Waits until the streams in between have delivered their data. */
const passedOn = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

describe('a sync of a whole disk', () => {
  test('succeeds if its helper confirms it, with responses matched to requests', async () => {
    const { disk, helpers } = rig();
    const first = disk.sync('/a b');
    const second = disk.sync('/c');
    await passedOn(() => helpers[0]?.asked.length === 2);
    expect(helpers[0]?.asked).toEqual(['/a b', '/c']);
    helpers[0]?.say('y');
    await expect(first).resolves.toBe(true);
    helpers[0]?.say('n');
    await expect(second).resolves.toBe(false);
    expect(helpers).toHaveLength(1);
  });

  test('times out, and is not requested again before the slow one has ended', async () => {
    const { clock, disk, helpers } = rig();
    const slow = disk.sync('/slow');
    await passedOn(() => helpers[0]?.asked.length === 1);
    await clock.advance(60_000);
    await expect(slow).resolves.toBe(false);
    await expect(disk.sync('/next')).resolves.toBe(false);
    expect(helpers[0]?.asked).toEqual(['/slow']);
    helpers[0]?.say('y');
    await new Promise((resolve) => setImmediate(resolve));
    const later = disk.sync('/later');
    await passedOn(() => helpers[0]?.asked.length === 2);
    helpers[0]?.say('y');
    await expect(later).resolves.toBe(true);
  });

  test('fails if its helper dies, which is restarted at most three times', async () => {
    const { disk, helpers } = rig();
    for (let count = 1; count <= 3; count += 1) {
      const asked = disk.sync('/a');
      await passedOn(() => helpers[count - 1]?.asked.length === 1);
      helpers[count - 1]?.events.emit('exit', 1);
      await expect(asked).resolves.toBe(false);
    }
    await expect(disk.sync('/a')).resolves.toBe(false);
    expect(helpers).toHaveLength(3);
  });

  test('fails without a helper, which is started at most three times', async () => {
    let begun = 0;
    const disk = createDiskSync({
      clock: manualClock(),
      systemOf: () => Promise.resolve(ext4),
      start: () => {
        begun += 1;
        throw new Error('ENOMEM');
      },
    });
    for (let count = 0; count < 5; count += 1) await expect(disk.sync('/a')).resolves.toBe(false);
    expect(begun).toBe(3);
  });

  test('is skipped for other file systems, unusual paths and unknown folders', async () => {
    const systems = new Map([
      ['/nfs', 0x6969],
      ['/ext4\n/etc', ext4],
      ['relative', ext4],
    ]);
    const { disk, helpers } = rig((folder) => {
      const system = systems.get(folder);
      return system === undefined ? Promise.reject(new Error('ENOENT')) : Promise.resolve(system);
    });
    for (const folder of [...systems.keys(), '/gone']) await expect(disk.sync(folder)).resolves.toBe(false);
    expect(helpers).toHaveLength(0);
  });

  test("fails when the program ends, which closes the helper's input", async () => {
    const { disk, helpers } = rig();
    const asked = disk.sync('/a');
    await passedOn(() => helpers[0]?.asked.length === 1);
    disk.close();
    await expect(asked).resolves.toBe(false);
    await passedOn(() => helpers[0]?.isEnded === true);
    await expect(disk.sync('/a')).resolves.toBe(false);
  });

  test('is used only if the kernel reports failed writes', () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ['linux', '6.1.0-18-amd64', true],
      ['linux', '5.8.0', true],
      ['linux', '5.7.19', false],
      ['linux', '4.19.0', false],
      ['linux', 'unknown', false],
      ['darwin', '24.0.0', false],
      ['win32', '10.0.26100', false],
    ];
    for (const [platform, release, wanted] of cases)
      expect([platform, release, reportsSyncErrors(platform, release)]).toEqual([platform, release, wanted]);
  });
});

describe.runIf(process.platform === 'linux')('the disk sync helper of this system', () => {
  const disk = nodeDiskSync(nodeClock);
  afterAll(() => disk?.close());

  test('reports the truth for folders with any name and for a missing one', async () => {
    if (disk === null) return;
    const folder = tempDir();
    const first = await disk.sync(folder);
    // On file systems other than these three, the result is false immediately, without asking the helper.
    expect(await disk.sync(folder)).toBe(first);
    await expect(disk.sync(`${folder}/gone`)).resolves.toBe(false);
  });
});
