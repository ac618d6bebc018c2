import { expect, type Locator, type Page } from '@playwright/test';
import { fillConnection, removeConnection } from './support/forms.ts';
import { axeFindingsInBothSchemes } from './support/axe.ts';
import { startCooper, type RunningCooper } from '../support/window/start-cooper.ts';
import {
  startScriptedServer,
  type ScriptedResponse,
  type ScriptedServer,
  type SeenRequest,
} from '../support/servers/scripted-server.ts';
import { test } from './support/window.ts';

let cooper: RunningCooper;
let service: ScriptedServer;
test.beforeAll(async () => {
  cooper = await startCooper();
});
test.afterAll(async () => {
  await cooper.end();
});
test.beforeEach(async () => {
  service = await startScriptedServer();
  service.answer(fine);
});
test.afterEach(async () => {
  await service.close();
});

const xml = (body: string, status = 200): ScriptedResponse => ({
  status,
  headers: { 'content-type': 'application/xml', 'x-amz-request-id': 'REQUEST-7' },
  body: `<?xml version="1.0"?>${body}`,
});
const refusal = (status: number, code: string, message = 'No.'): ScriptedResponse =>
  xml(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`, status);
const buckets = xml(
  '<ListAllMyBucketsResult><Buckets><Bucket><Name>alpha</Name><CreationDate>2024-01-01T00:00:00.000Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>',
);
const emptyPage = xml(
  '<ListBucketResult><Name>alpha</Name><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount></ListBucketResult>',
);
const isRoot = (request: SeenRequest) => request.path.split('?')[0] === '/';
const fine = (request: SeenRequest) => (isRoot(request) ? buckets : emptyPage);
const listingDenied = (request: SeenRequest) => (isRoot(request) ? refusal(403, 'AccessDenied') : emptyPage);

async function openForm(page: Page): Promise<Locator> {
  await page.goto(await cooper.newAddress());
  const keys = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'SECRET-EXAMPLE' };
  return await fillConnection(page, { name: 'Lab', endpoint: service.endpoint, keys });
}

async function runTest(form: Locator): Promise<Locator> {
  await form.getByRole('button', { name: /^Test (?:connection|again)$/ }).click();
  await expect(form.getByRole('status').first()).toHaveText(/works|does not work/);
  return form.getByRole('alert');
}

async function save(page: Page, form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Add connection' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Lab', level: 1 })).toBeVisible();
}

const row = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });

/** Opens the request log, unless an earlier window left it open. */
async function openLog(page: Page): Promise<Locator> {
  const log = page.getByRole('region', { name: 'Request log' });
  if (!(await log.isVisible())) await page.keyboard.press('Control+j');
  return log;
}

test.describe('"Test connection"', () => {
  const causes: readonly (readonly [string, ScriptedResponse, string, RegExp])[] = [
    [
      'a wrong secret',
      refusal(403, 'SignatureDoesNotMatch'),
      'Key is rejected',
      /secret does not belong to the key/,
    ],
    [
      'an unknown key',
      refusal(403, 'InvalidAccessKeyId'),
      'Key is rejected',
      /does not know the access key AKEXAMPLE/,
    ],
    ['an expired token', refusal(400, 'ExpiredToken'), 'Key is rejected', /temporary keys have expired/],
    [
      'a denied listing',
      refusal(403, 'AccessDenied'),
      'Buckets cannot be listed',
      /no permission to list buckets/,
    ],
    [
      'an endpoint that speaks HTML',
      { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Console</title>' },
      'Server does not support S3',
      /answered with a web page/,
    ],
  ];
  for (const [label, response, title, sentence] of causes) {
    test(`explains ${label}`, async ({ page }) => {
      service.answer(response);
      const notice = await runTest(await openForm(page));
      await expect(notice.getByText(title)).toBeVisible();
      await expect(notice.getByText(sentence)).toBeVisible();
    });
  }

  test('explains a closed port', async ({ page }) => {
    const form = await openForm(page);
    await service.close();
    const notice = await runTest(form);
    await expect(
      notice.getByText(`Nothing listens on port ${String(service.port)} of this computer`),
    ).toBeVisible();
  });

  test('explains an unknown host name', async ({ page }) => {
    const form = await openForm(page);
    await form.getByLabel('Endpoint').fill('https://no-such-host.invalid');
    const notice = await runTest(form);
    await expect(notice.getByText('No server is called no-such-host.invalid')).toBeVisible();
  });

  test('explains a wrong clock with the difference', async ({ page }) => {
    service.answer({
      ...(refusal(403, 'RequestTimeTooSkewed') as object),
      headers: { 'content-type': 'application/xml', date: new Date(Date.now() - 20 * 60_000).toUTCString() },
    });
    const notice = await runTest(await openForm(page));
    await expect(notice.getByText(/20 minutes ahead of the service’s/)).toBeVisible();
  });

  test('explains a wrong region, which one click fixes', async ({ page }) => {
    service.answer((request) =>
      /\/eu-central-9\//.test(request.headers['authorization'] ?? '')
        ? fine(request)
        : refusal(
            400,
            'AuthorizationHeaderMalformed',
            "the region 'us-east-1' is wrong; expecting 'eu-central-9'",
          ),
    );
    const form = await openForm(page);
    await (await runTest(form)).getByRole('button', { name: 'Use region eu-central-9' }).click();
    await expect(form.getByRole('status').first()).toHaveText('The connection works.');
    await expect(form.getByLabel('Region')).toHaveValue('eu-central-9');
  });
});

test('the form marks missing values and keeps typed ones until discarded', async ({ page }) => {
  const form = await openForm(page);
  await form.getByLabel('Endpoint').fill('');
  await form.getByRole('button', { name: 'Add connection' }).click();
  await expect(form.getByText('Type the address of the service')).toBeVisible();
  await expect(form.getByLabel('Endpoint')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(form.getByText('Discard your changes?')).toBeVisible();
  await form.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('Access key ID')).toHaveValue('AKEXAMPLE');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.getByRole('button', { name: 'Discard changes' }).click();
  await expect(form).toBeHidden();
});

test('a connection is created, edited without showing its secret, duplicated, moved and removed', async ({
  page,
}) => {
  await save(page, await openForm(page));
  await expect(row(page, 'alpha')).toBeVisible();

  await row(page, 'Lab').focus();
  await page.keyboard.press('F2');
  const edit = page.getByRole('dialog', { name: 'Edit “Lab”' });
  await expect(edit.getByLabel('Secret access key', { exact: true })).toHaveValue('');
  await expect(edit.getByPlaceholder('saved; leave empty to keep')).toBeVisible();
  await edit.getByLabel('Name').fill('Lab two');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden();
  await expect(row(page, 'Lab two')).toBeVisible();
  expect(await page.content()).not.toContain('SECRET-EXAMPLE');

  await row(page, 'Lab two').focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(row(page, 'Lab two \\(copy\\)')).toBeVisible();

  await row(page, 'Lab two \\(copy\\)').focus();
  await page.keyboard.press('Control+Shift+ArrowUp');
  await expect(page.locator('[role="treeitem"][aria-level="1"]').nth(1)).toHaveText(/copy/);

  await removeConnection(page, 'Lab two \\(copy\\)');
  await removeConnection(page, 'Lab two');
});

test('a key that may not list buckets opens one by name, which is remembered until removed', async ({
  page,
}) => {
  service.answer(listingDenied);
  await save(page, await openForm(page));
  await expect(page.getByRole('heading', { name: 'No permission to list buckets' })).toBeVisible();
  await page.getByLabel('Bucket, or bucket and folder').fill('alpha/photos/');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(row(page, 'alpha')).toBeVisible();

  await page.reload();
  await expect(row(page, 'alpha')).toBeVisible();
  await row(page, 'alpha').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Remove from the list' }).click();
  await expect(row(page, 'alpha')).toHaveCount(0);
  await removeConnection(page, 'Lab');
});

test('a new connection opens at its start, which is also in the tree and quick open', async ({ page }) => {
  service.answer((request) =>
    isRoot(request) || !request.path.includes('prefix=team%2F')
      ? refusal(403, 'AccessDenied')
      : xml(
          '<ListBucketResult><Name>shared</Name><Prefix>team/</Prefix><IsTruncated>false</IsTruncated><KeyCount>1</KeyCount><Contents><Key>team/plan.txt</Key><Size>3</Size><ETag>&quot;900150983cd24fb0d6963f7d28e17f72&quot;</ETag><LastModified>2024-01-01T00:00:00.000Z</LastModified></Contents></ListBucketResult>',
        ),
  );
  const form = await openForm(page);
  await form.getByLabel('Start in').fill('shared/team/');
  await form.getByRole('button', { name: 'Add connection' }).click();
  await expect(page.getByRole('row', { name: /plan\.txt/ })).toBeVisible();
  await expect(row(page, 'shared')).toBeVisible();
  await expect(row(page, 'team')).toBeVisible();

  await row(page, 'shared').click();
  await expect(page.getByRole('row', { name: /plan\.txt/ })).toBeVisible();
  await page.keyboard.press('Control+P');
  await expect(page.getByRole('option', { name: /shared\/team\// })).toBeVisible();
  await page.keyboard.press('Escape');
  await removeConnection(page, 'Lab');
});

test('the address of an object, pasted as an endpoint, is taken apart by one click', async ({ page }) => {
  const form = await openForm(page);
  await form.getByLabel('Endpoint').fill('https://photos.s3.eu-west-1.amazonaws.com/2024/a.jpg');
  await expect(form.getByText('This address starts with a bucket.')).toBeVisible();
  await form.getByRole('button', { name: 'Use this endpoint' }).click();
  await expect(form.getByLabel('Endpoint')).toHaveValue('https://s3.eu-west-1.amazonaws.com');
  await expect(form.getByLabel('Region')).toHaveValue('eu-west-1');
  await expect(form.getByLabel('Start in')).toHaveValue('photos/2024/');
});

test('the request log shows requests without secrets and exports them', async ({ page }) => {
  await save(page, await openForm(page));
  const log = await openLog(page);
  await log.getByLabel('Filter by text').fill('ListBuckets');
  await log.getByRole('row').nth(1).click();
  await expect(log.getByRole('region', { name: 'Request details' }).getByText('REQUEST-7')).toBeVisible();
  await log.getByRole('button', { name: 'Save…' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Save as JSON' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  expect(JSON.parse(text)).toEqual(
    expect.arrayContaining([expect.objectContaining({ operation: 'ListBuckets' })]),
  );
  expect(text).not.toContain('SECRET-EXAMPLE');
  await removeConnection(page, 'Lab');
});

test('settings are saved as soon as they change', async ({ page }) => {
  await page.goto(await cooper.newAddress());
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('button', { name: 'Settings' }).click();
  await dialog.getByText('Match system', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
});

test('axe finds no problems in the form, the test, a denied connection, the menu and settings', async ({
  page,
}) => {
  const check = async (label: string) => {
    expect(await axeFindingsInBothSchemes(page), label).toEqual([]);
  };
  service.answer(listingDenied);
  const form = await openForm(page);
  await check('the form');
  await runTest(form);
  await form.getByRole('button', { name: 'Advanced' }).click();
  await check('the test, and the advanced settings');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await check('the question before discarding');
  await form.getByRole('button', { name: 'Keep editing' }).click();
  await save(page, form);
  await check('a connection that may not list');
  await row(page, 'Lab').focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible();
  await check('the menu');
  await page.keyboard.press('Escape');
  await (await openLog(page)).getByRole('row').nth(1).click();
  await check('the request log');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  await check('the settings');
  await page.keyboard.press('Escape');
  await removeConnection(page, 'Lab');
});
