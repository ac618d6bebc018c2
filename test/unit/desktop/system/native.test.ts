import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dialogFolders, nativeDialogs } from '../../../../electron/desktop/system/dialogs.ts';
import { notifications } from '../../../../electron/desktop/system/native.ts';
import * as standIn from '../../../support/electron-stand-in/electron.ts';
import { tempDir } from '../../../support/temp-dir.ts';

vi.mock('electron', async () => await import('../../../support/electron-stand-in/electron.ts'));

const recorded = (call: string) =>
  standIn.record.filter((entry) => entry.call === call).map(({ args: [options] }) => options);

beforeEach(() => {
  standIn.record.length = 0;
});

describe('a notification', () => {
  test('opens a window when it is clicked, also after a garbage collection', async () => {
    const clicked = vi.fn<() => void>();
    const failed = vi.fn<(reason: string) => void>();
    const show = notifications(clicked, failed);
    show({ title: 'Finished: a', body: '' });
    await nextTurn();
    const [live] = standIn.liveNotifications();
    live?.emit('close', {});
    await nextTurn();
    standIn.liveNotifications().at(0)?.emit('click', {});
    expect(clicked).toHaveBeenCalledOnce();
    expect(failed).not.toHaveBeenCalled();
  });

  test('reports why the system could not show it', () => {
    const failed = vi.fn<(reason: string) => void>();
    notifications(() => undefined, failed)({ title: 'Finished: b', body: '' });
    standIn.liveNotifications().at(-1)?.emit('failed', {}, 'no permission');
    expect(failed).toHaveBeenCalledWith('no permission');
  });
});

const dialogs = (dataDir: string) =>
  nativeDialogs(
    () => null,
    dialogFolders(path.join(dataDir, 'dialog-folders.json'), (thrown) => {
      throw thrown;
    }),
  );

describe('a dialog', () => {
  test('opens in the folder last used for its purpose, also after a restart', async () => {
    const dataDir = tempDir();
    for (const name of ['uploads', 'reports']) mkdirSync(path.join(dataDir, name));
    standIn.fileAnswers.push(
      [path.join(dataDir, 'uploads', 'a.bin')],
      [path.join(dataDir, 'reports', 'log.csv')],
    );
    const first = dialogs(dataDir);
    expect(await first.openFiles({ title: 'Upload', multiple: true })).toEqual([
      path.join(dataDir, 'uploads', 'a.bin'),
    ]);
    await first.saveFile({ title: 'Save', suggestedName: 'log.csv' });
    const second = dialogs(dataDir);
    await second.openFiles({ title: 'Upload', multiple: true });
    await second.openFolder({ title: 'Download to' });
    await second.saveFile({ title: 'Save', suggestedName: 'map.png' });
    expect(recorded('dialog.showOpenDialog')).toMatchObject([
      { title: 'Upload' },
      { title: 'Upload', defaultPath: path.join(dataDir, 'uploads') },
      { title: 'Download to' },
    ]);
    expect(recorded('dialog.showOpenDialog')[2]).not.toHaveProperty('defaultPath');
    expect(recorded('dialog.showSaveDialog')).toMatchObject([
      { defaultPath: 'log.csv' },
      { defaultPath: path.join(dataDir, 'reports', 'map.png') },
    ]);
    expect(readFileSync(path.join(dataDir, 'dialog-folders.json'), 'utf8')).toContain('reports');
  });

  test('that is cancelled changes nothing, and a missing folder is not offered', async () => {
    const dataDir = tempDir();
    const kept = dialogFolders(path.join(dataDir, 'dialog-folders.json'), () => undefined);
    kept.keep('folder', path.join(dataDir, 'gone'));
    expect(await dialogs(dataDir).openFolder({ title: 'Download to' })).toBeNull();
    expect(recorded('dialog.showOpenDialog')).toEqual([
      { title: 'Download to', properties: ['openDirectory', 'createDirectory'] },
    ]);
  });

  test("opens in the system's folder if the remembered folders cannot be read", () => {
    const dataDir = tempDir();
    const file = path.join(dataDir, 'dialog-folders.json');
    writeFileSync(file, '{"folder":');
    expect(dialogFolders(file, () => undefined).last('folder')).toBeNull();
  });
});
