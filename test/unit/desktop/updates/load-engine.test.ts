import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadEngine } from '../../../../electron/desktop/updates/update-engine.ts';
import { fakePorts } from '../../../support/core/fake-ports.ts';
import * as standIn from '../../../support/electron-stand-in/electron.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';

/** A fake updater with electron-updater's default settings. */
class Updater extends EventEmitter {
  readonly system: string;
  autoDownload = true;
  autoInstallOnAppQuit = true;
  autoRunAppAfterInstall = true;
  disableWebInstaller = false;
  constructor(system: string) {
    super();
    this.system = system;
    loaded.push(this);
  }
}

const loaded: Updater[] = [];
const updaterFor = (system: string) =>
  class extends Updater {
    constructor() {
      super(system);
    }
  };

vi.mock('electron-updater/out/AppImageUpdater.js', () => ({ AppImageUpdater: updaterFor('linux') }));
vi.mock('electron-updater/out/NsisUpdater.js', () => ({ NsisUpdater: updaterFor('win32') }));
vi.mock('electron', async () => await import('../../../support/electron-stand-in/electron.ts'));
vi.mock('electron-updater/out/MacUpdater.js', () => ({
  MacUpdater: class extends Updater {
    constructor() {
      super('darwin');
    }
    /**
     * Downloads like MacUpdater. Passes the zip to Squirrel through a local server, and resolves before Squirrel has verified the
     * zip.
     */
    downloadUpdate(): Promise<string[]> {
      standIn.autoUpdater.setFeedURL({ url: 'http://127.0.0.1:1/' });
      if (this.autoInstallOnAppQuit) standIn.autoUpdater.checkForUpdates();
      return Promise.resolve(['/cache/update.zip']);
    }
  },
}));

const platform = process.platform;
afterEach(() => {
  loaded.length = 0;
  Object.defineProperty(process, 'platform', { value: platform });
});

test.each(['linux', 'win32', 'darwin'])(
  'the updater loaded on %s downloads nothing on its own and runs no web installer',
  async (system) => {
    Object.defineProperty(process, 'platform', { value: system });
    await loadEngine(fakePorts().logger);
    expect(loaded).toHaveLength(1);
    expect(loaded[0]).toMatchObject({
      system,
      autoDownload: false,
      autoInstallOnAppQuit: system === 'darwin',
      disableWebInstaller: true,
    });
  },
);

const download = async (signal = new AbortController().signal) => {
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const engine = await loadEngine(fakePorts().logger);
  await engine.download(() => undefined, signal);
};

describe('a download on macOS', () => {
  afterEach(() => {
    standIn.autoUpdater.play.refusal = null;
  });

  test('ends once Squirrel has accepted the file', async () => {
    const order: string[] = [];
    standIn.autoUpdater.once('update-downloaded', () => order.push('accepted'));
    await download();
    expect(order).toEqual(['accepted']);
    expect(standIn.autoUpdater.listenerCount('error')).toBe(0);
  });

  test('fails if Squirrel refuses the file after electron-updater has ended, before anything is shut down', async () => {
    standIn.autoUpdater.play.refusal = 'Code signature did not pass validation';
    expect(await errorOf(download())).toMatchObject({ reason: 'update-refused' });
    expect(standIn.autoUpdater.listenerCount('error')).toBe(0);
  });

  test('that the user stops does not count as refused', async () => {
    standIn.autoUpdater.play.refusal = 'late';
    const stopped = new AbortController();
    const ended = errorOf(download(stopped.signal));
    stopped.abort();
    expect(await ended).toMatchObject({ code: 'cancelled' });
  });
});
