/**
 * Simulates a user who installs an update on Windows, with electron-updater's updater for NSIS and the feed whose address is in
 * the resources. At first no installer can start; later elevate.exe exists, which asks for administrator rights.
 */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createUpdates } from '../../../electron/desktop/updates/updates.ts';
import { loadEngine } from '../../../electron/desktop/updates/update-engine.ts';
import { fakePorts } from '../core/fake-ports.ts';
import * as standIn from './electron.ts';
import { finish, until } from './core-of-window.ts';
import { setup } from './record.ts';

const resources = setup.resourcesPath ?? '';
const log = process.env['COOPER_TEST_STARTED'] ?? '';
Object.defineProperty(process, 'platform', { value: 'win32' });
standIn.app.setPath('userData', process.env['COOPER_TEST_DATA'] ?? '');
standIn.app.becomeReady();
const { clock, logger } = fakePorts();
const order: string[] = [];
standIn.app.quit = () => void order.push('quit');
const updates = createUpdates({
  off: null,
  clock,
  logger,
  loadEngine: async () => await loadEngine(logger),
  channel: () => 'stable',
  lastCheck: { read: () => null, write: () => undefined },
  onChange: () => undefined,
  leave: async () => await Promise.resolve(order.push('leave') > 0),
  shutDown: async () => await Promise.resolve(void order.push('put down')),
  undoLeave: () => void order.push('come back'),
});
const report: Record<string, unknown> = {};

const install = async (name: string): Promise<void> => {
  order.length = 0;
  await updates.check();
  await updates.download();
  const ready = updates.status();
  await updates.install().catch(() => undefined);
  report[name] = { ready, after: updates.status(), order: [...order] };
};

await install('blocked');
const elevate = path.join(resources, 'elevate.exe');
writeFileSync(elevate, `#!/bin/sh\nprintf '%s\\n' "$@" > '${log}.part' && mv '${log}.part' '${log}'\n`);
chmodSync(elevate, 0o755);
await install('elevated');
await until(
  () => readdirSync(path.dirname(log)),
  (names) => names.includes(path.basename(log)),
);
finish(report);
