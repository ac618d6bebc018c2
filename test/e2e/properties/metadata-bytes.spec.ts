import { expect } from '@playwright/test';
import { pressInList } from '../support/operations.ts';
import { goTo, labBucket, rowOf, test } from '../support/window.ts';

/** Metadata as another program sent it; each character is one byte of the header. */
const received = {
  'latin-1': 'Gr\u00f6\u00dfe',
  'q-word': '=?UTF-8?Q?caf=C3=A9_au_lait?=',
  utf8: Buffer.from('Größe', 'utf8').toString('latin1'),
};

test('metadata that is not text is shown but cannot be edited, and a change and its undo keep every other byte', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'foreign-metadata', ['letter.txt']);
  const bucket = lab.store.buckets.get('foreign-metadata')?.id ?? -1;
  lab.store.changeAttributes(bucket, 'letter.txt', (before) => ({ ...before, metadata: received }));
  const stored = () => {
    const attributes = lab.store.object(bucket, 'letter.txt')?.attributes;
    const { 'cooper-upload': _, ...metadata } = attributes?.metadata ?? {};
    return { cacheControl: attributes?.headers['cache-control'], metadata };
  };
  await goTo(win, 'Lab', 'foreign-metadata');
  await rowOf(win, 'letter.txt').click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Properties…' }).click();
  const dialog = win.getByRole('dialog', { name: 'Properties of letter.txt' });
  await dialog.getByRole('tab', { name: 'Metadata' }).click();
  const value = (name: string) => dialog.getByRole('textbox', { name: `Value: ${name}` });
  await expect(value('latin-1')).toBeDisabled();
  await expect(value('latin-1')).toHaveAccessibleDescription(/Not text that Cooper can read/u);
  await expect(value('q-word')).toHaveValue('café au lait');
  await expect(value('utf8')).toHaveValue('Größe');

  await dialog.getByRole('tab', { name: 'General' }).click();
  await dialog.getByRole('textbox', { name: 'Cache-Control' }).fill('max-age=7');
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(stored).toEqual({ cacheControl: 'max-age=7', metadata: received });
  await rowOf(win, 'letter.txt').click();
  await pressInList(win, 'Control+z');
  await expect.poll(stored).toEqual({ cacheControl: undefined, metadata: received });

  await rowOf(win, 'letter.txt').click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Properties…' }).click();
  await dialog.getByRole('tab', { name: 'Metadata' }).click();
  await value('q-word').fill('tea');
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(stored).toEqual({ cacheControl: undefined, metadata: { ...received, 'q-word': 'tea' } });
  await rowOf(win, 'letter.txt').click();
  await pressInList(win, 'Control+z');
  await expect.poll(stored).toEqual({ cacheControl: undefined, metadata: received });
});
