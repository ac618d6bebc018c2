import { expect, type Locator, type Page } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { axeFindings } from '../support/axe.ts';
import { goTo, rowOf, test } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

const words = en.viewers.edit;

async function storedBytes(lab: Service, bucketName: string, key: string): Promise<Buffer> {
  const bucket = lab.store.buckets.get(bucketName);
  const object = bucket === null ? null : lab.store.object(bucket.id, key);
  if (object === null) throw new Error(`There is no ${key}.`);
  const reader = lab.store.contents.reader(object.content, 0, object.sizeBytes);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of reader.stream()) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    reader.release();
  }
}

async function edit(win: Page, name: string): Promise<{ dialog: Locator; content: Locator }> {
  const dialog = await open(win, name);
  await dialog.getByRole('button', { name: words.begin, exact: true }).click();
  const content = dialog.getByRole('textbox', { name: `Content of ${name}` });
  await expect(content).toBeFocused();
  return { dialog, content };
}

test('a text is edited, saved by shortcut and shown as saved with its line ends and mark', async ({
  win,
  lab,
}, info) => {
  const files = {
    'dos.ini': '\ufeff[a]\r\nkey=1\r\n',
    'mixed.txt': 'one\r\ntwo\nthree\r',
    'wide.txt': Buffer.from('\ufeffweit\n', 'utf16le'),
    'plain.json': '{"a":10.0}',
  };
  await putAll(lab, 'edits', files);
  await goTo(win, 'Lab', 'edits/');
  for (const [name, had] of Object.entries(files)) {
    const { dialog, content } = await edit(win, name);
    await win.keyboard.press('ControlOrMeta+Home');
    await win.keyboard.type('Ä');
    await expect(dialog.getByText(words.changed)).toBeVisible();
    await win.keyboard.press('ControlOrMeta+s');
    await expect(dialog.getByText(words.saved)).toBeVisible();
    const text = typeof had === 'string' ? had : had.toString('utf16le');
    const wanted = text.startsWith('\ufeff') ? `\ufeffÄ${text.slice(1)}` : `Ä${text}`;
    const bytes = Buffer.from(wanted, typeof had === 'string' ? 'utf8' : 'utf16le');
    expect((await storedBytes(lab, 'edits', name)).equals(bytes), name).toBe(true);
    // A second save overwrites the first.
    await win.keyboard.press('Backspace');
    await expect(dialog.getByText(words.changed)).toBeVisible();
    await win.keyboard.press('ControlOrMeta+s');
    await expect(dialog.getByText(words.saved)).toBeVisible();
    expect((await storedBytes(lab, 'edits', name)).equals(Buffer.from(had)), name).toBe(true);
    await win.keyboard.type('B');
    await win.keyboard.press('ControlOrMeta+s');
    await expect(dialog.getByText(words.saved)).toBeVisible();
    if (name === 'dos.ini') {
      for (const colorScheme of ['light', 'dark'] as const) {
        await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await win.screenshot({ path: info.outputPath(`editing-${colorScheme}.png`) });
        expect(await axeFindings(win)).toEqual([]);
      }
    }
    await dialog.getByRole('button', { name: words.done, exact: true }).click();
    if (name === 'plain.json') {
      await expect(dialog.getByText(/This is not valid/)).toBeVisible();
    } else {
      await expect(content).toHaveAttribute('aria-readonly', 'true');
      await expect(content).toContainText('B');
    }
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await expect(rowOf(win, 'plain.json')).toContainText('11 bytes');
});

test('a save requested during a slow one is queued after it', async ({ win, lab }) => {
  await putAll(lab, 'slow-edits', { 'note.txt': 'one' });
  await goTo(win, 'Lab', 'slow-edits/');
  const { dialog } = await edit(win, 'note.txt');
  const held = Promise.withResolvers<undefined>();
  lab.faults.add({
    operation: 'PutObject',
    bucket: 'slow-edits',
    action: { kind: 'hold', until: held.promise },
    times: 1,
  });
  await win.keyboard.press('ControlOrMeta+Home');
  for (const letter of ['A', 'B']) {
    await win.keyboard.type(letter);
    await win.keyboard.press('ControlOrMeta+s');
  }
  held.resolve(undefined);
  await expect.poll(async () => (await storedBytes(lab, 'slow-edits', 'note.txt')).toString()).toBe('ABone');
  await expect(dialog.getByText(words.saved)).toBeVisible();
});

test('a concurrent change of an edited text is not overwritten until the user agrees', async ({
  win,
  lab,
}, info) => {
  await putAll(lab, 'overtaken', { 'notes.md': '# mine', 'gone.txt': 'here' });
  await goTo(win, 'Lab', 'overtaken/');
  const bucket = lab.store.buckets.get('overtaken');
  for (const name of ['notes.md', 'gone.txt']) {
    const { dialog } = await edit(win, name);
    await win.keyboard.type('more ');
    if (name === 'notes.md')
      await lab.store.putBytes(bucket?.id ?? 0, name, Buffer.from('# of another'), { modifiedMs: 2e12 });
    else lab.store.deleteObject(bucket?.id ?? 0, name);
    await win.keyboard.press('ControlOrMeta+s');
    const warning = dialog.getByRole('alert').filter({ hasText: en.errors.reasons['edit-changed'].title });
    await expect(warning).toBeVisible();
    await expect(dialog.getByText(words.kept)).toBeVisible();
    // Only the editor asks; no notice repeats the question.
    await expect(win.getByText(en.edits.conflict.body)).toHaveCount(0);
    if (name === 'notes.md')
      for (const [colorScheme, width] of [
        ['light', 1440],
        ['dark', 800],
      ] as const) {
        await win.setViewportSize({ width, height: 800 });
        await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await win.screenshot({ path: info.outputPath(`overtaken-${colorScheme}.png`) });
        expect(await axeFindings(win)).toEqual([]);
      }
    // Closing or the next object discards the text only after a confirmation.
    await win.keyboard.press('Escape');
    await expect(win.getByText(en.common.discard.title)).toBeVisible();
    await win.getByRole('button', { name: en.common.discard.cancel }).click();
    await dialog.getByRole('button', { name: en.edits.conflict.overwrite }).click();
    await expect(dialog.getByText(words.saved)).toBeVisible();
    expect(String(await storedBytes(lab, 'overtaken', name))).toMatch(/^more /);
    await dialog.getByRole('button', { name: words.done, exact: true }).click();
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});

test('closing a text with unsaved changes asks first, and discarded changes leave nothing behind', async ({
  win,
  lab,
}, info) => {
  await putAll(lab, 'let-go', { 'a.txt': 'as it is' });
  await goTo(win, 'Lab', 'let-go/');
  const { dialog, content } = await edit(win, 'a.txt');
  await win.keyboard.type('never ');
  await win.keyboard.press('Escape');
  await expect(win.getByRole('button', { name: en.common.discard.cancel })).toBeFocused();
  await win.screenshot({ path: info.outputPath('asked.png') });
  await win.keyboard.press('Enter');
  await expect(content).toContainText('never as it is');
  await dialog.getByRole('button', { name: words.done, exact: true }).click();
  await win.getByRole('button', { name: en.common.discard.confirm }).click();
  await expect(content).toHaveAttribute('aria-readonly', 'true');
  await expect(content).not.toContainText('never');
  await win.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(String(await storedBytes(lab, 'let-go', 'a.txt'))).toBe('as it is');
});

test('binary files and texts above 5 MiB cannot be edited', async ({ win, lab }) => {
  await putAll(lab, 'no-edits', {
    'latin.txt': Buffer.from('caf\xe9', 'latin1'),
    'large.txt': 'x\n'.repeat((5 * 1024 ** 2) / 2 + 1),
  });
  await goTo(win, 'Lab', 'no-edits/');
  let dialog = await open(win, 'latin.txt');
  await dialog.getByRole('button', { name: words.begin, exact: true }).click();
  await expect(dialog.getByText(words.notText)).toBeVisible();
  await dialog.getByRole('button', { name: words.done, exact: true }).click();
  await win.keyboard.press('Escape');
  dialog = await open(win, 'large.txt');
  await expect(dialog.getByRole('textbox', { name: 'Content of large.txt' })).toContainText('x');
  await expect(dialog.getByRole('button', { name: words.begin, exact: true })).toHaveCount(0);
});

test('an SVG can be edited as text, but an image shown as text cannot', async ({ win, lab }) => {
  await putAll(lab, 'no-text', {
    'dot.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1]),
    'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"></svg>',
  });
  await goTo(win, 'Lab', 'no-text/');
  for (const [name, isOffered] of [
    ['dot.svg', true],
    ['dot.png', false],
  ] as const) {
    const dialog = await open(win, name);
    const begin = dialog.getByRole('button', { name: words.begin, exact: true });
    await dialog.getByRole('button', { name: en.viewers.showAsText, exact: true }).click();
    await expect(dialog.getByRole('textbox', { name: `Content of ${name}` })).toBeVisible();
    await expect(begin).toHaveCount(isOffered ? 1 : 0);
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});
