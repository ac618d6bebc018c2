import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { removedAtExit } from '../../support/at-exit.ts';
import { startService, type Service } from '../../support/lab-service/server.ts';
import { decompressing, followPlan } from '../../support/lab-service/service-plans.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { addConnection, openInPicker } from '../support/forms.ts';
import { jobRow, openWindow, seconds } from '../support/uploads.ts';
import { labKeys, rowOf, test, typeAddress } from '../support/window.ts';
import { open, putAll } from '../viewers/viewing.ts';

const home = removedAtExit('cooper-home-');
const text = 'Low water at ten past six.\n'.repeat(200);
const stored = { 'tide.txt.gz': gzipSync(text), 'tide.txt.br': brotliCompressSync(text) } as const;
let cooper: RunningCooper;
let service: Service;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  mkdirSync(path.join(home, 'target'));
  cooper = await startCooper({ dataDir: removedAtExit('cooper-decompressed-'), env: { HOME: home } });
  const dataDir = removedAtExit('cooper-lab-');
  service = await startService({ dataDir, credentials: [labKeys], region: 'us-east-1' });
  await putAll(service, 'tides', stored);
  const bucket = service.store.buckets.get('tides')?.id ?? -1;
  for (const key of Object.keys(stored))
    service.store.changeAttributes(bucket, key, (before) => ({
      ...before,
      headers: {
        ...before.headers,
        'content-type': 'text/plain',
        'content-encoding': key.endsWith('.gz') ? 'gzip' : 'br',
      },
    }));
  followPlan(service, decompressing);
});
test.afterAll(async () => {
  await cooper.end();
  await service.close();
});

test('objects that a service decompresses on the way are previewed, and downloaded as they are stored', async ({
  page,
}) => {
  await openWindow(page, cooper);
  await addConnection(page, { name: 'Tides', endpoint: service.endpoint, keys: labKeys });
  await typeAddress(page, 'tides/');
  for (const name of Object.keys(stored)) {
    const dialog = await open(page, name);
    await expect(dialog.getByText('Low water at ten past six.').first(), name).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  for (const [name, bytes] of Object.entries(stored)) {
    await rowOf(page, name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Download…' }).click();
    await (await openInPicker(page, home, 'target')).click();
    await expect(jobRow(page, name)).toContainText('Done. Downloaded ', seconds(20));
    expect(readFileSync(path.join(home, 'target', name)).equals(bytes)).toBe(true);
  }
});
