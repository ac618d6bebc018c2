import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { quitCleanly, type Quitting } from '../../../electron/desktop/quit.ts';
import * as standIn from '../../support/electron-stand-in/electron.ts';

vi.mock('electron', async () => await import('../../support/electron-stand-in/electron.ts'));

let jobs = 0;
let quitting: Quitting;
const stayed = vi.fn<() => void>();
const closeWindows = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
const closed = vi.fn<() => Promise<void>>(() => Promise.resolve());

const boxes = () => standIn.record.filter(({ call }) => call === 'dialog.showMessageBox').length;
const exits = () => standIn.record.filter(({ call }) => call === 'app.exit').length;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const before = signals.map((signal) => process.listeners(signal));

beforeEach(() => {
  standIn.record.length = 0;
  standIn.boxAnswers.length = 0;
  stayed.mockClear();
  closed.mockClear();
  quitting = quitCleanly({
    activeJobs: () => jobs,
    needsConfirmation: () => true,
    current: () => null,
    stay: stayed,
    closeWindows,
    close: closed,
  });
});
afterEach(() => {
  standIn.app.removeAllListeners();
  standIn.powerMonitor.removeAllListeners();
  for (const window of standIn.BrowserWindow.all) if (!window.destroyed) window.destroy();
});
afterAll(() => {
  for (const [at, signal] of signals.entries())
    for (const listener of process.listeners(signal))
      if (!before[at]?.includes(listener)) process.off(signal, listener);
});

describe('quitting while transfers run', () => {
  beforeEach(() => {
    jobs = 1;
  });

  test('asks once, however often Cmd+Q is pressed', async () => {
    standIn.boxAnswers.push(0);
    standIn.app.quit();
    standIn.app.quit();
    await nextTurn();
    await nextTurn();
    expect(boxes()).toBe(1);
    expect(closed).toHaveBeenCalledOnce();
    expect(exits()).toBe(1);
  });

  test('asks again after the user cancelled', async () => {
    standIn.boxAnswers.push(1, 0);
    standIn.app.quit();
    await nextTurn();
    expect(stayed).toHaveBeenCalledOnce();
    expect(exits()).toBe(0);
    standIn.app.quit();
    await nextTurn();
    await nextTurn();
    expect(boxes()).toBe(2);
    expect(exits()).toBe(1);
  });

  test('asks again after the user kept a window with unsaved text', async () => {
    const window = new standIn.BrowserWindow({});
    window.hasUnsavedText = true;
    standIn.boxAnswers.push(0, 0);
    standIn.app.quit();
    await nextTurn();
    expect(exits()).toBe(0);
    quitting.cancelQuit();
    expect(quitting.isLeaving()).toBe(false);
    standIn.app.quit();
    await nextTurn();
    expect(boxes()).toBe(2);
  });
});

describe('quitting with unsaved text', () => {
  test('continues once the text is discarded', async () => {
    jobs = 0;
    const window = new standIn.BrowserWindow({});
    window.hasUnsavedText = true;
    standIn.app.quit();
    expect(exits()).toBe(0);
    // The program must not keep running for transfers when this window closes.
    expect(quitting.isLeaving()).toBe(true);
    window.destroy();
    quitting.resumeQuit();
    await nextTurn();
    expect(exits()).toBe(1);
  });

  test('does not happen if text is discarded with only its own window', async () => {
    jobs = 0;
    const window = new standIn.BrowserWindow({});
    window.destroy();
    quitting.resumeQuit();
    await nextTurn();
    expect(exits()).toBe(0);
  });

  test('is delayed when the system ends the session', () => {
    const event = standIn.preventable();
    standIn.powerMonitor.emit('shutdown', event);
    expect(event.prevented).toBe(true);
  });
});

test('leaving for an update ends if a window cannot be closed', async () => {
  jobs = 0;
  closeWindows.mockRejectedValueOnce(new Error('The window could not be closed.'));
  await expect(quitting.leave()).rejects.toThrow('could not be closed');
  expect(quitting.isLeaving()).toBe(false);
});
