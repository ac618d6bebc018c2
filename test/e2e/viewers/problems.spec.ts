import { expect } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { axeFindings } from '../support/axe.ts';
import { goTo, test } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

test('an object that is gone, or may not be read, says so, and is tried again', async ({
  win,
  lab,
}, info) => {
  await putAll(lab, 'problems', { 'gone.csv': 'a,b\n1,2\n', 'secret.json': '{"a":1}' });
  await goTo(win, 'Lab', 'problems/');
  const bucket = lab.store.bucket('problems');
  let dialog = await open(win, 'gone.csv');
  await expect(dialog.getByRole('columnheader', { name: 'a' })).toBeVisible();
  await win.keyboard.press('Escape');
  lab.store.deleteObject(bucket?.id ?? 0, 'gone.csv');
  dialog = await open(win, 'gone.csv');
  await expect(dialog.getByText(en.errors.reasons['no-such-key'].title)).toBeVisible();
  await win.keyboard.press('Escape');

  const rule = lab.faults.add({
    operation: 'GetObject',
    bucket: 'problems',
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
    times: Infinity,
  });
  dialog = await open(win, 'secret.json');
  await expect(dialog.getByText(en.errors.codes['access-denied'].title)).toBeVisible();
  await expect(dialog.getByText('s3:GetObject')).toBeVisible();
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 800],
  ] as const) {
    await win.setViewportSize({ width, height: 700 });
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await win.screenshot({ path: info.outputPath(`denied-${colorScheme}.png`) });
    expect(await axeFindings(win)).toEqual([]);
  }
  rule.remove();
  await dialog.getByRole('button', { name: en.common.retry }).click();
  await expect(dialog.getByRole('treegrid')).toBeVisible();
});
