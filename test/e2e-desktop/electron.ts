import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';

const root = fileURLToPath(new URL('../..', import.meta.url));
const executablePath = process.env['COOPER_TEST_ELECTRON'] ?? '';

export interface Running {
  readonly electron: ElectronApplication;
  readonly page: Page;
}

interface Fixtures {
  readonly dataDir: string;
  /** Starts the program on the test's data folder. Programs that still run at the end of the test are closed. */
  readonly launch: () => Promise<Running>;
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the requested fixtures from the pattern
  dataDir: async ({}, use) => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-electron-'));
    await use(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  },
  launch: async ({ dataDir }, use) => {
    const running = new Set<ElectronApplication>();
    await use(async () => {
      const electron = await _electron.launch({ executablePath, args: argsFor(dataDir), env: environment() });
      running.add(electron);
      electron.on('close', () => running.delete(electron));
      return { electron, page: await electron.firstWindow() };
    });
    for (const electron of running) {
      // Closing with work in progress asks the user; answers that question.
      await answerQuestions(electron, 0);
      await electron.close();
    }
  },
});

/** Starts the program a second time, outside of Playwright's control, waits until it exits, and returns its exit status. */
export async function startAgain(dataDir: string, link: string): Promise<number | null> {
  const child: ChildProcess = spawn(executablePath, [...argsFor(dataDir), link], {
    env: environment(),
    stdio: 'ignore',
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  return status;
}

/** Presses this button in every question from now on, and counts the questions. */
export async function answerQuestions(electron: ElectronApplication, button: number): Promise<void> {
  await electron.evaluate(({ dialog }, response) => {
    const counted = globalThis as { asked?: number };
    counted.asked ??= 0;
    dialog.showMessageBox = () => {
      counted.asked = (counted.asked ?? 0) + 1;
      return Promise.resolve({ response, checkboxChecked: false });
    };
  }, button);
}

export async function questionsAsked(electron: ElectronApplication): Promise<number> {
  return await electron.evaluate(() => (globalThis as { asked?: number }).asked ?? 0);
}

function argsFor(dataDir: string): string[] {
  // Chromium's sandbox does not work for root.
  return [root, `--data-dir=${dataDir}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
}

export function environment(): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(inherited), COOPER_SAMPLE_LOGS: '200', LC_ALL: 'C' };
}
