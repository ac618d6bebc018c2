import { describe, expect, test } from 'vitest';
import {
  checkEveryMs,
  createUpdates,
  updatesOff,
  type Installation,
  type UpdatesDeps,
} from '../../../../electron/desktop/updates/updates.ts';
import type { AvailableUpdate, UpdateEngine } from '../../../../electron/desktop/updates/update-engine.ts';
import type { UpdateChannel, UpdatesOffReason, UpdateStatus } from '../../../../shared/models/updates.ts';
import { failure } from '../../../../shared/errors.ts';
import { fakePorts } from '../../../support/core/fake-ports.ts';

const appImage: Installation = {
  platform: 'linux',
  isPackaged: true,
  env: { APPIMAGE: '/home/me/Cooper.AppImage' },
  packageType: null,
  isUnsigned: false,
  hasFeed: true,
};

test.each<[string, Partial<Installation>, ReturnType<typeof updatesOff>]>([
  ['an AppImage updates itself', {}, null],
  ['an NSIS installation updates itself', { platform: 'win32', env: {} }, null],
  ['a Mac app updates itself', { platform: 'darwin', env: {} }, null],
  ['an unsigned Mac app does not', { platform: 'darwin', env: {}, isUnsigned: true }, 'unsigned'],
  ['an unsigned NSIS installation updates itself', { platform: 'win32', env: {}, isUnsigned: true }, null],
  ['development does not', { isPackaged: false }, 'development'],
  ['a deb does not', { env: {}, packageType: 'deb' }, 'package-manager'],
  ['an rpm does not, whatever else is set', { packageType: 'rpm' }, 'package-manager'],
  ['a snap does not', { env: { SNAP: '/snap/cooper' } }, 'package-manager'],
  ['an unpacked archive does not', { env: {} }, 'unpacked'],
  ['a portable program does not', { platform: 'win32', env: { PORTABLE_EXECUTABLE_FILE: 'x' } }, 'portable'],
  ['a build without a feed does not', { hasFeed: false }, 'no-feed'],
])('updates are off or on: %s', (_name, change, expected) => {
  expect(updatesOff({ ...appImage, ...change })).toBe(expected);
});

const newer: AvailableUpdate = { version: '1.1.0', notes: 'Better', sizeBytes: 10 };
const startMs = Date.parse('2026-01-01T00:00:00Z');

function refuse(): never {
  throw new Error('refused');
}

function rig(
  change: Partial<UpdateEngine> & {
    readonly off?: UpdatesOffReason;
    readonly leave?: () => Promise<boolean>;
    readonly lastCheck?: UpdatesDeps['lastCheck'];
    readonly failedLoads?: number;
  } = {},
) {
  const statuses: UpdateStatus[] = [];
  const asked: string[] = [];
  let nowMs = startMs;
  let last: number | null = null;
  let loads = 0;
  const {
    off = null,
    leave = () => Promise.resolve(true),
    lastCheck = { read: () => last, write: (atMs) => (last = atMs) },
    failedLoads = 0,
    ...engine
  } = change;
  let channel: UpdateChannel = 'stable';
  const updates = createUpdates({
    off,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    logger: fakePorts().logger,
    channel: () => channel,
    loadEngine: async () => {
      loads += 1;
      if (loads <= failedLoads) refuse();
      return await Promise.resolve({
        check: (channel) => {
          asked.push(channel);
          return Promise.resolve(newer);
        },
        download: () => Promise.resolve(),
        needsCoreDown: false,
        checkInstall: () => {
          asked.push('check');
        },
        install: () => {
          asked.push('install');
          return Promise.resolve();
        },
        ...engine,
      });
    },
    lastCheck,
    onChange: () => statuses.push(updates.status()),
    leave: () => {
      asked.push('leave');
      return leave();
    },
    shutDown: () => {
      asked.push('put down');
      return Promise.resolve();
    },
    undoLeave: (isShutDown) => {
      asked.push(isShutDown ? 'start again' : 'open a window');
    },
  });
  return {
    updates,
    told: statuses,
    asked,
    choose: (next: UpdateChannel) => {
      channel = next;
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('updates', () => {
  test('are checked next on the channel of the settings', async () => {
    const { updates, asked, choose } = rig();
    await updates.check();
    choose('beta');
    await updates.check();
    choose('stable');
    await updates.check();
    expect(asked).toEqual(['stable', 'beta', 'stable']);
  });

  test('load their engine again after loading it failed', async () => {
    const { updates } = rig({ failedLoads: 1 });
    await updates.check();
    expect(updates.status()).toMatchObject({ kind: 'failed', step: 'check' });
    await updates.check();
    expect(updates.status()).toEqual({ kind: 'available', ...newer });
  });

  test("are found, downloaded and installed only on the user's command at each step", async () => {
    const { updates, told: statuses, asked } = rig();
    await updates.check();
    expect(updates.status()).toEqual({ kind: 'available', ...newer });
    await updates.install();
    expect(asked).toEqual(['stable']);
    await updates.download();
    expect(updates.status()).toEqual({ kind: 'ready', version: '1.1.0', notes: 'Better' });
    expect(asked).toEqual(['stable']);
    await updates.install();
    expect(asked).toEqual(['stable', 'check', 'leave', 'install']);
    expect(statuses.map(({ kind }) => kind)).toEqual([
      'checking',
      'available',
      'downloading',
      'ready',
      'installing',
    ]);
  });

  test('shut the core down before an installer that starts the new program at once', async () => {
    const { updates, asked } = rig({ needsCoreDown: true });
    await updates.check();
    await updates.download();
    await updates.install();
    expect(asked).toEqual(['stable', 'check', 'leave', 'put down', 'install']);
  });

  test.each([
    ['is known to fail without closing anything', { checkInstall: refuse }, []],
    [
      'cannot start, because a window failed to close, by opening a window again',
      { leave: () => Promise.reject(new Error('refused')) },
      ['check', 'leave', 'open a window'],
    ],
    ['fails to start by opening a window again', { install: refuse }, ['check', 'leave', 'open a window']],
    [
      'fails to start after the core was shut down by restarting the program',
      { install: refuse, needsCoreDown: true },
      ['check', 'leave', 'put down', 'start again'],
    ],
  ])('handle an installer that %s', async (_name, change, expected) => {
    const { updates, asked } = rig(change);
    await updates.check();
    await updates.download();
    await expect(updates.install()).rejects.toThrow('refused');
    expect(asked.slice(1)).toEqual(expected);
    expect(updates.status()).toMatchObject({ kind: 'failed', step: 'install' });
  });

  test('stay ready if the user cancels the restart', async () => {
    const { updates, asked } = rig({ leave: () => Promise.resolve(false) });
    await updates.check();
    await updates.download();
    await updates.install();
    expect(updates.status().kind).toBe('ready');
    expect(asked).not.toContain('install');
  });

  test('are checked once a day, also after the clock was set back', async () => {
    let checks = 0;
    const daily = rig({
      check: () => {
        checks += 1;
        return Promise.resolve(null);
      },
    });
    await daily.updates.checkIfDue();
    daily.pass(checkEveryMs - 1);
    await daily.updates.checkIfDue();
    expect(checks).toBe(1);
    daily.pass(1);
    await daily.updates.checkIfDue();
    expect(checks).toBe(2);
    daily.pass(-10 * checkEveryMs);
    await daily.updates.checkIfDue();
    expect(checks).toBe(3);
  });

  test('are checked even if the time of the last check cannot be read', async () => {
    const { updates } = rig({ lastCheck: { read: refuse, write: () => undefined } });
    expect(updates.status()).toEqual({ kind: 'idle', checkedAt: null });
    await updates.checkIfDue();
    expect(updates.status()).toEqual({ kind: 'available', ...newer });
  });

  test('are found, and not checked again each hour, if the time of the check cannot be stored', async () => {
    let found: AvailableUpdate | null = null;
    let checks = 0;
    const { updates, pass } = rig({
      lastCheck: { read: () => null, write: refuse },
      check: () => {
        checks += 1;
        return Promise.resolve(found);
      },
    });
    await updates.checkIfDue();
    expect(updates.status()).toEqual({ kind: 'idle', checkedAt: new Date(startMs).toISOString() });
    pass(checkEveryMs - 1);
    await updates.checkIfDue();
    expect(checks).toBe(1);
    found = newer;
    pass(1);
    await updates.checkIfDue();
    expect(updates.status()).toEqual({ kind: 'available', ...newer });
  });

  test('hide a failed daily check and show a failed requested one', async () => {
    const { updates } = rig({ check: () => Promise.reject(new Error('no way\nthere')) });
    await updates.checkIfDue();
    expect(updates.status()).toEqual({ kind: 'idle', checkedAt: null });
    await updates.check();
    expect(updates.status()).toMatchObject({
      kind: 'failed',
      step: 'check',
      error: { reason: 'update-feed', message: 'The list of new versions could not be read.' },
    });
  });

  test('can be downloaded again after a failed download', async () => {
    let fails = true;
    const { updates } = rig({
      download: () =>
        fails
          ? Promise.reject(failure('protocol', 'Not the announced one.', { reason: 'update-tampered' }))
          : Promise.resolve(),
    });
    await updates.check();
    await updates.download();
    expect(updates.status()).toMatchObject({
      kind: 'failed',
      step: 'download',
      version: '1.1.0',
      error: { reason: 'update-tampered' },
    });
    await updates.install();
    expect(updates.status().kind).toBe('failed');
    fails = false;
    await updates.download();
    expect(updates.status().kind).toBe('ready');
  });

  test('stay available after an aborted download', async () => {
    const { updates } = rig({
      download: (_report, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
    await updates.check();
    const fetching = updates.download();
    await Promise.resolve();
    await Promise.resolve();
    updates.cancel();
    await fetching;
    expect(updates.status()).toEqual({ kind: 'available', ...newer });
  });

  test('are never checked if a package manager owns the files', async () => {
    const { updates, asked } = rig({ off: 'package-manager' });
    await updates.checkIfDue();
    await expect(updates.check()).rejects.toThrow('does not update itself');
    await expect(updates.download()).rejects.toThrow('does not update itself');
    await expect(updates.install()).rejects.toThrow('does not update itself');
    expect(updates.status()).toEqual({ kind: 'off', reason: 'package-manager' });
    expect(asked).toEqual([]);
  });
});
