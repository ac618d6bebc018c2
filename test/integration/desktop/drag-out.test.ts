import path from 'node:path';
import { expect, test } from 'vitest';
import { removedAtExit } from '../../support/at-exit.ts';
import { WebContents } from '../../support/electron-stand-in/window.ts';
import { runDesktop } from './stand-in.ts';

test('objects fetched for a drag are handed to the system as existing files, and removed with their transfer', async () => {
  const dataDir = removedAtExit('cooper-drag-');
  const { report, output } = await runDesktop({ dataDir, play: 'play-drag.ts' });
  if (report === null) throw new Error(output);
  const { dragged, record } = report as unknown as {
    readonly dragged: readonly (readonly string[])[];
    readonly record: readonly { readonly call: string }[];
  };
  expect(dragged.map((files) => files.map((file) => path.basename(file)).toSorted())).toEqual([
    ['chart.tiff', 'light.jpg'],
  ]);
  expect(record.filter(({ call }) => call.startsWith('a drag'))).toEqual([]);
});

test('the stand-in for Electron refuses a drag without an icon or without files, as Electron does', () => {
  const contents = new WebContents();
  const icon = { isEmpty: () => false };
  expect(() => contents.startDrag({ files: ['/a'] })).toThrow('icon');
  expect(() => contents.startDrag({ icon })).toThrow('files');
  expect(() => contents.startDrag({ file: '/a', files: [], icon })).toThrow('files');
});
