import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { rawFetch } from '../../support/servers/raw-fetch.ts';
import { chooseMore, goTo, labBucket, rowOf, test } from '../support/window.ts';

const attributesOf = (lab: Service, bucket: string, key: string) => {
  const id = lab.store.buckets.get(bucket)?.id ?? -1;
  return lab.store.object(id, key)?.attributes;
};

async function menu(win: Page, name: string, entry: string): Promise<void> {
  await rowOf(win, name).click({ button: 'right' });
  await win.getByRole('menuitem', { name: entry }).click();
}

const dialogOf = (win: Page, name: string | RegExp): Locator => win.getByRole('dialog', { name });

async function isClean(win: Page): Promise<void> {
  expect(await axeFindings(win, '[role="dialog"]')).toEqual([]);
}

test('headers and metadata of an object are changed by a job after showing what it resets', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'one-changed', ['letter.txt']);
  await goTo(win, 'Lab', 'one-changed');
  await menu(win, 'letter.txt', 'Properties…');
  const dialog = dialogOf(win, 'Properties of letter.txt');
  await expect(dialog.getByRole('textbox', { name: 'Content type' })).toHaveValue('binary/octet-stream');
  await expect(dialog.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Content type' }).fill('text/x-letter');
  const resets = dialog.getByRole('region', { name: 'Effects of this change' });
  await expect(resets).toContainText('copies each object onto itself');
  await expect(resets).toContainText('new modification time');
  await dialog.getByRole('tab', { name: 'Metadata' }).click();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Author');
  await dialog.getByRole('textbox', { name: 'Value: Author' }).fill('Grüße');
  await isClean(win);
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(() => attributesOf(lab, 'one-changed', 'letter.txt')?.headers['content-type'])
    .toBe('text/x-letter');
  await menu(win, 'letter.txt', 'Properties…');
  await expect(dialog.getByRole('textbox', { name: 'Content type' })).toHaveValue('text/x-letter');
  await dialog.getByRole('tab', { name: 'Metadata' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Value: author' })).toHaveValue('Grüße');
});

test('Escape with unsaved properties asks first', async ({ win, lab }) => {
  await labBucket(lab, 'not-saved', ['letter.txt']);
  await goTo(win, 'Lab', 'not-saved');
  await menu(win, 'letter.txt', 'Properties…');
  const dialog = dialogOf(win, 'Properties of letter.txt');
  const type = dialog.getByRole('textbox', { name: 'Content type' });
  await type.fill('text/x-letter');
  await win.keyboard.press('Escape');
  await expect(dialog.getByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible();
  await isClean(win);
  await win.keyboard.press('Enter');
  await expect(type).toHaveValue('text/x-letter');
  await win.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await expect(dialog).toBeHidden();
  expect(attributesOf(lab, 'not-saved', 'letter.txt')?.headers['content-type']).not.toBe('text/x-letter');
});

test('tags of several objects are changed in place, and differing values are marked', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'many-tagged', ['a.txt', 'b.txt', 'c.txt']);
  const bucket = lab.store.buckets.get('many-tagged')?.id ?? -1;
  lab.store.changeAttributes(bucket, 'a.txt', (before) => ({ ...before, tags: { team: 'blue' } }));
  const modifiedMs = lab.store.object(bucket, 'b.txt')?.modifiedMs;
  await goTo(win, 'Lab', 'many-tagged');
  await rowOf(win, 'a.txt').click();
  await rowOf(win, 'b.txt').click({ modifiers: ['Control'] });
  await win.keyboard.press('Alt+Enter');
  const dialog = dialogOf(win, 'Properties of 2 items');
  await dialog.getByRole('tab', { name: 'Tags' }).click();
  const team = dialog.getByRole('textbox', { name: 'Value: team' });
  await expect(team).toHaveAttribute('placeholder', '(various)');
  await team.fill('red');
  await expect(dialog.getByText('copies each object onto itself')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Apply to 2 items' }).click();
  await expect(dialog).toBeHidden();
  for (const key of ['a.txt', 'b.txt'])
    await expect.poll(() => attributesOf(lab, 'many-tagged', key)?.tags).toEqual({ team: 'red' });
  expect(attributesOf(lab, 'many-tagged', 'c.txt')?.tags).toBeUndefined();
  expect(lab.store.object(bucket, 'b.txt')?.modifiedMs).toBe(modifiedMs);
});

test('an unsupported function of the service is not shown as an error', async ({ win, lab }) => {
  await labBucket(lab, 'plain-service', ['note.txt']);
  await goTo(win, 'Lab', 'plain-service');
  await menu(win, 'note.txt', 'Properties…');
  const dialog = dialogOf(win, 'Properties of note.txt');
  await dialog.getByRole('tab', { name: 'Access' }).click();
  await expect(
    dialog.getByText('This service does not support permissions of single objects (ACLs).'),
  ).toBeVisible();
  await dialog.getByRole('tab', { name: 'Lock' }).click();
  await expect(dialog.getByText('This service does not support object lock.')).toBeVisible();
  await dialog.getByRole('tab', { name: 'Archive' }).click();
  await expect(dialog.getByText('You can read this object at any time.')).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await win.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const refused = lab.faults.add({
    operation: 'ListObjectVersions',
    times: Infinity,
    action: { kind: 'status', status: 501, code: 'NotImplemented' },
  });
  await chooseMore(win, 'Show versions');
  await expect(win.getByRole('heading', { name: 'This service does not support versions' })).toBeVisible();
  await win.getByRole('button', { name: 'Back to the folder' }).click();
  await expect(rowOf(win, 'note.txt')).toBeVisible();
  refused.remove();
});

test('a signed link is shown as text and QR code, works, and is not logged', async ({ win, lab, cooper }) => {
  const key = 'a b+c%/ü //x.txt';
  await labBucket(lab, 'signed-links', [key]);
  await goTo(win, 'Lab', 'signed-links/a b+c%/ü //');
  await menu(win, 'x.txt', 'Create a link…');
  const dialog = dialogOf(win, 'Link to x.txt');
  const field = dialog.getByRole('textbox', { name: 'Link', exact: true });
  await expect(field).toHaveValue(/X-Amz-Signature=/);
  await expect(dialog.getByText(/^This link expires on /)).toBeVisible();
  await expect(dialog.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  await isClean(win);
  const reading = await field.inputValue();
  expect(await rawFetch(reading)).toMatchObject({ status: 200, text: key });

  await dialog.getByText('Response headers').click();
  await dialog.getByText('Save as a file').click();
  await expect(field).toHaveValue(/response-content-disposition=/);
  const saving = await rawFetch(await field.inputValue());
  expect(saving.headers['content-disposition']).toBe('attachment; filename="x.txt"');

  await dialog.getByText('Upload', { exact: true }).click();
  await expect(dialog.getByText('The upload replaces the object.')).toBeVisible();
  const writing = await field.inputValue();
  expect(writing).not.toContain('response-content');
  expect((await rawFetch(writing, 'PUT', 'by link')).status).toBe(200);
  expect((await rawFetch(reading)).text).toBe('by link');

  await dialog.getByText('Plain address').click();
  await expect(field).not.toHaveValue(/X-Amz/);
  await expect(dialog.getByText('This address does not expire.')).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  const signature = /X-Amz-Signature=(\w+)/.exec(reading)?.[1] ?? 'none';
  expect(signature).not.toBe('none');
  expect(cooper.output()).not.toContain(signature);
  await win.keyboard.press('Control+j');
  const log = win.getByRole('region', { name: 'Request log' });
  await expect(log).toBeVisible();
  await expect(log.getByText(signature)).toHaveCount(0);
  await win.keyboard.press('Control+j');
  await expect(log).toBeHidden();
});
