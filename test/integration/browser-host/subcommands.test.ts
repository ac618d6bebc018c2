import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';

const command = path.resolve(import.meta.dirname, '../../../bin/command.ts');
const env = { ...process.env, LC_ALL: 'C' };

function runService(...flags: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'service', ...flags], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

/** The time limit in ms. A start of the command takes a second of processor time, which other programs may share. */
const startsMs = 120_000;

test(
  'cooper service serves the sample storage of a folder alone until a signal ends it with status 0',
  { timeout: startsMs },
  async () => {
    const dataDir = tempDir();
    const service = spawn(process.execPath, [command, 'service', '--data-dir', dataDir, '--port', '0'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      service.kill('SIGKILL');
    });
    const lines = createInterface({ input: service.stdout })[Symbol.asyncIterator]();
    const nextLine = async (): Promise<string> => {
      const { value } = await lines.next();
      return value ?? '';
    };
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(await nextLine())?.[0] ?? '';
    const keysFile = path.join(dataDir, 'keys.json');
    expect(await nextLine()).toContain(keysFile);
    expect(existsSync(keysFile)).toBe(true);
    expect((await fetch(address)).status).toBe(403);

    const second = runService('--data-dir', dataDir);
    expect(second.status).toBe(2);
    expect(second.stderr).toContain(`The data folder ${dataDir} is in use`);

    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  },
);

test(
  'cooper service lists its flags with --help and ends with status 2 for an unknown one',
  { timeout: startsMs },
  () => {
    const help = runService('--help');
    expect(help.status).toBe(0);
    for (const flag of ['--data-dir', '--port', '--help']) expect(help.stdout).toContain(flag);
    const refused = runService('--colour');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('--colour');
  },
);
