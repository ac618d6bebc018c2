import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createBackground } from '../../../../electron/desktop/system/background.ts';
import { keepAwake, showOnDock } from '../../../../electron/desktop/system/follow-jobs.ts';
import type { JobCounts } from '../../../../shared/models/jobs.ts';
import * as standIn from '../../../support/electron-stand-in/electron.ts';

vi.mock('electron', async () => await import('../../../support/electron-stand-in/electron.ts'));

const icon = fileURLToPath(new URL('../../../../build/icons/png/64x64.png', import.meta.url));
const recorded = (call: string) =>
  standIn.record.filter((entry) => entry.call === call).map(({ args }) => args);

function background(options: {
  readonly jobs?: number;
  readonly isWanted?: boolean;
  readonly isExplained?: boolean;
}) {
  let isExplained = options.isExplained ?? false;
  const calls: string[] = [];
  const made = createBackground({
    icon,
    activeJobs: () => options.jobs ?? 1,
    isEnabled: () => options.isWanted ?? true,
    isExplained: () => isExplained,
    onExplained: () => (isExplained = true),
    showWindow: () => void calls.push('show'),
    quit: () => void calls.push('quit'),
    quitNow: () => void calls.push('quit now'),
  });
  return { ...made, calls };
}

/** Returns a queue whose counts take these values in order and then stay the same. */
function queueOf(...states: readonly JobCounts['byState'][]) {
  return {
    jobs: {
      watch: async function* () {
        await Promise.resolve();
        for (const byState of states)
          yield { counts: { total: 1, byState, broken: 0, bytesDone: 0, bytesTotal: 0 } };
      },
    },
  } as never;
}

beforeEach(() => {
  standIn.record.length = 0;
  standIn.boxAnswers.length = 0;
});

describe('after the last window closed', () => {
  test('transfers continue behind an icon that opens a window, which is explained once', async () => {
    standIn.boxAnswers.push(0);
    const { stays, hide: leave, calls } = background({});
    expect(stays()).toBe(true);
    await nextTurn();
    leave();
    expect(stays()).toBe(true);
    await nextTurn();
    expect(recorded('dialog.showMessageBox')).toHaveLength(1);
    const [[image]] = recorded('new Tray') as [[{ isEmpty(): boolean }]];
    expect(image.isEmpty()).toBe(false);
    const [[menu]] = recorded('tray.setContextMenu') as [[{ label?: string; click?: () => void }[]]];
    for (const { click } of menu) click?.();
    standIn.Tray.all.at(-1)?.emit('click');
    expect(calls).toEqual(['show', 'quit', 'show']);
  });

  test('the program quits if the user prefers that, without another question', async () => {
    standIn.boxAnswers.push(1);
    const { stays, calls } = background({});
    stays();
    await nextTurn();
    expect(calls).toEqual(['quit now']);
  });

  test.each([
    ['nothing runs', { jobs: 0 }],
    ['the setting is off', { isWanted: false }],
  ])('the program quits if %s', (_why, options) => {
    expect(background(options).stays()).toBe(false);
    expect(recorded('new Tray')).toEqual([]);
  });

  test('the icon disappears with the next window', () => {
    const { stays, hide: leave } = background({ isExplained: true });
    stays();
    leave();
    expect(standIn.Tray.all.at(-1)?.isDestroyed()).toBe(true);
  });
});

describe('the computer', () => {
  test('is kept awake while a job transfers, and not while jobs wait', async () => {
    await keepAwake(
      queueOf(
        { waiting: 1 },
        { transferring: 1 },
        { 'sending-parts': 1 },
        { 'retry-scheduled': 1 },
        { completing: 1 },
      ),
      new AbortController().signal,
    );
    const calls = standIn.record.filter(({ call }) => call.startsWith('powerSaveBlocker'));
    expect(calls.map(({ call }) => call.split('.')[1])).toEqual(['start', 'stop', 'start', 'stop']);
    expect(calls[0]?.args).toEqual(['prevent-app-suspension']);
  });
});

describe('the taskbar of Windows', () => {
  test('shows a mark on the button while transfers run, and describes their number', async () => {
    const platform = process.platform;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const window = new standIn.BrowserWindow({});
    await showOnDock(
      queueOf({ transferring: 2 }, { done: 2 }),
      () => [window as never],
      new AbortController().signal,
    );
    Object.defineProperty(process, 'platform', { value: platform });
    expect(recorded('window.setOverlayIcon')).toEqual([
      [expect.objectContaining({ width: 32, height: 32, bytes: 32 * 32 * 4 }), '2 transfers'],
      [null, '0 transfers'],
    ]);
  });
});
