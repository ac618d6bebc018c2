import { expect, type Locator, type Page } from '@playwright/test';
import { startControlService, type ControlService } from '../../support/servers/control-service.ts';
import { axeFindings } from '../support/axe.ts';
import { addConnection } from '../support/forms.ts';
import { results } from '../support/search.ts';
import { crumb, grid, labBucket, labKeys, openConnection, test, typeAddress } from '../support/window.ts';

const accountId = '123456789012';
const roleArn = 'arn:aws:iam::123456789012:role/batch';

let control: ControlService | null = null;
test.afterEach(async () => {
  await control?.close();
  control = null;
});

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Batch job on AWS' });
const jobRow = (page: Page, bucket: string): Locator =>
  page.getByRole('grid', { name: 'Transfers' }).getByRole('row').filter({ hasText: bucket }).first();

/** Opens a search with three results, in a connection to a fake Amazon S3. */
async function searched(
  page: Page,
  lab: Parameters<typeof labBucket>[0],
  name: string,
): Promise<ControlService> {
  const started = await startControlService(lab.endpoint, { accountId, region: 'us-east-1', ...labKeys });
  control = started;
  await labBucket(lab, name, ['a/1.log', 'a/2.log', 'a/3.log', 'b.txt']);
  await addConnection(page, { name, endpoint: started.endpoint, keys: labKeys, provider: 'Amazon S3' });
  await expect(crumb(page)).toHaveText(name);
  await typeAddress(page, `${name}/a/`);
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('Control+Shift+E');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('.log');
  await page.keyboard.press('Enter');
  await expect(page.getByText('3 found in 3 keys')).toBeVisible();
  return started;
}

async function byPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /^Type a command/ })).toBeFocused();
  await page.keyboard.type('Batch job');
  await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toContainText(
    'Batch job on AWS',
  );
  await page.keyboard.press('Enter');
}

test('a search becomes a batch job on AWS by keyboard alone, is confirmed and followed to its end', async ({
  win,
  lab,
}) => {
  const service = await searched(win, lab, 'batch-tags');
  service.script = [
    { status: 'Suspended', total: 3 },
    { status: 'Active', succeeded: 1 },
    { status: 'Complete', succeeded: 2, failed: 1 },
  ];
  await results(win).focus();
  await win.keyboard.press('Control+a');
  await byPalette(win);
  await expect(dialog(win)).toBeVisible();
  await expect(dialog(win).getByText('For 3 objects of batch-tags.')).toBeVisible();
  expect(await axeFindings(win)).toEqual([]);

  // Each missing value is reported at its field, and the first such field has focus.
  const account = dialog(win).getByLabel('AWS account ID');
  await account.fill('12');
  await account.press('Enter');
  const tags = dialog(win).getByLabel('Tags', { exact: true });
  await expect(tags).toBeFocused();
  await expect(dialog(win).getByText('An account ID has 12 digits.')).toBeVisible();
  expect(await axeFindings(win)).toEqual([]);
  await tags.fill('state=old\nowner=ops');
  await account.fill(accountId);
  await dialog(win).getByLabel('IAM role (ARN)').fill(roleArn);
  await dialog(win).getByLabel('IAM role (ARN)').press('Enter');
  await expect(dialog(win)).toBeHidden();

  const row = jobRow(win, 'batch-tags');
  await expect(row).toContainText('Needs attention: AWS waits for your word to run the job');
  const facts = win.getByLabel('The job on AWS');
  await expect(facts).toContainText('Replace all tags with state=old, owner=ops');
  await expect(facts).toContainText(service.jobs[0]?.id ?? 'no job');
  expect(await axeFindings(win)).toEqual([]);
  expect(service.jobs.map(({ seen }) => seen.status)).toEqual(['Suspended']);

  await win.getByRole('button', { name: 'Run the job…', exact: true }).click();
  const question = win.getByRole('dialog', { name: 'Run this job?' });
  await expect(question).toContainText('AWS has counted 3 objects');
  await question.getByRole('button', { name: 'Run the job' }).click();
  await expect(row).toContainText('Active: 1 of 3 done, 0 failed');
  await expect(row).toContainText('Needs attention: 1 of 3 failed. The report names them');
  await win.getByRole('button', { name: 'Show the report', exact: true }).click();
  await expect(crumb(win)).toHaveText(`job-${service.jobs[0]?.id}`);
});

test('a batch deletion by tag explains itself, adds its rule and needs confirmation; cancelling tells AWS', async ({
  win,
  lab,
}) => {
  const service = await searched(win, lab, 'batch-expire');
  service.script = [{ status: 'Active', total: 3, succeeded: 1 }];
  await win.getByRole('button', { name: 'Select all results' }).click();
  const toolbar = win.getByRole('toolbar', { name: 'Actions for the results' });
  await toolbar.getByRole('button', { name: 'Export' }).click();
  await win.getByRole('menuitem', { name: 'Batch job on AWS…' }).click();
  await dialog(win).getByText('Delete by tag').click();
  await expect(dialog(win).getByText('what the rule deletes cannot be restored')).toBeVisible();
  await expect(dialog(win).getByText('The bucket has no lifecycle rule for this tag yet.')).toBeVisible();
  await dialog(win).getByLabel('Tag value').fill('2026-11-25');
  await expect(dialog(win).getByText(/with the tag cooper-delete=2026-11-25 1 day after/)).toBeVisible();
  await dialog(win).getByRole('button', { name: 'Add this rule to batch-expire' }).click();
  await expect(dialog(win).getByText('The bucket has a lifecycle rule for this tag.')).toBeVisible();
  expect(service.lifecycles.get('batch-expire')).toContain('<Value>2026-11-25</Value>');
  expect(await axeFindings(win)).toEqual([]);

  await dialog(win).getByLabel('AWS account ID').fill(accountId);
  await dialog(win).getByLabel('IAM role (ARN)').fill(roleArn);
  await dialog(win).getByText('Ask again before anything is changed').click();
  const submit = dialog(win).getByRole('button', { name: 'Tag for deletion' });
  await expect(submit).toBeDisabled();
  await dialog(win)
    .getByLabel(/^To delete these objects by a tag, type/)
    .fill('delete');
  await submit.click();
  const row = jobRow(win, 'batch-expire');
  await expect(row).toContainText('Active: 1 of 3 done');
  await row.getByRole('button', { name: /^Cancel…/ }).click();
  await expect(win.getByRole('dialog')).toContainText('AWS is told to stop.');
  await win.getByRole('button', { name: 'Cancel transfer' }).click();
  await expect(row).toContainText('Cancelled. 1 of 3 were done before');
  expect(service.jobs.map(({ seen }) => seen.status)).toEqual(['Cancelled']);
});

test('one object of a folder becomes a batch job with its price shown first', async ({ win, lab }) => {
  const started = await startControlService(lab.endpoint, { accountId, region: 'us-east-1', ...labKeys });
  control = started;
  await labBucket(lab, 'batch-one', ['only.log', 'other.log']);
  await addConnection(win, {
    name: 'batch-one',
    endpoint: started.endpoint,
    keys: labKeys,
    provider: 'Amazon S3',
  });
  await expect(crumb(win)).toHaveText('batch-one');
  await typeAddress(win, 'batch-one/');
  await expect(grid(win)).toBeFocused();
  await grid(win).getByRole('row').filter({ hasText: 'only.log' }).click();
  await byPalette(win);
  await expect(dialog(win)).toContainText('For 1 object of batch-one.');
  await expect(dialog(win)).toContainText('AWS bills about US$0.25 for this job.');
  expect(await axeFindings(win)).toEqual([]);
  await dialog(win).getByRole('button', { name: 'Prices…' }).click();
  await expect(win.getByRole('dialog', { name: 'Prices of batch-one' })).toContainText(
    'S3 Batch Operations, per job',
  );
});

test('a connection to another service offers no batch jobs and says why', async ({ win, lab }) => {
  await labBucket(lab, 'batch-none', ['a.log']);
  await openConnection(win, 'Lab');
  await typeAddress(win, 'batch-none');
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Control+a');
  await byPalette(win);
  await expect(win.getByText('Batch jobs run on Amazon S3 alone.')).toBeVisible();
  await expect(dialog(win)).toBeHidden();
});
