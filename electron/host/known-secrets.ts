import type { Secrets } from '../core/ports.ts';

/** Shorter ones are words that are in any log, and would be all that is missing from it. */
const shortest = 8;

/** The secrets that have passed by, so that whatever writes a file can keep them out of it. */
export interface KnownSecrets {
  readonly all: readonly string[];
  /** A secret, or a record of several as JSON. */
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

/** The same secrets; each that is set or read becomes a known one. */
export function learning(secrets: Secrets, known: Pick<KnownSecrets, 'learn'>): Secrets {
  return {
    // It changes with what the person decides.
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
    // A secret may begin with a bracket and be no record.
    return [];
  }
  return texts;
}
