import type { Secrets } from '../../../electron/core/ports.ts';

/** Returns a store of secrets in memory. */
export function memorySecrets(): Secrets {
  const values = new Map<string, string>();
  return {
    protection: 'memory',
    get: (name) => Promise.resolve(values.get(name) ?? null),
    set: (name, value) => {
      values.set(name, value);
      return Promise.resolve();
    },
    delete: (name) => {
      values.delete(name);
      return Promise.resolve();
    },
  };
}
