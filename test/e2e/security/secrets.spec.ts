import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Service } from '../../support/lab-service/server.ts';
import { startService } from '../../support/lab-service/server.ts';
import { fillConnection } from '../support/forms.ts';
import { filesHolding } from '../../support/files/files-holding.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { heapOf } from '../support/heap.ts';
import { grid, rowOf, sidebarRow, typeAddress, test as base } from '../support/window.ts';

/** The secrets that the test types. Each is unique, so that it can be found wherever it remains. */
const secrets = {
  secretAccessKey: 'kept-secret-7f3a9c51e2/with+odd=characters',
  sessionToken: `kept-token-51e27f3a9c-${'t'.repeat(200)}`,
  wrongSecret: 'thrown-away-secret-c51e2f39a7',
  proxyPassword: 'kept-password-9c517f3ae2',
  customerKey: Buffer.from('a-customer-key-of-32-bytes-51e27').toString('base64'),
};
const accessKeyId = 'ASIAHEAPTESTKEY';

interface Fixtures {
  readonly service: Service;
  readonly ownCooper: RunningCooper;
}

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the requested fixtures from the pattern
  service: async ({}, use) => {
    const dataDir = removedAtExit('cooper-heap-');
    const { secretAccessKey, sessionToken } = secrets;
    const service = await startService({
      dataDir,
      credentials: [{ accessKeyId, secretAccessKey, sessionToken }],
      region: 'us-east-1',
    });
    const bucket = service.store.buckets.create('vault', Date.now());
    if (bucket === null) throw new Error('The bucket already exists.');
    await service.store.putBytes(bucket.id, 'a.txt', Buffer.from('a'), { modifiedMs: 1e12 });
    await use(service);
    await service.close();
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the requested fixtures from the pattern
  ownCooper: async ({}, use) => {
    const dataDir = removedAtExit('cooper-heap-data-');
    const cooper = await startCooper({ dataDir });
    await use(cooper);
    await cooper.end();
  },
  win: async ({ ownCooper, page, context }, use) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(await ownCooper.newAddress());
    await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
    await use(page);
  },
});

async function fillForm(win: Page, service: Service, secretAccessKey: string): Promise<Locator> {
  const keys = { accessKeyId, secretAccessKey };
  const form = await fillConnection(win, { name: 'Vault', endpoint: service.endpoint, keys });
  await form
    .getByRole('button', { name: 'Add a session token' })
    .or(form.getByRole('textbox', { name: 'Session token' }))
    .first()
    .click();
  await form.getByRole('textbox', { name: 'Session token' }).fill(secrets.sessionToken);
  return form;
}

test("typed and signed secrets leave the window's memory when the dialog closes", async ({
  win,
  service,
  ownCooper: cooper,
}) => {
  test.setTimeout(180_000);
  // Fills a form, tests it, and discards it.
  const thrown = await fillForm(win, service, secrets.wrongSecret);
  await thrown.getByRole('button', { name: 'Test connection' }).click();
  await expect(thrown.getByText('SignatureDoesNotMatch').first()).toBeAttached();
  expect(await heapOf(win), 'the snapshot sees what an open form holds').toContain(secrets.wrongSecret);
  await win.keyboard.press('Escape');
  await win.getByRole('button', { name: 'Discard changes' }).click();
  await expect(thrown).toBeHidden();

  // Fills a form and saves it.
  const form = await fillForm(win, service, secrets.secretAccessKey);
  await form.getByRole('button', { name: 'Add connection' }).click();
  await expect(form).toBeHidden();
  await expect(sidebarRow(win, 'vault')).toBeVisible();

  // Creates a link, which works like a password until it expires.
  await sidebarRow(win, 'vault').click();
  await expect(grid(win)).toBeVisible();
  await rowOf(win, 'a.txt').click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Create a link…' }).click();
  const link = win.getByRole('dialog', { name: 'Link to a.txt' });
  const field = link.getByRole('textbox', { name: 'Link', exact: true });
  await expect(field).toHaveValue(/X-Amz-Signature=/);
  const url = await field.inputValue();
  const signature = new URL(url).searchParams.get('X-Amz-Signature') ?? '';
  expect(signature).toHaveLength(64);
  await link.getByRole('button', { name: 'Copy the link' }).click();
  await win.keyboard.press('Escape');
  await expect(link).toBeHidden();

  // Adds a customer key (SSE-C).
  await typeAddress(win, 'vault/');
  await win.getByRole('button', { name: 'Upload', exact: true }).click();
  await win.getByRole('menuitem', { name: 'Upload with options…' }).click();
  const options = win.getByRole('dialog', { name: 'Upload to vault' });
  await options.getByLabel('Encryption on the service').click();
  await win.getByRole('option', { name: 'Your own key (SSE-C)' }).click();
  await options.getByLabel('Key name').fill('Mine');
  await options.getByLabel('Key value', { exact: true }).fill(secrets.customerKey);
  await options.getByRole('button', { name: 'Save key' }).click();
  await expect(options.getByLabel('Key', { exact: true })).toHaveValue('Mine');
  await options.getByRole('button', { name: 'Cancel' }).click();
  await expect(options).toBeHidden();

  // Does other work, as a user would.
  await sidebarRow(win, 'Sample buckets').click();
  await expect(win.getByRole('heading', { name: 'Sample buckets', level: 1 })).toBeVisible();

  const known = { ...secrets, signature };
  await expect
    .poll(
      async () => {
        const heap = await heapOf(win);
        return Object.entries(known).flatMap(([name, value]) => (heap.includes(value) ? [name] : []));
      },
      // A slow machine takes seconds for each picture of the heap.
      { timeout: 60_000 },
    )
    .toEqual([]);

  // In the data folder, only the file that this account alone can read contains them.
  const holding = Object.values(known).flatMap((value) => filesHolding(cooper.dataDir, value));
  expect(new Set(holding.map((file) => path.relative(cooper.dataDir, file)))).toEqual(
    new Set(['secrets.json']),
  );
  expect(Object.values(known).filter((value) => cooper.output().includes(value))).toEqual([]);
});
