import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { openStalled, partSize, planFrom, sampleFile, stall } from '../support/uploads.ts';
import { test } from '../support/window.ts';

test('parts beyond the end of the file are reported in a focused, visible and readable notice', async ({
  win,
  lab,
  cooper,
}) => {
  await win.setViewportSize({ width: 1024, height: 560 });
  const whole = sampleFile(cooper.dataDir, 'beyond.img', 4 * partSize, 21);
  await stall(lab, { bucket: 'beyond', key: 'beyond.img' }, whole, [1, 2, 3, 4]);
  writeFileSync(path.join(cooper.dataDir, 'sample-files', 'beyond.img'), whole.subarray(0, 2 * partSize));
  await openStalled(win, 'Lab', 'beyond');
  const dialog = await planFrom(win, 'beyond.img', 'beyond.img');
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText('belong to a longer file');
  await expect(notice).toBeFocused();
  await expect(notice).toBeInViewport({ ratio: 1 });
  await expect(dialog).not.toContainText('only has to complete');
  await expect(dialog).toContainText('Uploading the file again sends');
  for (const colorScheme of ['light', 'dark'] as const) {
    await win.emulateMedia({ colorScheme });
    expect(await axeFindings(win, '[role="alert"]')).toEqual([]);
  }
});
