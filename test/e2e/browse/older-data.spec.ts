import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { databaseFile } from '../../../electron/core/store/database.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { sidebarRow, test } from '../support/window.ts';

const child = fileURLToPath(new URL('../../support/core/profile-child.ts', import.meta.url));
const backup = 'cooper-2026-01-02.db';

/** Stores connections in the data folder from a process that is killed once they are in the database. */
async function storeAndDie(dataDir: string, count: number): Promise<void> {
  const file = path.join(dataDir, databaseFile);
  const running = spawn(process.execPath, [child, dataDir, file, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(running, 'exit');
  for await (const chunk of running.stdout) if (String(chunk).includes('kept')) break;
  running.kill('SIGKILL');
  await exited;
}

test('a lost database is reported with its contents, and its backup is restored at the next start', async ({
  page,
}) => {
  test.slow();
  const dataDir = path.join(removedAtExit('cooper-older-'), 'data');
  await storeAndDie(dataDir, 2);
  const file = path.join(dataDir, databaseFile);
  rmSync(`${file}-wal`, { force: true });
  cpSync(file, path.join(dataDir, 'backups', backup), { recursive: true });
  rmSync(file);
  let cooper: RunningCooper = await startCooper({ dataDir });
  try {
    await page.goto(cooper.address);
    const notice = page.getByRole('alert').filter({ hasText: 'Cooper found older data' });
    await expect(notice).toContainText('The data folder has 0 connections and 0 transfers.');
    await expect(notice).toContainText('it had 2 connections and 0 transfers.');
    await expect(sidebarRow(page, 'Connection 0')).toHaveCount(0);
    await notice.getByRole('button', { name: 'Restore the backup of 2026-01-02' }).click();
    await expect(page.getByText('Cooper restores the backup of 2026-01-02 at its next start')).toBeVisible();

    await cooper.end();
    cooper = await startCooper({ dataDir });
    await page.goto(cooper.address);
    await expect(sidebarRow(page, 'Connection 0')).toBeVisible();
    await expect(sidebarRow(page, 'Connection 1')).toBeVisible();
    const restored = page.getByRole('alert').filter({ hasText: 'Restored the backup of 2026-01-02' });
    await expect(restored).toContainText('Cooper kept the database before it as');
  } finally {
    await cooper.end();
  }
});
