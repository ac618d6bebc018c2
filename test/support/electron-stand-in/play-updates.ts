/** Simulates a user who checks for updates, with the feed whose address is in COOPER_TEST_FEED. */
import { readFileSync } from 'node:fs';
import * as standIn from './electron.ts';
import { coreOfWindow, exited, finish, startMain, until } from './core-of-window.ts';

const dist = new URL(process.env['COOPER_TEST_DIST'] ?? '../../../dist/desktop/', import.meta.url);
const feed = process.env['COOPER_TEST_FEED'] ?? '';
const report: Record<string, unknown> = {};
const window = await startMain(dist);
if (window === null) finish(report);
else {
  const core = coreOfWindow(window);
  const status = () => core.updates.status();
  report['first'] = await status();
  if (feed !== '') {
    const feedIs = (mode: string) => fetch(`${feed}mode/${mode}`);
    await feedIs('older');
    await core.updates.check();
    report['older'] = await status();
    await core.settings.update({ updateChannel: 'beta' });
    await core.updates.check();
    report['beta'] = await status();
    await core.settings.update({ updateChannel: 'stable' });
    await feedIs('gone');
    await core.updates.check();
    report['gone'] = await status();
    for (const mode of ['tampered', 'cut', 'unhashed', 'good']) {
      await feedIs(mode);
      await core.updates.check();
      const found = await status();
      await core.updates.download();
      report[mode] = { found, after: await status(), appImage: appImage() };
    }
    const [progressed] = await Promise.all([
      until(status, ({ kind }) => kind === 'ready'),
      core.updates.status(),
    ]);
    report['ready'] = progressed;
    window.hasUnsavedText = true;
    standIn.boxAnswers.push(0);
    await core.updates.install();
    report['kept'] = { status: await status(), isOpen: !window.destroyed, appImage: appImage() };
    standIn.boxAnswers.push(1);
    void core.updates.install().catch(() => undefined);
    report['exitStatus'] = await exited;
    report['installed'] = appImage();
  }
  finish(report);
}

function appImage(): string {
  return readFileSync(process.env['APPIMAGE'] ?? '', 'utf8');
}
