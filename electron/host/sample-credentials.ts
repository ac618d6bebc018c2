import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { setAside } from '../core/store/safe-files.ts';
import type { ServiceCredentials } from '../service/auth/canonical.ts';
import { errnoOf } from './problem.ts';

const schema = z.object({ accessKeyId: z.string().min(1), secretAccessKey: z.string().min(1) });

export const sampleRegion = 'us-east-1';

/** Returns the folder for the buckets of the embedded service. */
export function sampleBucketsDir(dataDir: string): string {
  return path.join(dataDir, 'sample-buckets');
}

/** Returns the path of the file with the embedded service's access key. */
export function keysFile(dataDir: string): string {
  return path.join(dataDir, 'keys.json');
}

/**
 * Returns the access key of the embedded service. Creates it once, in a file that only this account can read. Renames and
 * replaces an unreadable file.
 */
export function sampleCredentials(
  dir: string,
  onSetAside: (where: string) => void = () => undefined,
): ServiceCredentials {
  const file = keysFile(dir);
  const stored = read(file, onSetAside);
  if (stored !== null) return stored;
  const made = {
    accessKeyId: `COOPER${randomBytes(7).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  };
  writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return made;
}

function read(file: string, onSetAside: (where: string) => void): ServiceCredentials | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return null;
    onSetAside(setAside(file, Date.now()));
    return null;
  }
}
