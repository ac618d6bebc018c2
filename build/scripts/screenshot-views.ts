import { expect, type Page } from '@playwright/test';
import { expectThumbnails, showGallery, tile } from '../../test/e2e/support/gallery.ts';
import {
  done,
  jobRow,
  openStalled,
  planFrom,
  showTransfers,
  uploadRow,
} from '../../test/e2e/support/uploads.ts';
import { goTo, grid, sidebarRow } from '../../test/e2e/support/window.ts';

/** The steps to a view from the previous one. */
type ShowView = (page: Page) => Promise<void>;

async function showDetails(page: Page): Promise<void> {
  // The details render in the frame after the rows.
  await page.evaluate(
    `new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))`,
  );
  if (!(await page.getByRole('complementary', { name: 'Details' }).isVisible()))
    await page.keyboard.press('Control+i');
  await page.getByRole('complementary', { name: 'Details' }).waitFor();
}

/** The window's views by name, each reachable from the previous one. */
export const views: Readonly<Record<string, ShowView>> = {
  welcome: async (page) => {
    await page.getByRole('heading', { name: 'Welcome to Cooper' }).waitFor();
  },
  buckets: async (page) => {
    await sidebarRow(page, 'Sample buckets').click();
    await page.getByText(/^\d+ buckets$/).waitFor();
  },
  folder: async (page) => {
    await goTo(page, 'Sample buckets', 'documents/accounts/2026/');
    await grid(page).getByText('05-may.csv').click();
    await showDetails(page);
    await page.getByText('Content type').waitFor();
  },
  'odd-names': async (page) => {
    await goTo(page, 'Sample buckets', 'names/odd/');
    await grid(page).getByText('empty name').first().waitFor();
  },
  panes: async (page) => {
    await goTo(page, 'Sample buckets', 'photos/2024/');
    await page.keyboard.press('Control+Backslash');
    await page.getByRole('button', { name: 'Sample files', exact: true }).click();
    const right = page.getByRole('group', { name: 'Right pane' });
    await right.getByRole('row').nth(2).click();
  },
  preview: async (page) => {
    // Returns to a single pane.
    await page
      .getByRole('group', { name: 'Right pane' })
      .getByRole('button', { name: 'Close this pane' })
      .click();
    await goTo(page, 'Sample buckets', 'documents/letters/2026/');
    await grid(page).getByText('invitation.pdf').dblclick();
    await page.getByRole('dialog').getByText('of 1', { exact: true }).waitFor();
  },
  gallery: async (page) => {
    await page.keyboard.press('Escape');
    await goTo(page, 'Sample buckets', 'photos/2026/islands/');
    await showGallery(page);
    await tile(page, 'fog bank.png').click();
    await expectThumbnails(page, ['arrival.png', 'fog bank.png', 'the crossing.png']);
    await showDetails(page);
  },
  map: async (page) => {
    await goTo(page, 'Sample buckets', 'photos');
    await page.keyboard.press('Control+3');
    const map = page.getByRole('region', { name: /^Map of/ });
    await map.getByRole('img', { name: /What takes the space/ }).waitFor();
    await map.getByRole('button', { name: /^Images/ }).waitFor();
    await map.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  },
  table: async (page) => {
    await page.keyboard.press('Control+1');
    await goTo(page, 'Sample buckets', 'documents/formats/');
    await grid(page).getByText('waves.parquet').dblclick();
    await page
      .getByRole('dialog')
      .getByRole('grid', { name: /^Rows of/ })
      .waitFor();
    await page.getByRole('dialog').getByText('B8').first().waitFor();
  },
  uploads: async (page) => {
    await page.keyboard.press('Escape');
    await openStalled(page, 'Sample buckets');
    await page.getByText('Has gaps').waitFor();
    await page.getByText('since they were started').waitFor();
  },
  'upload-detail': async (page) => {
    await uploadRow(page, 'harbour at dawn.wav').dblclick();
    await page
      .getByRole('dialog', { name: 'Stalled upload' })
      .getByRole('grid')
      .getByRole('row')
      .nth(4)
      .waitFor();
  },
  'resume-plan': async (page) => {
    await page.keyboard.press('Escape');
    const dialog = await planFrom(page, 'harbour at dawn.wav', 'harbour at dawn.wav');
    await dialog.getByText('1 part is missing. Cooper sends it.').waitFor();
  },
  transfers: async (page) => {
    await page.getByRole('button', { name: 'Start sending' }).click();
    await expect(jobRow(page, 'harbour at dawn.wav')).toContainText(done, { timeout: 20_000 });
    await page.getByText('since they were started').waitFor();
  },
  connection: async (page) => {
    await page.getByRole('button', { name: 'Add a connection' }).first().click();
    await page.getByRole('dialog', { name: 'Add a connection' }).waitFor();
  },
  settings: async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button').nth(1).waitFor();
  },
  'request-log': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+j');
    await page.getByRole('region', { name: 'Request log' }).getByRole('row').nth(2).waitFor();
  },
  palette: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Type a command or the name of a place').waitFor();
  },
  search: async (page) => {
    await page.keyboard.press('Escape');
    for (const name of ['Request log', 'Transfers']) {
      const region = page.getByRole('region', { name, exact: true });
      if (await region.isVisible()) await region.getByRole('button', { name: /^Hide/ }).click();
    }
    await goTo(page, 'Sample buckets', 'documents/');
    await grid(page).getByText('letters').waitFor();
    await page.keyboard.press('Control+Shift+E');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('.csv');
    await name.press('Enter');
    await page.getByText(/\d+ found in \d+ keys/).waitFor();
  },
  delete: async (page) => {
    await goTo(page, 'Sample buckets', 'documents/accounts/2026/');
    await grid(page).getByText('05-may.csv').click();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Delete 05-may.csv?' }).getByText('1 object').waitFor();
  },
  properties: async (page) => {
    await fromDetails(page, 'Properties…');
    await page.getByRole('dialog').getByLabel('Content type').first().waitFor();
  },
  link: async (page) => {
    await fromDetails(page, 'Create a link…');
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  },
  versions: async (page) => {
    await fromDetails(page, 'Versions…');
    await page.getByRole('dialog').getByRole('grid').getByRole('row').first().waitFor();
  },
  'bucket-settings': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('treeitem', { name: /^documents/ }).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Bucket settings…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settings of “documents”' });
    await dialog.getByRole('button', { name: 'Lifecycle', exact: true }).click();
    await dialog.getByRole('heading', { name: 'Lifecycle', exact: true }).waitFor();
  },
  'sync-plan': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await goTo(page, 'Sample buckets', 'backups');
    await fromUploadMenu(page, 'Sync a folder here…');
    const dialog = page.getByRole('dialog', { name: /^Sync / });
    await dialog.getByRole('button', { name: 'Choose…' }).click();
    await chooseSampleFiles(page);
    await dialog.getByRole('button', { name: 'Make a plan' }).click();
    await dialog.getByRole('grid', { name: 'Plan', exact: true }).getByRole('row').nth(1).waitFor();
  },
  conflicts: async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await showTransfers(page);
    await fromUploadMenu(page, 'Upload a folder…');
    await chooseSampleFiles(page);
    await expect(jobRow(page, 'sample-files').first()).toContainText('Done. Uploaded ', { timeout: 20_000 });
    await fromUploadMenu(page, 'Upload a folder…');
    await chooseSampleFiles(page);
    await page.getByRole('dialog', { name: 'Items already exist' }).getByText('Keep both').waitFor();
  },
  about: async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+,');
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.getByRole('button', { name: 'Third-party licences…' }).scrollIntoViewIfNeeded();
  },
  licences: async (page) => {
    await page.getByRole('button', { name: 'Third-party licences…' }).click();
    await page.getByRole('dialog', { name: 'Third-party licences' }).getByRole('document').waitFor();
  },
};

async function fromUploadMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** Chooses the folder of samples in the open picker. */
async function chooseSampleFiles(page: Page): Promise<void> {
  const picker = page.getByRole('dialog', { name: /^Choose/ });
  await picker.getByRole('button', { name: 'This computer' }).click();
  await picker.getByRole('row').filter({ hasText: 'sample-files' }).dblclick();
  await picker.getByRole('button', { name: 'Choose “sample-files”' }).click();
  await picker.waitFor({ state: 'detached' });
}

/** Closes an open dialog and presses a button of the details. */
async function fromDetails(page: Page, button: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await showDetails(page);
  await page
    .getByRole('complementary', { name: 'Details' })
    .getByRole('button', { name: button, exact: true })
    .click();
}
