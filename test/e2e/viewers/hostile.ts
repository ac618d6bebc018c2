import { expect, type Page } from '@playwright/test';
import type { Service } from '../../support/lab-service/server.ts';
import { memoryOf } from '../../support/process-memory.ts';
import { goTo } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

/** How long the window may be blocked on a loaded machine, in milliseconds. A decoder in it would block it for minutes. */
export const longestAwayMs = 3000;
/** The memory limit for each browser process in bytes; without a file, the largest has about 200 MB. */
export const maxBytes = 1_500_000_000;

/** Starts measuring. Returns a function that reads the longest time the window was blocked, in milliseconds. */
export async function watchWindow(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    let last = performance.now();
    let longest = 0;
    setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      document.documentElement.dataset['longestMs'] = String(Math.round(longest));
    }, 20);
  });
  return async () => Number(await page.evaluate(() => document.documentElement.dataset['longestMs']));
}

/** Opens the files one after another and returns the results. Checks that the window responds, its memory, and its workers. */
export async function openHostile(
  page: Page,
  lab: Service,
  bucketName: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Readonly<Record<string, 'refused' | 'shown'>>> {
  await putAll(lab, bucketName, files);
  await goTo(page, 'Lab', `${bucketName}/`);
  const awayMs = await watchWindow(page);
  const memory = memoryOf(process.pid);
  const ends: Record<string, 'refused' | 'shown'> = {};
  for (const name of Object.keys(files)) {
    const dialog = await open(page, name);
    const problem = dialog.getByText(/This file could not be read|damaged or too complex/);
    await expect(dialog.locator('[role=row]').nth(2).or(problem).first()).toBeVisible({ timeout: 40_000 });
    ends[name] = (await problem.count()) > 0 ? 'refused' : 'shown';
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await expect.poll(() => page.workers().length).toBe(0);
  expect(await awayMs()).toBeLessThan(longestAwayMs);
  expect(memory.largestBytes()).toBeLessThan(maxBytes);
  return ends;
}
