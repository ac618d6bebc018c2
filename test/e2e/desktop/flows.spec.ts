import os from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { askControl } from '../../../electron/host/control.ts';
import { openInPicker } from '../support/forms.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import {
  asksForLink,
  changeSettings,
  findLongDownload,
  keptSettings,
  passesPolicy,
  samplesOpen,
  startLongDownload,
  waysToNode,
} from '../support/flows.ts';
import { test as base } from '../support/window.ts';

interface Fixtures {
  readonly dataDir: string;
  readonly ownCooper: RunningCooper;
}

/** The tests that also run in the real Electron, as far as they do not depend on the host. Each test has its own data folder. */
const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the requested fixtures from the pattern
  dataDir: async ({}, use) => {
    // Below the home folder, where the picker can go.
    const dataDir = removedAtExit('cooper-flows-', os.homedir());
    await use(dataDir);
  },
  ownCooper: async ({ dataDir }, use) => {
    const cooper = await startCooper({ dataDir: path.join(dataDir, 'data') });
    await use(cooper);
    await cooper.end();
  },
  win: async ({ ownCooper, page }, use) => {
    await page.goto(await ownCooper.newAddress());
    await use(page);
  },
});

// Two program starts with a window each take long on a small machine.
test.describe.configure({ timeout: 180_000 });

test('the samples open in a page that has no Node and enforces its content security policy', async ({
  win,
}) => {
  await samplesOpen(win);
  expect(await waysToNode(win)).toEqual([]);
  expect(await passesPolicy(win)).toEqual([]);
});

test('a second start with a link makes the open window ask for confirmation', async ({
  win,
  ownCooper: cooper,
}) => {
  await samplesOpen(win);
  await asksForLink(win, async () => {
    await askControl(cooper.dataDir, 's3://documents/settings/');
  });
});

test('settings persist over a restart', async ({ win, ownCooper: cooper, dataDir, page }) => {
  await samplesOpen(win);
  await changeSettings(win);
  await cooper.end();
  const again = await startCooper({ dataDir: path.join(dataDir, 'data') });
  await page.goto(again.address);
  await keptSettings(page);
  await again.end();
});

test('a long download resumes after a restart', async ({ win, ownCooper: cooper, dataDir, page }) => {
  await startLongDownload(win, async () => {
    const choose = await openInPicker(win, os.homedir(), path.basename(dataDir));
    await choose.click();
    await expect(choose).toBeHidden();
  });
  await cooper.end();
  const again = await startCooper({ dataDir: path.join(dataDir, 'data') });
  await page.goto(again.address);
  await findLongDownload(page);
  await again.end();
});
