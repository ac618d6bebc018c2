import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { startService } from '../../../electron/service/server.ts';
import {
  act,
  connect,
  done,
  jobRow,
  objectBytes,
  openStalled,
  panel,
  partSize,
  planFrom,
  sampleFile,
  seconds,
  sentParts,
  sha256,
  stall,
} from '../support/uploads.ts';
import { labKeys, sidebarRow, test } from '../support/window.ts';

test('a transfer pauses, rests while it is paused, and goes on to the end when it is resumed', async ({
  win,
  lab,
  cooper,
}) => {
  const place = { bucket: 'paused', key: 'paused.img' };
  const file = sampleFile(cooper.dataDir, 'paused.img', 4 * partSize, 7);
  const uploadId = await stall(lab, place, file, [1]);
  await openStalled(win, 'Lab', place.bucket);
  const plan = await planFrom(win, 'paused.img', 'paused.img');
  await plan.getByLabel('Parts at once').fill('1');
  await plan.getByLabel('Speed limit, in MB a second').fill('8');
  await plan.getByRole('button', { name: 'Start sending' }).click();
  const row = jobRow(win, 'paused.img');
  await expect.poll(() => sentParts(lab, place.key).length, { intervals: [20] }).toBeGreaterThan(0);
  await row.getByRole('button', { name: 'Pause' }).click();
  await expect(row).toContainText('Paused: by you');
  await expect(row.getByRole('progressbar', { name: 'Progress of paused.img' })).toBeVisible();
  expect(lab.store.upload(uploadId)).not.toBeNull();
  await row.getByRole('button', { name: 'Resume' }).click();
  await expect(row).toContainText(done, seconds(20));
  expect(sentParts(lab, place.key)).not.toContain(1);
  expect(sha256(await objectBytes(lab.endpoint, labKeys, place))).toBe(sha256(file));
});

test('a service that asks to wait is waited for, until the user says to try again now; the log has its status and request id', async ({
  win,
  lab,
}) => {
  const place = { bucket: 'busy', key: 'busy.bin' };
  const bytes = Buffer.alloc(partSize + 5, 'busy ');
  await stall(lab, place, bytes, [1, 2]);
  const busy = lab.faults.add({
    operation: 'CompleteMultipartUpload',
    key: place.key,
    times: Infinity,
    action: { kind: 'status', status: 503, code: 'SlowDown', retryAfterSeconds: 600 },
  });
  await openStalled(win, 'Lab', place.bucket);
  await act(win, 'busy.bin', 'Complete as it is…');
  await win
    .getByRole('dialog', { name: 'Complete this upload as it is?' })
    .getByRole('button', { name: 'Complete', exact: true })
    .click();
  const row = jobRow(win, 'busy.bin');
  await expect(row).toContainText(
    /Waiting to try again in (?:10|9) min.*the service is busy and asks to slow down/,
  );
  await row.dblclick();
  const log = panel(win).getByRole('region', { name: 'Requests of this transfer' });
  const refused = log.getByRole('row').filter({ hasText: /Complete.*503.*SlowDown/ });
  await expect(refused.first().getByRole('cell').last()).toHaveText(/\w{8,}/);
  busy.remove();
  await row.getByRole('button', { name: 'Try again now' }).click();
  await expect(row).toContainText(done, seconds(20));
  expect(sha256(await objectBytes(lab.endpoint, labKeys, place))).toBe(sha256(bytes));
});

test('keys that expire pause the transfer and ask for new ones; putting them into the connection continues it', async ({
  win,
}) => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-expired-'));
  const old = { accessKeyId: 'OLDKEY', secretAccessKey: 'old-secret-of-the-lab' };
  const fresh = { accessKeyId: 'NEWKEY', secretAccessKey: 'new-secret-of-the-lab' };
  const place = { bucket: 'expiring', key: 'expiring.bin' };
  const bytes = Buffer.alloc(partSize + 7, 'old ');
  const service = await startService({
    dataDir: dir,
    credentials: [old, fresh],
    region: 'us-east-1',
  });
  try {
    await stall(service, place, bytes, [1, 2]);
    await connect(win, 'Expiring', service, old);
    await openStalled(win, 'Expiring');
    service.faults.add({
      operation: 'CompleteMultipartUpload',
      when: ({ headers }) => headers.get('authorization')?.includes('OLDKEY/') === true,
      times: Infinity,
      action: { kind: 'token-expired' },
    });
    await act(win, 'expiring.bin', 'Complete as it is…');
    await win
      .getByRole('dialog', { name: 'Complete this upload as it is?' })
      .getByRole('button', { name: 'Complete', exact: true })
      .click();
    const row = jobRow(win, 'expiring.bin');
    await expect(row).toContainText('Paused: new keys are needed');
    await row.getByRole('button', { name: 'Edit connection' }).click();
    const form = win.getByRole('dialog', { name: 'Edit “Expiring”' });
    await form.getByLabel('Access key ID').fill(fresh.accessKeyId);
    await form.getByLabel('Secret access key', { exact: true }).fill(fresh.secretAccessKey);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await expect(row).toContainText(done, seconds(20));
    expect(sha256(await objectBytes(service.endpoint, fresh, place))).toBe(sha256(bytes));
    await expect(sidebarRow(win, 'Expiring')).toBeVisible();
  } finally {
    await service.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
