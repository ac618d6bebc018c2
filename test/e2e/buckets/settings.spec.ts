import { expect, type Locator, type Page, type WebSocketRoute } from '@playwright/test';
import { addConnection, removeConnection } from '../support/forms.ts';
import { axeFindings } from '../support/axe.ts';
import { startDocumentsService, type DocumentsService } from '../../support/servers/documents-service.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { test } from '../support/window.ts';

let cooper: RunningCooper;
let service: DocumentsService;
let address: string;
test.beforeAll(async ({ browser }) => {
  cooper = await startCooper();
  service = await startDocumentsService('photos');
  const page = await browser.newPage();
  await page.goto(await cooper.newAddress());
  const keys = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'SECRET-EXAMPLE' };
  await addConnection(page, { name: 'Documents', endpoint: service.endpoint, keys });
  await page.close();
});
test.beforeEach(async () => {
  address = await cooper.newAddress();
  service.documents.clear();
  service.refusals.clear();
  service.ignored.clear();
  service.stores.clear();
  service.written.length = 0;
});
test.afterAll(async () => {
  await cooper.end();
  await service.close();
});

const bucketRow = (page: Page) => page.getByRole('treeitem', { name: /^photos/ });

async function openSettings(page: Page, section: string, connection = 'Documents'): Promise<Locator> {
  await page.goto(address);
  await page.getByRole('treeitem', { name: new RegExp(`^${connection}`, 'u') }).click();
  // Once the page has loaded, it no longer moves focus.
  await expect(page.getByRole('grid', { name: 'Buckets' })).toBeVisible();
  // Both connections have a bucket of this name; the later one is below.
  await bucketRow(page).last().focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Bucket settings…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings of “photos”' });
  await dialog.getByRole('button', { name: section, exact: true }).click();
  await expect(dialog.getByRole('heading', { name: section, exact: true })).toBeVisible();
  return dialog;
}

async function isAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page, '[role="dialog"]')).toEqual([]);
}

test('one click adds a rule against incomplete uploads, shown before it is saved', async ({ page }) => {
  const dialog = await openSettings(page, 'Lifecycle');
  await dialog.getByLabel('Abort incomplete uploads after').first().fill('5');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await isAccessible(page);
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await expect(dialog.getByRole('group', { name: 'New', exact: true })).toContainText(
    '<DaysAfterInitiation>5</DaysAfterInitiation>',
  );
  expect(service.written).toEqual([]);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('switch', { name: 'abort-incomplete-uploads' })).toBeChecked();
  expect(service.written).toEqual(['PUT lifecycle']);
  expect(service.documents.get('lifecycle')).toContain('<ID>abort-incomplete-uploads</ID>');
});

test('an untouched rule that the service changed is named, and the configuration can be restored', async ({
  page,
}) => {
  const kept =
    '<Rule><ID>kept</ID><Filter><Prefix>x/</Prefix></Filter><Status>Enabled</Status><Expiration><Days>9</Days></Expiration></Rule>';
  service.documents.set('lifecycle', `<LifecycleConfiguration>${kept}</LifecycleConfiguration>`);
  service.stores.set('lifecycle', (text) => text.replace('<Prefix>x/</Prefix>', ''));
  const dialog = await openSettings(page, 'Lifecycle');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('“kept” has changed, although your change was not about it.')).toBeVisible();
  await expect(dialog.getByRole('group', { name: 'New', exact: true })).toContainText('<Prefix>x/</Prefix>');
  await isAccessible(page);
  const restore = dialog.getByRole('button', { name: 'Restore previous configuration' });
  await restore.click();
  await expect(dialog.getByText('The service did not restore everything')).toBeVisible();
  service.stores.clear();
  await restore.click();
  await expect(page.getByText('Restored', { exact: true })).toBeVisible();
  expect(service.documents.get('lifecycle')).toContain('<Prefix>x/</Prefix>');
  expect(service.documents.get('lifecycle')).not.toContain('abort-incomplete-uploads');
});

test('a rule with parts unknown to the form keeps them when another one is added', async ({ page }) => {
  const foreign =
    '<Rule><ID>by-tag</ID><Filter><Tag><Key>a</Key><Value>b &amp; c</Value></Tag></Filter><Status>Enabled</Status><Expiration><Days>9</Days></Expiration></Rule>';
  service.documents.set('lifecycle', `<LifecycleConfiguration>${foreign}</LifecycleConfiguration>`);
  const dialog = await openSettings(page, 'Lifecycle');
  await expect(dialog.getByText('The form does not cover all of this rule', { exact: false })).toBeVisible();
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('switch', { name: 'abort-incomplete-uploads' })).toBeVisible();
  const sent = (service.documents.get('lifecycle') ?? '').replaceAll(/>\s+</g, '><');
  expect(sent).toContain(foreign);
});

test('a concurrent change of bucket settings is reported and not overwritten', async ({ page }) => {
  service.documents.set(
    'tagging',
    '<Tagging><TagSet><Tag><Key>team</Key><Value>a</Value></Tag></TagSet></Tagging>',
  );
  const dialog = await openSettings(page, 'Tags');
  await dialog.getByRole('textbox', { name: 'Value 1' }).fill('mine');
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  service.documents.set(
    'tagging',
    '<Tagging><TagSet><Tag><Key>team</Key><Value>theirs</Value></Tag></TagSet></Tagging>',
  );
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Someone else has changed it')).toBeVisible();
  await expect(dialog.getByRole('group', { name: 'New', exact: true })).toContainText('theirs');
  expect(service.written).toEqual([]);
  await dialog.getByRole('button', { name: 'Use the current version' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Value 1' })).toHaveValue('theirs');
});

test('a mistake in a policy is reported with its line, and a public policy is marked', async ({ page }) => {
  const dialog = await openSettings(page, 'Policy');
  await dialog.getByRole('button', { name: 'Add configuration' }).click();
  const editor = dialog.getByRole('textbox', { name: 'Policy as JSON' });
  await editor.fill(
    '{\n  "Version": "2012-10-17",\n  "Statement": [{"Effect": "Permit", "Principal": "*"}]\n}',
  );
  await dialog.getByRole('button', { name: 'Check' }).click();
  const problems = dialog.getByRole('list', { name: 'Problems' });
  await expect(problems).toContainText('Line 3Use one of these: Effect: Allow, Deny');
  await expect(problems).toContainText('“Action” is missing.');
  await isAccessible(page);
  await editor.fill('{\n  "Version": "2012-10-17",\n}');
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await expect(problems).toContainText('Line 3This is not well-formed JSON');
  await editor.fill(
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::photos/*' },
      ],
    }),
  );
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(
    dialog.getByText('Public: this policy gives everyone access.', { exact: false }),
  ).toBeVisible();
});

test('settings that a provider documents as unsupported are marked before they are opened, until the service answers', async ({
  page,
}) => {
  await page.goto(address);
  const keys = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'SECRET-EXAMPLE' };
  await addConnection(page, { name: 'As MinIO', endpoint: service.endpoint, keys, provider: 'MinIO' });
  const dialog = await openSettings(page, 'Tags', 'As MinIO');
  for (const section of ['Website', 'Access logging', 'CORS'])
    await expect(dialog.getByRole('button', { name: section, exact: true })).toHaveAccessibleDescription(
      'Not supported by this service',
    );
  await expect(dialog.getByRole('button', { name: 'Lifecycle', exact: true })).toHaveAccessibleDescription(
    '',
  );
  const website = dialog.getByRole('button', { name: 'Website', exact: true });
  await website.click();
  await expect(dialog.getByLabel('Index document')).toBeVisible();
  await expect(website).toHaveAccessibleDescription('');
  await page.reload();
  const again = await openSettings(page, 'Tags', 'As MinIO');
  await expect(again.getByRole('button', { name: 'CORS', exact: true })).toHaveAccessibleDescription(
    'Not supported by this service',
  );
  await expect(again.getByRole('button', { name: 'Website', exact: true })).toHaveAccessibleDescription('');
  await page.keyboard.press('Escape');
  await removeConnection(page, 'As MinIO');
});

test('settings that the service lacks are shown as unsupported, for any form of refusal', async ({
  page,
}) => {
  service.refusals.set('versioning', [501, 'NotImplemented']);
  service.refusals.set('cors', [405, 'MethodNotAllowed']);
  service.ignored.add('encryption');
  const dialog = await openSettings(page, 'Versioning');
  for (const section of ['Versioning', 'CORS', 'Default encryption']) {
    await dialog.getByRole('button', { name: section, exact: true }).click();
    await expect(dialog.getByRole('heading', { name: section, exact: true })).toBeVisible();
    await expect(dialog.getByText('Not supported by this service')).toBeVisible();
  }
  await expect(page.getByRole('alert')).toHaveCount(0);

  // Refused sections stay marked, also after a reload, until the service responds to them.
  service.refusals.delete('cors');
  await page.reload();
  const marked = await openSettings(page, 'Tags');
  for (const section of ['Versioning', 'CORS', 'Default encryption'])
    await expect(marked.getByRole('button', { name: section, exact: true })).toHaveAccessibleDescription(
      'Not supported by this service',
    );
  await expect(marked.getByRole('button', { name: 'Tags', exact: true })).toHaveAccessibleDescription('');
  await isAccessible(page);
  const cors = marked.getByRole('button', { name: 'CORS', exact: true });
  await cors.click();
  await expect(marked.getByText('No rules: other websites', { exact: false })).toBeVisible();
  await expect(cors).toHaveAccessibleDescription('');
});

test('ownership and a website are set in forms, and read back after they are saved', async ({ page }) => {
  const dialog = await openSettings(page, 'Website');
  await dialog.getByLabel('Index document').fill('a/b');
  await expect(dialog.getByText('Type the name of the index document', { exact: false })).toBeVisible();
  await dialog.getByLabel('Index document').fill('start.html');
  await isAccessible(page);
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => service.written).toEqual(['PUT website']);
  expect(service.documents.get('website')).toContain('<Suffix>start.html</Suffix>');

  await dialog.getByRole('button', { name: 'Ownership', exact: true }).click();
  await dialog.getByRole('radio', { name: /^The bucket owner owns all objects/u }).check();
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => service.written).toEqual(['PUT website', 'PUT ownershipControls']);
  await expect(dialog.getByRole('radio', { name: /^The bucket owner owns all objects/u })).toBeChecked();
});

test('access logging is turned on and off in a form, and read back after it is saved', async ({ page }) => {
  const dialog = await openSettings(page, 'Access logging');
  await dialog.getByRole('switch', { name: 'Write access logs' }).check();
  await expect(dialog.getByText('Type the bucket for the logs.')).toBeVisible();
  await dialog.getByLabel('Bucket for the logs').fill('the-logs');
  await dialog.getByLabel('Prefix of the logs').fill('web/');
  await dialog.getByRole('combobox', { name: 'Keys of the logs' }).click();
  await page.getByRole('option', { name: 'In folders by the date of the requests' }).click();
  await isAccessible(page);
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => service.written).toEqual(['PUT logging']);
  const stored = service.documents.get('logging');
  expect(stored).toContain('<TargetBucket>the-logs</TargetBucket>');
  expect(stored).toContain('<PartitionDateSource>EventTime</PartitionDateSource>');
  await expect(dialog.getByLabel('Prefix of the logs')).toHaveValue('web/');
  await dialog.getByRole('switch', { name: 'Write access logs' }).uncheck();
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => service.written).toEqual(['PUT logging', 'PUT logging']);
  expect(service.documents.get('logging')).not.toContain('LoggingEnabled');
  await expect(dialog.getByRole('switch', { name: 'Write access logs' })).not.toBeChecked();
});

test('a denied section names the missing permission', async ({ page }) => {
  service.refusals.set('lifecycle', [403, 'AccessDenied']);
  const dialog = await openSettings(page, 'Lifecycle');
  await expect(dialog.getByRole('alert')).toContainText('s3:GetLifecycleConfiguration');
});

test('a configuration is removed only after a second confirmation', async ({ page }) => {
  service.documents.set(
    'cors',
    '<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>',
  );
  const dialog = await openSettings(page, 'CORS');
  await dialog.getByRole('button', { name: 'Remove configuration…' }).click();
  await expect(dialog.getByText('Remove this configuration?')).toBeVisible();
  expect(service.written).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog.getByText('No rules: other websites', { exact: false })).toBeVisible();
  expect(service.written).toEqual(['DELETE cors']);
});

test('leaving unsaved settings asks first, and closing returns focus', async ({ page }) => {
  const dialog = await openSettings(page, 'Versioning');
  await dialog.getByRole('radio', { name: /^Enabled/ }).check();
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('You have not saved your changes.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Discard changes' }).first().click();
  await expect(dialog).toBeHidden();
  await expect(bucketRow(page)).toBeFocused();
  expect(service.written).toEqual([]);
});

test('unsaved settings survive a lost connection to the program', async ({ page }) => {
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/./u, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  const dialog = await openSettings(page, 'Versioning');
  await dialog.getByRole('radio', { name: /^Enabled/ }).check();
  await sockets.at(-1)?.close();
  await expect.poll(() => sockets.length).toBe(2);
  // These requests use the new connection, so any re-read of the settings was requested before them.
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => service.written).toEqual(['PUT versioning']);
  expect(service.documents.get('versioning')).toContain('<Status>Enabled</Status>');
});

test('in a narrow window every section of the settings is reachable and nothing is cut off', async ({
  page,
}) => {
  await page.setViewportSize({ width: 480, height: 800 });
  await page.goto(address);
  await page.getByRole('button', { name: 'Show the sidebar' }).click();
  await page.getByRole('treeitem', { name: /^Documents/ }).click();
  await page
    .getByRole('grid', { name: 'Buckets' })
    .getByRole('button', { name: 'Actions for photos' })
    .click();
  await page.getByRole('menuitem', { name: 'Bucket settings…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings of “photos”' });
  await dialog.getByRole('combobox', { name: 'Section' }).click();
  await page.getByRole('option', { name: 'CORS' }).click();
  await dialog.getByRole('button', { name: 'Add a rule' }).click();
  await isAccessible(page);
  const overflow = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('an inventory report is configured in the form, shown, and saved as its own document', async ({
  page,
}) => {
  const dialog = await openSettings(page, 'Inventory');
  await dialog.getByRole('button', { name: 'Add a report' }).click();
  await expect(dialog.getByText('A report needs a bucket and a name', { exact: false })).toBeVisible();
  await dialog.getByLabel('Deliver to bucket').fill('reports');
  await dialog.getByLabel('Below', { exact: true }).fill('lists');
  await isAccessible(page);
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await expect(dialog.getByRole('group', { name: 'New', exact: true })).toContainText(
    '<Bucket>arn:aws:s3:::reports</Bucket>',
  );
  expect(service.written).toEqual([]);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('switch', { name: 'inventory' })).toBeChecked();
  expect(service.written).toEqual(['PUT inventory']);
  expect(service.documents.get('inventory:inventory')).toContain('<Frequency>Daily</Frequency>');
  await dialog.getByRole('button', { name: 'Find reports of inventory' }).click();
  await expect(dialog.getByText('No reports yet.', { exact: false })).toBeVisible();
  await isAccessible(page);
});
