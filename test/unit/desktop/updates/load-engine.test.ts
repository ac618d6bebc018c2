import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { loadEngine } from '../../../../electron/desktop/updates/update-engine.ts';
import { fakePorts } from '../../../support/core/fake-ports.ts';

/** The settings as electron-updater has them before the program changes them. */
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
vi.mock('electron-updater/out/MacUpdater.js', () => ({ MacUpdater: updaterFor('darwin') }));

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
