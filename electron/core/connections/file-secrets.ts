import { randomUUID } from 'node:crypto';
import { chmod, lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { failure } from '../../../shared/errors.ts';
import type { Secrets } from '../ports.ts';
import { isAbsent, writeFileAtomically } from '../store/safe-files.ts';

const fileSchema = z.object({ version: z.literal(1), values: z.record(z.string(), z.string()) });
type Values = Readonly<Record<string, string>>;

/** Stores secrets in `secrets.json` in the data folder, readable only by this user account (mode 0600). */
export function fileSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  let cached: Values | null = null;
  // Changes run one after another, because each rewrites the whole file.
  let last: Promise<unknown> = Promise.resolve();

  const values = async (): Promise<Values> => (cached ??= await load(file));
  const change = async (decide: (values: Values) => Values | null): Promise<void> => {
    const before = last;
    const done = (async () => {
      await before;
      const next = decide(await values());
      if (next === null) return;
      await save(file, next);
      cached = next;
    })();
    last = done.catch(() => undefined);
    await done;
  };

  return {
    protection: 'file',
    get: async (name) => {
      await last;
      const known = await values();
      return Object.hasOwn(known, name) ? (known[name] ?? null) : null;
    },
    set: (name, value) => change((known) => ({ ...known, [name]: value })),
    delete: (name) =>
      change((known) =>
        Object.hasOwn(known, name)
          ? Object.fromEntries(Object.entries(known).filter(([other]) => other !== name))
          : null,
      ),
  };
}

async function load(file: string): Promise<Values> {
  try {
    await makePrivate(file);
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).values;
  } catch (thrown) {
    if (isAbsent(thrown)) return {};
    // The cause is omitted, because it would quote the file.
    throw failure(
      'storage',
      `The file of secrets (${file}) cannot be read. Repair it or move it away, and enter the keys again.`,
      { retry: 'after-fix', reason: 'secrets-unreadable' },
    );
  }
}

/** Restricts the permissions before reading, because a copy or restored backup may have wider ones. */
async function makePrivate(file: string): Promise<void> {
  const { mode } = await lstat(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(file, 0o600);
}

async function save(file: string, values: Values): Promise<void> {
  try {
    await writeFileAtomically(file, JSON.stringify({ version: 1, values }), {
      mode: 0o600,
      suffix: randomUUID(),
    });
  } catch {
    throw failure('storage', `The keys could not be stored: the file ${file} cannot be written.`, {
      retry: 'after-fix',
      reason: 'secrets-unwritable',
    });
  }
}
