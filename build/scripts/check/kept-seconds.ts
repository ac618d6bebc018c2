import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { root } from '../run-command.ts';

/** The file with the duration of each test file in its last run, from which a check selects tests that fit its budget. */
const file = path.join(root, '.cache', 'test-seconds.json');
const schema = z.record(z.string(), z.number());

export function keepSeconds(seconds: ReadonlyMap<string, number>, folder: string): void {
  const kept = new Map(Object.entries(keptSeconds()));
  for (const [name, took] of seconds)
    kept.set(path.relative(root, path.resolve(folder, name)).replaceAll('\\', '/'), took);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept))}\n`);
}

/** Returns the stored durations. Empty before the first run. */
export function keptSeconds(): Readonly<Record<string, number>> {
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}
