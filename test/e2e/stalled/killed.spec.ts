import path from 'node:path';
import { expect } from '@playwright/test';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { startService } from '../../support/lab-service/server.ts';
import {
  connect,
  done,
  jobRow,
  objectBytes,
  openStalled,
  openWindow,
  partSize,
  planFrom,
  sampleFile,
  seconds,
  sentParts,
  sha256,
  stall,
} from '../support/uploads.ts';
import { test } from '../support/window.ts';

const keys = { accessKeyId: 'KILLKEY', secretAccessKey: 'killed-and-up-again' };
const place = { bucket: 'killed', key: 'backup/disk.img' };

test('a resume interrupted by a crash continues after a restart and sends no verified part twice', async ({
  page,
}) => {
  test.slow();
  const dir = removedAtExit('cooper-killed-');
  const dataDir = path.join(dir, 'data');
  const bytes = sampleFile(dataDir, 'disk.img', 7 * partSize + 4321, 5);
  const service = await startService({
    dataDir: path.join(dir, 'service'),
    credentials: [keys],
    region: 'us-east-1',
  });
  const first = await startCooper({ dataDir });
  let second: Awaited<ReturnType<typeof startCooper>> | null = null;
  try {
    const uploadId = await stall(service, place, bytes, [1, 2, 5]);
    await openWindow(page, first);
    await connect(page, 'Kill', service, keys);
    await openStalled(page, 'Kill');
    const dialog = await planFrom(page, 'disk.img', 'disk.img');
    await dialog.getByLabel('Parts at once').fill('2');
    await dialog.getByLabel('Speed limit, in MiB/s').fill('6');
    await dialog.getByRole('button', { name: 'Start sending' }).click();
    const stored = () => service.store.uploads.parts(uploadId, 0, 100).map(({ number }) => number);
    await expect.poll(() => stored().length, { intervals: [20], timeout: 20_000 }).toBeGreaterThan(3);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');

    const before = stored();
    const from = service.faults.journal.length;
    expect(before.length).toBeLessThan(8);
    expect(service.faults.count('CompleteMultipartUpload')).toBe(0);
    second = await startCooper({ dataDir });
    await openWindow(page, second);
    await expect(jobRow(page, 'disk.img')).toContainText(done, seconds(30));

    expect(sentParts(service, place.key).filter((part) => [1, 2, 5].includes(part))).toEqual([]);
    expect(sentParts(service, place.key, from).filter((part) => before.includes(part))).toEqual([]);
    expect(service.faults.count('CompleteMultipartUpload')).toBe(1);
    expect(sha256(await objectBytes(service.endpoint, keys, place))).toBe(sha256(bytes));
  } finally {
    await first.end();
    await second?.end();
    await service.close();
  }
});
