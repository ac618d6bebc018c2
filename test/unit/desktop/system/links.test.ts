import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { offerApplicationsFolder } from '../../../../electron/desktop/system/mac-start.ts';
import {
  canRegisterLinks,
  registerLinkHandler,
  writeLinkEntry,
} from '../../../../electron/desktop/system/registrations.ts';
import { recentPlaces, showPlaces } from '../../../../electron/desktop/system/menu.ts';
import { parseS3Link } from '../../../../shared/keys/s3-link.ts';
import * as standIn from '../../../support/electron-stand-in/electron.ts';
import { tempDir } from '../../../support/temp-dir.ts';

vi.mock('electron', async () => await import('../../../support/electron-stand-in/electron.ts'));

const platform = process.platform;
const on = (name: string) => Object.defineProperty(process, 'platform', { value: name });
const recorded = (call: string) =>
  standIn.record.filter((entry) => entry.call === call).map(({ args }) => args);

beforeEach(() => {
  standIn.record.length = 0;
  standIn.boxAnswers.length = 0;
});
afterEach(() => {
  on(platform);
  delete standIn.setup.resourcesPath;
  standIn.app.applicationsFolder = 'inside';
});

describe('s3:// links', () => {
  test('open in a portable program, passed after -- where they cannot be flags', async () => {
    const file = 'D:\\Tools\\cooper-portable.exe';
    expect(canRegisterLinks({ PORTABLE_EXECUTABLE_FILE: file })).toBe(true);
    await registerLinkHandler({ PORTABLE_EXECUTABLE_FILE: file });
    expect(recorded('app.setAsDefaultProtocolClient')).toEqual([['s3', file, ['--']]]);
    expect(recorded('dialog.showMessageBox')).toMatchObject([[{ type: 'info' }]]);
  });

  test('open in an AppImage through a desktop entry with the path of its file', () => {
    const home = tempDir();
    const file = writeLinkEntry('/home/me/My Apps/Cooper.AppImage', {}, home);
    expect(file).toBe(path.join(home, '.local/share/applications/cooper.desktop'));
    const entry = readFileSync(file, 'utf8');
    expect(entry).toContain('Exec="/home/me/My Apps/Cooper.AppImage" %u\n');
    expect(entry).toContain('MimeType=x-scheme-handler/s3;\n');
  });

  test('are left to the installer where there was one', () => {
    expect(canRegisterLinks({})).toBe(false);
  });
});

describe('recent places', () => {
  const stored = [
    { kind: 'folder', connectionId: 'c', bucket: 'photos', prefix: 'summer 2026/', startsWith: '' },
    { kind: 'folder', connectionId: 'c', bucket: 'photos', prefix: '100%/', startsWith: '' },
    { kind: 'folder', connectionId: 'c', bucket: 'photos', prefix: "it's/", startsWith: '' },
    { kind: 'folder', connectionId: 'c', bucket: 'logs', prefix: '', startsWith: '' },
  ];

  test('become links without characters that a command line interprets', () => {
    const places = recentPlaces(stored);
    expect(places).toEqual([
      { title: 'photos/summer 2026/', link: 's3://photos/summer%202026/' },
      { title: 'logs/', link: 's3://logs/' },
    ]);
    expect(parseS3Link(places[0]?.link ?? '')).toMatchObject({ decodedPrefix: 'summer 2026/' });
    expect(recentPlaces('damaged')).toEqual([]);
  });

  test('are in the menu of the dock on macOS', () => {
    on('darwin');
    const opened: string[] = [];
    showPlaces(recentPlaces(stored), {
      openLink: (link) => void opened.push(link),
      openWindow: () => undefined,
    });
    const [[menu]] = recorded('app.dock.setMenu') as [[{ label?: string; click?: () => void }[]]];
    menu[1]?.click?.();
    expect(opened).toEqual(['s3://logs/']);
    expect(menu.at(-1)?.label).toBe('New window');
  });

  test('are in the jump list on Windows, each passed after --', () => {
    on('win32');
    showPlaces(recentPlaces(stored), { openLink: () => undefined, openWindow: () => undefined });
    expect(recorded('app.setJumpList')).toMatchObject([
      [
        [
          {
            type: 'custom',
            items: [{ type: 'task', args: '-- s3://photos/summer%202026/' }, { args: '-- s3://logs/' }],
          },
        ],
      ],
    ]);
  });
});

describe('a program that macOS starts from a disk image', () => {
  beforeEach(() => {
    on('darwin');
    standIn.setup.resourcesPath = '/Volumes/Cooper';
    standIn.app.applicationsFolder = 'outside';
  });

  test('offers to move to Applications, and starts again from there', async () => {
    standIn.boxAnswers.push(0);
    expect(await offerApplicationsFolder(path.join(tempDir(), 'declined'))).toBe(true);
    expect(recorded('app.moveToApplicationsFolder')).toHaveLength(1);
  });

  test('asks once, and stays if the user declines', async () => {
    const declined = path.join(tempDir(), 'declined');
    standIn.boxAnswers.push(1);
    expect(await offerApplicationsFolder(declined)).toBe(false);
    expect(existsSync(declined)).toBe(true);
    expect(await offerApplicationsFolder(declined)).toBe(false);
    expect(recorded('dialog.showMessageBox')).toHaveLength(1);
  });

  test('reports why it could not move, and continues from its current folder', async () => {
    standIn.app.applicationsFolder = 'refused';
    standIn.boxAnswers.push(0);
    expect(await offerApplicationsFolder(path.join(tempDir(), 'declined'))).toBe(false);
    expect(recorded('dialog.showErrorBox')).toEqual([
      ['Cooper could not be moved', 'The file system refused it.'],
    ]);
  });

  test('makes no offer on another system', async () => {
    on('linux');
    expect(await offerApplicationsFolder('/none')).toBe(false);
    expect(recorded('dialog.showMessageBox')).toEqual([]);
  });
});
