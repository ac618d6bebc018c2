import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWindows } from '../../../../electron/desktop/windows/windows.ts';
import * as standIn from '../../../support/electron-stand-in/electron.ts';
import { mayReload } from '../../../../electron/desktop/windows/recovery.ts';

vi.mock('electron', async () => await import('../../../support/electron-stand-in/electron.ts'));

let dataDir: string;
const heard: string[] = [];

function open() {
  const windows = createWindows({
    preload: '/preload.cjs',
    icon: '/icon.png',
    onOpen: () => undefined,
    dataDir,
    onError: (message) => void heard.push(message),
    onSessionEnd: () => undefined,
    onStay: () => void heard.push('stayed'),
    onDiscarded: () => void heard.push('given up'),
    forget: () => undefined,
  });
  windows.open();
  const window = standIn.BrowserWindow.all.at(-1);
  if (window === undefined) throw new Error('No window was opened.');
  return { windows, window };
}

/** Opens two windows. The second was used last and has unsaved text. */
function openTwo() {
  const { windows, window: first } = open();
  windows.open();
  const second = standIn.BrowserWindow.all.at(-1);
  if (second === undefined) throw new Error('No second window was opened.');
  second.hasUnsavedText = true;
  return { windows, first, second };
}

const recorded = (call: string) =>
  standIn.record.filter((entry) => entry.call === call).map(({ args }) => args);

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-windows-'));
  heard.length = 0;
  standIn.record.length = 0;
  standIn.boxAnswers.length = 0;
});
afterEach(() => {
  for (const window of standIn.BrowserWindow.all) if (!window.destroyed) window.destroy();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a maximised window', () => {
  test('is shown only once its first frame is drawn', async () => {
    const place = { x: 0, y: 0, width: 900, height: 700, maximized: true };
    writeFileSync(path.join(dataDir, 'window.json'), JSON.stringify(place));
    const { window } = open();
    expect(window.isVisible()).toBe(false);
    await nextTurn();
    await nextTurn();
    expect(window.isMaximized()).toBe(true);
    expect(recorded('window.maximize')).toEqual([[{ isLoaded: true }]]);
  });
});

describe('a command of the menu', () => {
  test('waits until the page listens, and then keeps its order', async () => {
    const { windows, window } = open();
    windows.sendCommand('newTab');
    windows.sendCommand('openSettings');
    await nextTurn();
    await nextTurn();
    expect(window.webContents.sent).toEqual([]);
    windows.onPageListening(window.webContents.id);
    windows.sendCommand('up');
    expect(window.webContents.sent.map(([, command]) => command)).toEqual(['newTab', 'openSettings', 'up']);
    expect(recorded('a lost message')).toEqual([]);
  });

  test('opens a window if there is none, and is not lost while that window loads', () => {
    const { windows, window } = open();
    window.destroy();
    windows.sendCommand('openSettings');
    const second = standIn.BrowserWindow.all.at(-1);
    second?.webContents.emit('dom-ready');
    expect(second).not.toBe(window);
    expect(recorded('a lost message')).toEqual([]);
  });

  test('is held again while a page reloads after a crash', async () => {
    const { windows, window } = open();
    await nextTurn();
    windows.onPageListening(window.webContents.id);
    window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    windows.sendCommand('up');
    await nextTurn();
    await nextTurn();
    expect(window.webContents.sent).toEqual([]);
    windows.onPageListening(window.webContents.id);
    expect(window.webContents.sent).toEqual([['cooper:command', 'up']]);
  });
});

describe('unsaved text', () => {
  test('keeps its window open if the user chooses to continue editing', async () => {
    const { window } = open();
    window.hasUnsavedText = true;
    standIn.boxAnswers.push(0);
    window.close();
    await nextTurn();
    expect(window.isDestroyed()).toBe(false);
    expect(heard).toEqual(['stayed']);
  });

  test('is discarded with its window, without blocking the main process', async () => {
    const { window } = open();
    window.hasUnsavedText = true;
    standIn.boxAnswers.push(1);
    window.close();
    expect(window.isDestroyed()).toBe(false);
    await nextTurn();
    expect(window.isDestroyed()).toBe(true);
    expect(heard).toEqual(['given up']);
  });

  test('is asked about once, even if the window is closed several times', async () => {
    const { window } = open();
    window.hasUnsavedText = true;
    standIn.boxAnswers.push(0);
    window.close();
    window.close();
    await nextTurn();
    expect(recorded('dialog.showMessageBox')).toHaveLength(1);
    standIn.boxAnswers.push(0);
    window.close();
    await nextTurn();
    expect(recorded('dialog.showMessageBox')).toHaveLength(2);
  });
});

describe('closing all windows', () => {
  test('continues if the user closes one while another asks about unsaved text', async () => {
    const { windows, first, second } = openTwo();
    standIn.boxAnswers.push(1);
    const closing = windows.closeAll();
    first.close();
    expect(await closing).toBe(true);
    expect(second.isDestroyed()).toBe(true);
  });

  test('closes a window that was opened while another asked about unsaved text', async () => {
    const { windows } = openTwo();
    standIn.boxAnswers.push(1);
    const closing = windows.closeAll();
    windows.open();
    expect(await closing).toBe(true);
    expect(windows.all()).toHaveLength(0);
  });

  test('stops at a window that the user keeps', async () => {
    const { windows } = openTwo();
    standIn.boxAnswers.push(0);
    expect(await windows.closeAll()).toBe(false);
    expect(windows.all()).toHaveLength(2);
  });
});

describe('a page that hangs', () => {
  test('is reloaded if the user chooses that', async () => {
    const { window } = open();
    standIn.boxAnswers.push(1);
    window.emit('unresponsive');
    await nextTurn();
    expect(recorded('webContents.forcefullyCrashRenderer')).toHaveLength(1);
    expect(recorded('window.reload')).toHaveLength(1);
  });

  test('is not reloaded if it responds before the user has answered', async () => {
    const { window } = open();
    standIn.boxAnswers.push(1);
    window.emit('unresponsive');
    window.emit('responsive');
    await nextTurn();
    expect(recorded('webContents.forcefullyCrashRenderer')).toEqual([]);
  });
});

describe('the context menu of text', () => {
  const flags = {
    canUndo: true,
    canRedo: false,
    canCut: true,
    canCopy: true,
    canPaste: true,
    canSelectAll: true,
  };
  const rightClick = (clicked: object) => {
    const { window } = open();
    window.webContents.emit('context-menu', {}, { editFlags: flags, ...clicked });
    return recorded('menu.popup').map(([template]) =>
      (template as { role?: string; enabled?: boolean }[]).flatMap(({ role, enabled }) =>
        role === undefined ? [] : [`${role} ${String(enabled)}`],
      ),
    );
  };

  test('offers cut, copy and paste in a text field', () => {
    expect(rightClick({ isEditable: true, selectionText: '' })).toEqual([
      ['undo true', 'redo false', 'cut true', 'copy true', 'paste true', 'selectAll true'],
    ]);
  });

  test('offers copy for selected text, and is not shown elsewhere', () => {
    expect(rightClick({ isEditable: false, selectionText: 'ETag' })).toEqual([['copy true']]);
    standIn.record.length = 0;
    expect(rightClick({ isEditable: false, selectionText: ' ' })).toEqual([]);
  });
});

test('a crashed window is reloaded, but not in a loop', () => {
  const crashes: number[] = [];
  const crash = (atMs: number): boolean => {
    const again = mayReload(crashes, atMs);
    crashes.push(atMs);
    return again;
  };
  expect([0, 1000, 2000, 3000].map(crash)).toEqual([true, true, true, false]);
  expect(crash(120_000)).toBe(true);
});
