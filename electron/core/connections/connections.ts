import { failure, type AppFailure } from '../../../shared/errors.ts';
import type { Connection, ConnectionInput, StartPlace } from '../../../shared/models/connection.ts';
import type { EventHub } from '../settings/events.ts';
import type { Random, Secrets } from '../ports.ts';
import type { Values, Records } from '../store/records.ts';
import { boundToEndpoint } from './customer-key-store.ts';
import { tidyInput, type TidyInput } from './validate.ts';
import {
  type StoredWithSecrets,
  noStoredConnection,
  mergeConnection,
  copyName,
  noSecrets,
  secretNames,
  toConnection,
  type ConnectionSecrets,
  type StoredConnection,
} from './stored-connection.ts';

/** The id of the connection to the sample buckets on this computer. */
export const samplesId = 'samples';

export interface Connections {
  list(): Promise<Connection[]>;
  /** Returns the place at which a connection starts; null if it has none. */
  startOf(id: string): StartPlace | null;
  create(input: ConnectionInput): Promise<Connection>;
  update(id: string, input: ConnectionInput): Promise<Connection>;
  /** Adds a connection from a file. The user types its secret key later. */
  adopt(input: ConnectionInput): Promise<Connection>;
  duplicate(id: string): Promise<Connection>;
  remove(id: string): Promise<void>;
  reorder(ids: readonly string[]): void;
  restoreSamples(): Connection;
  /** Returns a connection with its secrets. For the core only. */
  load(id: string): Promise<{ readonly stored: StoredConnection; readonly secrets: ConnectionSecrets }>;
  /** Returns the form's values. Secrets that the form omits are those stored for `id`. */
  draft(
    id: string | null,
    input: ConnectionInput,
  ): Promise<{ readonly stored: StoredConnection; readonly secrets: ConnectionSecrets }>;
}

export interface ConnectionsDeps {
  readonly records: Records<StoredConnection>;
  readonly values: Values;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly events: EventHub;
  readonly hasSamples: boolean;
  /** Called after a connection was changed or removed, because its client is outdated. */
  readonly onChanged: (id: string) => void;
  readonly onRemoved: (id: string) => void;
}

const samplesSetting = 'samples';

export function createConnections(deps: ConnectionsDeps): Connections {
  const { records, secrets, values } = deps;

  const changed = (id: string): void => {
    deps.onChanged(id);
    deps.events.emit({ kind: 'connections-changed' });
  };

  const find = (id: string): StoredConnection => {
    const stored = records.get(id);
    if (stored === null) throw noSuchConnection();
    return stored;
  };

  const readSecrets = async (id: string): Promise<ConnectionSecrets> => {
    const names = secretNames(id);
    const [secretAccessKey, sessionToken, proxyPassword] = await Promise.all([
      secrets.get(names.secretAccessKey),
      secrets.get(names.sessionToken),
      secrets.get(names.proxyPassword),
    ]);
    return { secretAccessKey, sessionToken, proxyPassword };
  };

  const writeSecrets = async (
    id: string,
    next: ConnectionSecrets,
    before: ConnectionSecrets,
  ): Promise<void> => {
    const names = secretNames(id);
    for (const secret of ['secretAccessKey', 'sessionToken', 'proxyPassword'] as const) {
      const value = next[secret];
      if (value === before[secret]) continue;
      if (value === null) await secrets.delete(names[secret]);
      else await secrets.set(names[secret], value);
    }
  };

  const deleteSecrets = async (id: string): Promise<void> => {
    for (const name of Object.values(secretNames(id))) await secrets.delete(name);
  };

  const visible = async (id: string, stored: StoredConnection): Promise<Connection> => {
    const connection = toConnection(id, stored);
    // A restart loses secrets that were only in memory. The stored record does not show that.
    if (secrets.protection !== 'memory' || connection.auth.kind !== 'keys') return connection;
    // Secrets that a locked or damaged store cannot read are not lost. The request that needs them reports why.
    const storedSecrets = await readSecrets(id).catch(() => null);
    if (storedSecrets === null) return connection;
    return {
      ...connection,
      auth: {
        ...connection.auth,
        hasSecret: storedSecrets.secretAccessKey !== null,
        hasSessionToken: storedSecrets.sessionToken !== null,
      },
    };
  };

  const store = async (id: string, tidy: TidyInput, before: StoredWithSecrets): Promise<Connection> => {
    const next = mergeConnection(tidy, before);
    // Stores the secret first, because a record without its secret would fail later.
    await writeSecrets(id, next.secrets, before.secrets);
    // Another window may have removed the connection meanwhile.
    if (before.stored !== null && records.get(id) === null) {
      await deleteSecrets(id);
      throw noSuchConnection();
    }
    records.put(id, next.stored);
    changed(id);
    return await visible(id, next.stored);
  };

  const loadStored = async (
    id: string,
  ): Promise<StoredWithSecrets & { readonly stored: StoredConnection }> => ({
    stored: find(id),
    secrets: await readSecrets(id),
  });

  return {
    list: async () => {
      const saved = await Promise.all(records.all().map(({ id, record }) => visible(id, record)));
      return deps.hasSamples && values.get(samplesSetting) !== 'hidden' ? [samples(), ...saved] : saved;
    },
    startOf: (id) => records.get(id)?.start ?? null,
    create: async (input) => await store(deps.random.id(), tidyInput(input), noStoredConnection),
    update: async (id, input) => {
      if (id === samplesId) throw builtIn('changed');
      const tidy = tidyInput(input);
      const before = await loadStored(id);
      const former = before.stored.endpoint;
      if (tidy.input.endpoint !== former) {
        const name = secretNames(id).customerKeys;
        const bound = boundToEndpoint(await secrets.get(name), former);
        if (bound !== null) await secrets.set(name, bound);
      }
      return await store(id, tidy, before);
    },
    adopt: async (input) => {
      const id = deps.random.id();
      const { auth, ...rest } = tidyInput(input).input;
      const stored: StoredConnection = {
        ...rest,
        auth:
          auth.kind === 'keys'
            ? { kind: 'keys', accessKeyId: auth.accessKeyId, hasSecret: false, hasSessionToken: false }
            : auth,
        hasProxyPassword: false,
      };
      records.put(id, stored);
      changed(id);
      return await visible(id, stored);
    },
    duplicate: async (id) => {
      if (id === samplesId) throw builtIn('duplicated');
      const { stored, secrets: storedSecrets } = await loadStored(id);
      const copyId = deps.random.id();
      await writeSecrets(copyId, storedSecrets, noSecrets);
      const customerKeys = await secrets.get(secretNames(id).customerKeys);
      if (customerKeys !== null) await secrets.set(secretNames(copyId).customerKeys, customerKeys);
      const names = records.all().map(({ record }) => record.name);
      const copy = { ...stored, name: copyName(stored.name, names) };
      records.put(copyId, copy);
      changed(copyId);
      return await visible(copyId, copy);
    },
    remove: async (id) => {
      if (id === samplesId) {
        values.set(samplesSetting, 'hidden');
        deps.events.emit({ kind: 'connections-changed' });
        return;
      }
      if (!records.remove(id)) return;
      deps.onRemoved(id);
      changed(id);
      await deleteSecrets(id);
    },
    reorder: (ids) => {
      records.reorder(ids);
      deps.events.emit({ kind: 'connections-changed' });
    },
    restoreSamples: () => {
      if (!deps.hasSamples) throw noSuchConnection();
      values.set(samplesSetting, 'shown');
      deps.events.emit({ kind: 'connections-changed' });
      return samples();
    },
    load: async (id) => {
      if (id === samplesId) throw noSuchConnection();
      return await loadStored(id);
    },
    draft: async (id, input) => {
      const before = id === null || id === samplesId ? noStoredConnection : await loadStored(id);
      return mergeConnection(tidyInput(input), before);
    },
  };
}

/** Returns the record of the sample buckets. The host provides their endpoint and keys. */
export function samplesRecord(): StoredConnection {
  return {
    name: 'Sample buckets, on this computer',
    provider: 'custom',
    endpoint: '',
    region: null,
    addressing: 'path',
    caPem: null,
    proxy: { kind: 'none' },
    start: null,
    auth: { kind: 'anonymous' },
    hasProxyPassword: false,
  };
}

function samples(): Connection {
  return { ...toConnection(samplesId, samplesRecord()), builtIn: true };
}

function noSuchConnection(): AppFailure {
  return failure(
    'not-found',
    'This connection no longer exists; it may have been removed in another window.',
    { reason: 'no-such-connection' },
  );
}

function builtIn(action: string): AppFailure {
  return failure('unsupported', `The sample buckets cannot be ${action}.`, { reason: 'built-in' });
}
