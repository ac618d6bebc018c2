import type { Secrets } from '../core/ports.ts';

/**
 * The minimum length of secrets to redact. Shorter ones may be common words, and redacting those would make the log unreadable.
 */
const shortest = 8;

/** Collects secrets that were read or stored, so that they can be redacted before texts are written to files. */
export interface KnownSecrets {
  readonly all: readonly string[];
  /** Adds a secret, or all secrets in a JSON record. */
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

/** Wraps a store of secrets, so that each secret that is stored or read becomes known for redaction. */
export function recordingSecrets(secrets: Secrets, known: Pick<KnownSecrets, 'learn'>): Secrets {
  return {
    // A getter, because `protection` changes when the user consents.
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
    // The value is not a JSON record. A plain secret may start with a bracket too.
    return [];
  }
  return texts;
}
