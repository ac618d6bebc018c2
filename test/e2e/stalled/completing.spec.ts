import { expect, type Page } from '@playwright/test';
import {
  act,
  asked,
  done,
  jobRow,
  objectBytes,
  openStalled,
  panel,
  partSize,
  sampleFile,
  seconds,
  sentParts,
  sha256,
  stall,
  toolbar,
  uploadRow,
  planFrom,
} from '../support/uploads.ts';
import { labBucket, labKeys, test } from '../support/window.ts';

const bytes = Buffer.alloc(2 * partSize + 99, 'cooper ');

test('completing with gaps asks twice, names the missing parts and shows what it overwrites', async ({
  win,
  lab,
}) => {
  const place = { bucket: 'gaps', key: 'film/holes.mkv' };
  await labBucket(lab, place.bucket, [place.key]);
  await stall(lab, place, bytes, [1, 3]);
  await openStalled(win, 'Lab', place.bucket);
  await act(win, 'holes.mkv', 'Complete as it is…');
  const dialog = win.getByRole('dialog', { name: 'Complete with missing parts?' });
  await expect(dialog.getByText('Part 2 is missing and will not be in the object.')).toBeVisible();
  await expect(dialog.getByText('The content after a gap moves up to fill it.')).toBeVisible();
  await expect(dialog.getByText('It replaces the object at this key: 14')).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Complete with missing parts' });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel('I understand that the object will be incomplete').check();
  expect(asked(lab, 'CompleteMultipartUpload', place.key)).toBe(0);
  await confirm.click();
  await expect(jobRow(win, 'holes.mkv')).toContainText(done);
  const stored = Buffer.concat([bytes.subarray(0, partSize), bytes.subarray(2 * partSize)]);
  expect(sha256(await objectBytes(lab.endpoint, labKeys, place))).toBe(sha256(stored));
});

test('an object written after the user agreed is replaced only after asking again', async ({ win, lab }) => {
  const place = { bucket: 'late', key: 'film/late.mkv' };
  await stall(lab, place, bytes, [1, 2, 3]);
  await openStalled(win, 'Lab', place.bucket);
  await act(win, 'late.mkv', 'Complete as it is…');
  const dialog = win.getByRole('dialog', { name: 'Complete this upload as it is?' });
  await expect(dialog.getByText('No object exists at this key yet.')).toBeVisible();
  const bucket = lab.store.buckets.get(place.bucket);
  if (bucket === null) throw new Error('The bucket is not there.');
  await lab.store.putBytes(bucket.id, place.key, Buffer.from('somebody else!'), { modifiedMs: 1e12 });
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
  const row = jobRow(win, 'late.mkv');
  await expect(row).toContainText('Needs attention: another object has appeared at this key');
  expect(asked(lab, 'CompleteMultipartUpload', place.key)).toBe(0);
  await row.dblclick();
  await expect(panel(win).getByText('so Cooper replaced nothing. All parts are still stored.')).toBeVisible();

  const question = win.getByRole('dialog', { name: 'Replace the object at this key?' });
  await row.getByRole('button', { name: 'Replace…' }).click();
  await expect(question.getByText(/^An object of 14 bytes, modified .* is at this key now\./)).toBeVisible();
  await question.getByRole('button', { name: 'Keep' }).click();
  await expect(question).toBeHidden();
  expect((await objectBytes(lab.endpoint, labKeys, place)).byteLength).toBe(14);
  await panel(win).getByRole('button', { name: 'Replace…' }).last().click();
  await question.getByRole('button', { name: 'Replace' }).click();
  await expect(row).toContainText(done);
  expect(sha256(await objectBytes(lab.endpoint, labKeys, place))).toBe(sha256(bytes));
});

test('an upload whose completion the service would refuse cannot be completed, and the reason is shown', async ({
  win,
  lab,
}) => {
  const empty = { bucket: 'refused', key: 'nothing stored.bin' };
  const small = { bucket: 'refused', key: 'small in the middle.bin' };
  await stall(lab, empty, bytes, []);
  const smallId = await stall(lab, small, bytes, [1, 3]);
  await lab.store.putPartBytes(smallId, 2, Buffer.from('too small'), Date.now() - 86_400_000);
  await openStalled(win, 'Lab', 'refused');
  for (const [name, reason] of [
    ['nothing stored.bin', 'No parts are stored, so there is nothing to complete.'],
    [
      'small in the middle.bin',
      'Part 2 is smaller than 5 MiB and is not the last one, so services refuse it.',
    ],
  ] as const) {
    await act(win, name, 'Complete as it is…');
    const dialog = win.getByRole('dialog', { name: 'This upload cannot be completed as it is' });
    await expect(dialog.getByText(reason)).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Complete/ })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog).toBeHidden();
  }
});

test('an abort needs confirmation, shows the bytes lost, and removes the upload', async ({ win, lab }) => {
  const place = { bucket: 'aborted', key: 'old/backup.tar' };
  const uploadId = await stall(lab, place, bytes, [1, 2]);
  await openStalled(win, 'Lab', place.bucket);
  await expect(uploadRow(win, 'backup.tar')).toContainText('No gaps');
  await act(win, 'backup.tar', 'Abort…');
  const dialog = win.getByRole('dialog', { name: 'Abort this upload?' });
  await expect(dialog.getByText(/^You lose 10(?:\.\d+)?\sM\S+\.$/)).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Abort and delete its parts' });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect(dialog).toBeHidden();
  expect(lab.store.uploads.get(uploadId)).not.toBeNull();
  expect(asked(lab, 'AbortMultipartUpload', place.key)).toBe(0);

  await toolbar(win).getByRole('button', { name: 'Abort…' }).click();
  await dialog.getByLabel('I understand that this cannot be undone').check();
  await confirm.click();
  await expect(jobRow(win, 'backup.tar')).toContainText('Aborted. The parts are deleted');
  await expect(win.getByRole('heading', { name: 'No stalled uploads' })).toBeVisible();
  expect(lab.store.uploads.get(uploadId)).toBeNull();
});

test('cancelling a transfer keeps the upload and its parts on the service', async ({ win, lab, cooper }) => {
  const place = { bucket: 'cancelled', key: 'cancelled.img' };
  const file = sampleFile(cooper.dataDir, 'cancelled.img', 4 * partSize, 6);
  const uploadId = await stall(lab, place, file, [1]);
  await openStalled(win, 'Lab', place.bucket);
  const plan = await planFrom(win, 'cancelled.img', 'cancelled.img');
  await plan.getByLabel('Speed limit, in MiB/s').fill('0.5');
  await plan.getByRole('button', { name: 'Start sending' }).click();
  const row = jobRow(win, 'cancelled.img');
  await expect.poll(() => sentParts(lab, place.key).length).toBeGreaterThan(0);
  await row.getByRole('button', { name: 'Cancel…' }).click();
  const dialog = win.getByRole('dialog', { name: 'Cancel the upload?' });
  await expect(dialog.getByText('of 1 unfinished file is stored on the service')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Keep the parts, finish later' })).toBeFocused();
  await win.keyboard.press('Enter');
  await expect(row).toContainText('Cancelled. The upload is still on the service');
  await expect(uploadRow(win, 'cancelled.img')).toBeVisible();
  expect(lab.store.uploads.part(uploadId, 1)).not.toBeNull();
  expect(asked(lab, 'AbortMultipartUpload', place.key)).toBe(0);
});

test('cancelling a transfer deletes its parts if the user chooses so', async ({ win, lab, cooper }) => {
  const place = { bucket: 'cancelled-parts', key: 'deleted.img' };
  const file = sampleFile(cooper.dataDir, 'deleted.img', 4 * partSize, 6);
  await stall(lab, place, file, [1]);
  await openStalled(win, 'Lab', place.bucket);
  const plan = await planFrom(win, 'deleted.img', 'deleted.img');
  await plan.getByLabel('Speed limit, in MiB/s').fill('0.5');
  await plan.getByRole('button', { name: 'Start sending' }).click();
  const row = jobRow(win, 'deleted.img').first();
  await expect.poll(() => sentParts(lab, place.key).length).toBeGreaterThan(0);
  await row.getByRole('button', { name: 'Cancel…' }).click();
  await win.getByRole('button', { name: 'Delete the parts' }).click();
  await expect.poll(() => asked(lab, 'AbortMultipartUpload', place.key)).toBe(1);
  await expect(uploadRow(win, 'deleted.img')).toHaveCount(0);
});

test('an upload on a service that lists none is opened by key and id', async ({ win, lab }) => {
  const place = { bucket: 'unlisted', key: 'hidden/ä b.bin' };
  const uploadId = await stall(lab, place, bytes, [1, 3]);
  const denial = lab.faults.add({
    operation: 'ListMultipartUploads',
    bucket: place.bucket,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  try {
    await openStalled(win, 'Lab', place.bucket);
    await expect(win.getByRole('heading', { name: 'Stalled uploads unknown' })).toBeVisible();
    await win.getByRole('button', { name: 'Open by upload ID…' }).click();
    await typeUpload(win, place, uploadId);
    const drawer = win.getByRole('dialog', { name: 'Stalled upload' });
    await expect(drawer.getByText('1 part in the middle is missing.')).toBeVisible();
    await expect(drawer.getByRole('img', { name: /^Map of the parts.*stored: 2.*missing: 1/ })).toBeVisible();
    const parts = drawer.getByRole('grid', { name: 'Parts of this upload' });
    await expect(parts.getByRole('row').filter({ hasText: 'missing' })).toHaveCount(1);
    await expect(drawer.getByText('No object. Completing the upload creates one.')).toBeVisible();
  } finally {
    denial.remove();
  }
});

async function typeUpload(page: Page, place: { bucket: string; key: string }, uploadId: string) {
  const dialog = page.getByRole('dialog', { name: 'Open an upload by its ID' });
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(dialog.getByText('Required').first()).toBeVisible();
  await dialog.getByLabel('Bucket').fill(place.bucket);
  await dialog.getByLabel('Key', { exact: true }).fill(place.key);
  await dialog.getByLabel('Upload ID').fill(uploadId);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
}

test('a lost response to CompleteMultipartUpload ends as completed after a check, and the log shows it', async ({
  win,
  lab,
}) => {
  const place = { bucket: 'lost', key: 'lost answer.bin' };
  await stall(lab, place, bytes, [1, 2, 3]);
  lab.faults.add({
    operation: 'CompleteMultipartUpload',
    key: place.key,
    action: { kind: 'reset', apply: true },
  });
  await openStalled(win, 'Lab', place.bucket);
  await act(win, 'lost answer.bin', 'Complete as it is…');
  await win
    .getByRole('dialog', { name: 'Complete this upload as it is?' })
    .getByRole('button', { name: 'Complete', exact: true })
    .click();
  const row = jobRow(win, 'lost answer.bin');
  await expect(row).toContainText(done, seconds(20));
  expect(asked(lab, 'CompleteMultipartUpload', place.key)).toBe(1);
  await row.dblclick();
  const log = panel(win).getByRole('region', { name: 'Requests of this transfer' });
  const lines = log.getByRole('row');
  await expect(lines.filter({ hasText: /Complete.*The connection was lost \(attempt 1\)/ })).toHaveCount(1);
  await expect(lines.filter({ hasText: /Check the object.*OK \(present\)/ })).toHaveCount(1);
  const gone = lines.filter({ hasText: /List the parts.*404.*NoSuchUpload/ });
  await expect(gone.getByRole('cell').last()).toHaveText(/\w{8,}/);
  expect(sha256(await objectBytes(lab.endpoint, labKeys, place))).toBe(sha256(bytes));
});
