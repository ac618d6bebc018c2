import { expect, type Locator, type Page } from '@playwright/test';
import { startService } from '../../support/lab-service/server.ts';
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
  showTransfers,
  sentParts,
  sha256,
  stall,
  uploadRow,
} from '../support/uploads.ts';
import { openSettings } from '../support/flows.ts';
import { goTo, labBucket, labKeys, rowOf, sidebarRow, test } from '../support/window.ts';
import { removedAtExit } from '../../support/at-exit.ts';

test('a transfer pauses, stays paused, and is resumed to its end', async ({ win, lab, cooper }) => {
  const place = { bucket: 'paused', key: 'paused.img' };
  const file = sampleFile(cooper.dataDir, 'paused.img', 4 * partSize, 7);
  const uploadId = await stall(lab, place, file, [1]);
  await openStalled(win, 'Lab', place.bucket);
  const plan = await planFrom(win, 'paused.img', 'paused.img');
  await plan.getByLabel('Parts at once').fill('1');
  await plan.getByLabel('Speed limit, in MiB/s').fill('8');
  await plan.getByRole('button', { name: 'Start sending' }).click();
  const row = jobRow(win, 'paused.img');
  await expect.poll(() => sentParts(lab, place.key).length, { intervals: [20] }).toBeGreaterThan(0);
  await row.getByRole('button', { name: 'Pause: ' }).click();
  await expect(row).toContainText('Paused: by you');
  await expect(row.getByRole('progressbar', { name: 'Progress of paused.img' })).toBeVisible();
  expect(lab.store.uploads.get(uploadId)).not.toBeNull();
  await row.getByRole('button', { name: 'Resume: ' }).click();
  await expect(row).toContainText(done, seconds(20));
  expect(sentParts(lab, place.key)).not.toContain(1);
  expect(sha256(await objectBytes(lab.endpoint, labKeys, place))).toBe(sha256(file));
});

test('a throttled transfer waits until its time or "Try again now", and the log has status and request id', async ({
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
  await expect(row).toContainText(/Retrying in (?:10|9) min.*the service is busy/);
  await row.dblclick();
  const log = panel(win).getByRole('region', { name: 'Requests of this transfer' });
  const refused = log.getByRole('row').filter({ hasText: /Complete.*503.*SlowDown/ });
  await expect(refused.first().getByRole('cell').last()).toHaveText(/\w{8,}/);
  busy.remove();
  await row.getByRole('button', { name: 'Try again now' }).click();
  await expect(row).toContainText(done, seconds(20));
  expect(sha256(await objectBytes(lab.endpoint, labKeys, place))).toBe(sha256(bytes));
});

/** Returns the distinct percentages in the texts. */
function percents(texts: readonly string[]): readonly number[] {
  const digits = texts.flatMap((text) => [...text.matchAll(/, (\d+) %/g)].map(([, found]) => Number(found)));
  return [...new Set(digits)];
}

test('progress is announced in quarters to screen readers while the number on screen updates', async ({
  win,
  lab,
  cooper,
}) => {
  const place = { bucket: 'spoken', key: 'spoken.img' };
  const file = sampleFile(cooper.dataDir, 'spoken.img', 6 * partSize, 11);
  await stall(lab, place, file, []);
  await openStalled(win, 'Lab', place.bucket);
  await expect(async () => {
    if (!(await panel(win).isVisible())) await win.getByTitle('Show transfers').click({ timeout: 500 });
    await expect(panel(win)).toBeVisible({ timeout: 500 });
  }).toPass({ intervals: [0], timeout: 10_000 });
  // Records everything announced to screen readers from here on, and the visible text.
  const shown = panel(win).getByText('No transfer is running').first();
  await expect(shown).toBeVisible();
  await shown.evaluate((total) => {
    const heard: string[] = [];
    const seen: string[] = [];
    const live = '[role="status"], [role="alert"], [role="log"], [aria-live]:not([aria-live="off"])';
    new MutationObserver((records) => {
      seen.push(total.textContent);
      for (const { target } of records) {
        const at = target instanceof Element ? target : target.parentElement;
        const region = at?.closest(live) ?? null;
        if (region !== null && region.textContent !== heard.at(-1)) heard.push(region.textContent);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { heard, seen });
  });
  const plan = await planFrom(win, 'spoken.img', 'spoken.img');
  await plan.getByLabel('Parts at once').fill('1');
  await plan.getByLabel('Speed limit, in MiB/s').fill('10');
  await plan.getByRole('button', { name: 'Start sending' }).click();
  await expect(jobRow(win, 'spoken.img')).toContainText(done, seconds(20));
  await expect(shown).toContainText('No transfer is running');
  const { heard, seen } = await win.evaluate(() => ({
    heard: Reflect.get(window, 'heard') as string[],
    seen: Reflect.get(window, 'seen') as string[],
  }));
  expect(percents(seen).length, 'the number that is seen').toBeGreaterThan(4);
  // Each percentage is announced at most once. A busy computer may skip some.
  expect([0, 25, 50, 75]).toEqual(expect.arrayContaining([...percents(heard)]));
  expect(percents(heard).length).toBeGreaterThan(1);
  expect(
    heard.filter((text) => text.includes('%')),
    heard.join(' | '),
  ).toHaveLength(percents(heard).length);
});

test('a queued transfer is moved to the front or end, and transfers run in that order', async ({
  win,
  lab,
}) => {
  const names = ['turn-1.txt', 'turn-2.txt', 'turn-3.txt', 'turn-4.txt'];
  await labBucket(lab, 'turns', [...names, 'box/there.txt']);
  await setJobsAtOnce(win, 1);
  const gate = Promise.withResolvers<void>();
  lab.faults.add({ operation: 'CopyObject', bucket: 'turns', action: { kind: 'hold', until: gate.promise } });
  await goTo(win, 'Lab', 'turns');
  await showTransfers(win);
  for (const [at, name] of names.entries()) {
    await rowOf(win, name).dragTo(rowOf(win, 'box'));
    await expect(jobRow(win, name)).toContainText(at === 0 ? 'Transferring' : 'Waiting for its turn');
  }
  const button = (name: string, label: string): Locator =>
    jobRow(win, name).getByRole('button', { name: label });
  await expect(button('turn-1.txt', 'Move to the front of the queue')).toHaveCount(0);
  // The newest transfer is listed first.
  const listed = panel(win).getByRole('grid').getByRole('row').filter({ hasText: 'turn-' });
  await expect(listed).toContainText(['turn-4', 'turn-3', 'turn-2', 'turn-1']);
  await button('turn-4.txt', 'Move to the front of the queue').click();
  await expect(listed).toContainText(['turn-3', 'turn-2', 'turn-4', 'turn-1']);
  await button('turn-2.txt', 'Move to the end of the queue').press('Enter');
  await expect(listed).toContainText(['turn-2', 'turn-3', 'turn-4', 'turn-1']);
  gate.resolve();
  for (const name of names) await expect(jobRow(win, name)).toContainText('Done. Moved ', seconds(20));
  const copied = lab.faults.journal
    .filter(({ operation, bucket }) => operation === 'CopyObject' && bucket === 'turns')
    .map(({ key }) => key);
  expect(copied).toEqual(['box/turn-1.txt', 'box/turn-4.txt', 'box/turn-3.txt', 'box/turn-2.txt']);
  await setJobsAtOnce(win, 3);
});

async function setJobsAtOnce(page: Page, count: number): Promise<void> {
  const dialog = await openSettings(page);
  const transfers = dialog.getByRole('group', { name: 'Transfers' });
  await transfers.getByLabel('Transfers at once').fill(String(count));
  await transfers.getByRole('button', { name: 'Save' }).click();
  await expect(transfers.getByRole('status')).toHaveText('Saved');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

test('expired keys pause a transfer, which continues when new keys are entered', async ({ win }) => {
  const dir = removedAtExit('cooper-expired-');
  const old = { accessKeyId: 'OLDKEY', secretAccessKey: 'old-secret-of-the-lab' };
  const fresh = { accessKeyId: 'NEWKEY', secretAccessKey: 'new-secret-of-the-lab' };
  const place = { bucket: 'expiring', key: 'expiring.bin' };
  const bytes = Buffer.alloc(partSize + 7, 'old ');
  const service = await startService({ dataDir: dir, credentials: [old, fresh], region: 'us-east-1' });
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
  }
});

test('a started transfer is scrolled into view', async ({ win, lab }) => {
  const bucket = 'in-sight';
  const names = Array.from({ length: 9 }, (_, index) => `in-sight-${index}.bin`);
  for (const key of names) await stall(lab, { bucket, key }, Buffer.alloc(10, 'sight'), [1]);
  await openStalled(win, 'Lab', bucket);
  const complete = async (key: string): Promise<void> => {
    await act(win, key, 'Complete as it is…');
    const dialog = win.getByRole('dialog', { name: 'Complete this upload as it is?' });
    await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
    // The list scrolls to the job as the dialog closes. The job may be listed before, so a scroll by the test could come between.
    await expect(dialog).toBeHidden();
    await expect(jobRow(win, key)).toBeInViewport();
    // Otherwise the next upload could move up between the aim of a click and its press.
    await expect(uploadRow(win, key)).toHaveCount(0);
  };
  const [first, ...others] = names;
  for (const key of others) await complete(key);
  const list = panel(win).getByRole('grid');
  await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  await expect(jobRow(win, others.at(-1) ?? '')).not.toBeInViewport();
  await complete(first ?? '');
});
