import { readFileSync, writeFileSync } from 'node:fs';
import type { Secrets } from '../../core/ports.ts';
import { errnoOf } from '../../host/problem.ts';

/**
 * Returns the store of secrets for systems without a password store. Asks the user once, when the first secret is stored. With
 * consent, secrets are written to a file that only this account can read. Otherwise they are kept in memory until Cooper ends,
 * and the next run asks again.
 */
export function unprotectedSecrets(options: {
  readonly consentFile: string;
  readonly plain: Secrets;
  readonly askConsent: () => Promise<boolean>;
}): Secrets {
  let kind: 'undecided' | 'plain-text' | 'memory' = hasConsent(options.consentFile)
    ? 'plain-text'
    : 'undecided';
  let asking: Promise<void> | null = null;
  const memory = new Map<string, string>();

  const decide = async (): Promise<void> => {
    if (await options.askConsent()) {
      writeFileSync(options.consentFile, 'plain-text\n', { mode: 0o600 });
      kind = 'plain-text';
    } else {
      kind = 'memory';
    }
  };

  return {
    get protection() {
      return kind === 'plain-text' ? 'plain-text' : 'memory';
    },
    get: (name) =>
      kind === 'plain-text' ? options.plain.get(name) : Promise.resolve(memory.get(name) ?? null),
    set: async (name, value) => {
      if (kind === 'undecided') await (asking ??= decide());
      if (kind === 'plain-text') await options.plain.set(name, value);
      else memory.set(name, value);
    },
    delete: async (name) => {
      memory.delete(name);
      if (kind === 'plain-text') await options.plain.delete(name);
    },
  };
}

function hasConsent(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').trim() === 'plain-text';
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}
