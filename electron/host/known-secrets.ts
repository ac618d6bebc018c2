import type { Secrets } from '../core/ports.ts';

/** Shorter secrets are not redacted: if one were a common word, most of the log would be blanked out. */
const shortest = 8;

/** The secrets seen so far, so that writers of files can redact them. */
export interface KnownSecrets {
  readonly all: readonly string[];
  /** Adds a secret, or all secrets of a JSON record. */
  learn(value: string): void;
}

export function knownSecrets(): KnownSecrets {
  const known = new Set<string>();
  let all: readonly string[] = [];
  return {
    get all() {
      return all;
    },
    learn: (value) => {
      for (const text of [value, ...textsIn(value)]) if (text.length >= shortest) known.add(text);
      if (known.size !== all.length) all = [...known];
    },
  };
}

/** Wraps a store of secrets and adds each secret that is set or read to the known ones. */
export function learning(secrets: Secrets, known: Pick<KnownSecrets, 'learn'>): Secrets {
  return {
    // A getter, because `protection` changes with the user's consent.
    get protection() {
      return secrets.protection;
    },
    get: async (name) => {
      const value = await secrets.get(name);
      if (value !== null) known.learn(value);
      return value;
    },
    set: async (name, value) => {
      known.learn(value);
      await secrets.set(name, value);
    },
    delete: async (name) => await secrets.delete(name),
  };
}

function textsIn(value: string): readonly string[] {
  if (!/^[[{]/.test(value)) return [];
  const texts: string[] = [];
  try {
    JSON.parse(value, (_name, item: unknown) => {
      if (typeof item === 'string') texts.push(item);
      return item;
    });
  } catch {
    // Not a JSON record: a plain secret may also start with a bracket.
    return [];
  }
  return texts;
}
