import { beforeEach, expect, test, vi } from 'vitest';
import { nativeShell } from '../../../electron/desktop/system/native.ts';

const electron = vi.hoisted(() => ({ hasIcon: true }));

vi.mock('electron', () => ({
  app: { getFileIcon: (file: string) => Promise.resolve({ isEmpty: () => !electron.hasIcon, of: file }) },
  nativeImage: { createFromBitmap: () => ({ isEmpty: () => false, of: 'plain' }) },
  dialog: {},
  shell: {},
  Notification: { isSupported: () => false },
}));

const begun: unknown[] = [];
const window = { webContents: { startDrag: (item: unknown) => void begun.push(item) } };

const shellOver = (current: object | null) =>
  nativeShell({
    current: () => current as never,
    showWindow: () => undefined,
    areNoticesEnabled: () => true,
    onNoticeFailed: () => undefined,
  });

beforeEach(() => {
  begun.length = 0;
  electron.hasIcon = true;
});

test.each([
  [true, '/f/a'],
  [false, 'plain'],
])('dragging files starts with existing files and a non-empty icon', async (hasIcon, icon) => {
  electron.hasIcon = hasIcon;
  const shell = shellOver(window);
  await shell.startDrag?.(['/f/a', '/f/b']);
  expect(begun).toMatchObject([{ file: '/f/a', files: ['/f/a', '/f/b'], icon: { of: icon } }]);
});

test('dragging files does nothing without a window', async () => {
  const shell = shellOver(null);
  await shell.startDrag?.(['/f/a']);
  expect(begun).toEqual([]);
});
