import { z } from 'zod';
import { AppFailure, failure } from '../../../shared/errors.ts';
import {
  filedConnectionSchema,
  type ConnectionFile,
  type FiledConnection,
  type FiledEntry,
  type Connection,
  type ConnectionInput,
} from '../../../shared/models/connection.ts';
import type { Connections } from './connections.ts';
import { tidyInput } from './validate.ts';

const format = 'cooper-connections';
const version = 1;
const maxConnections = 1000;

const fileSchema = z.object({
  format: z.literal(format),
  version: z.int(),
  connections: z.array(z.unknown()).max(maxConnections),
});

/** Exports all connections except the built-in one as the text of a file, without secrets and proxy passwords. */
export async function writeConnectionFile(
  connections: Pick<Connections, 'list'>,
  nowMs: number,
): Promise<ConnectionFile> {
  const exported = (await connections.list()).filter(({ builtIn }) => !builtIn);
  const filed = exported.map((connection) => toFiled(connection));
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return {
    fileName: `cooper-connections-${day}.json`,
    text: `${JSON.stringify({ format, version, connections: filed }, null, 2)}\n`,
    count: filed.length,
  };
}

/** Copies each field explicitly, so that fields added later are not exported unnoticed. */
function toFiled(connection: Connection): FiledConnection {
  const { name, provider, endpoint, region, addressing, caPem, proxy, start, requesterPays, auth } =
    connection;
  return {
    name,
    provider,
    endpoint,
    region,
    addressing,
    caPem,
    proxy,
    start,
    ...(requesterPays === undefined ? {} : { requesterPays }),
    auth: auth.kind === 'keys' ? { kind: 'keys', accessKeyId: auth.accessKeyId } : auth,
  };
}

interface ReadEntry {
  readonly entry: FiledEntry;
  /** The connection as form input; null if it cannot be imported. */
  readonly input: ConnectionInput | null;
}

/** Returns the connections of a file, each validated like the form's input. Throws AppFailure for any other text. */
export async function readConnectionFile(
  connections: Pick<Connections, 'list'>,
  text: string,
): Promise<readonly ReadEntry[]> {
  const savedConnections = await connections.list();
  const idByIdentity = new Map(savedConnections.map((connection) => [identityOf(connection), connection.id]));
  return parseFile(text).map((raw, index) => readEntry(raw, index, idByIdentity));
}

function parseFile(text: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw notConnectionFile(error);
  }
  const file = fileSchema.safeParse(parsed);
  if (!file.success) throw notConnectionFile(file.error);
  if (file.data.version > version)
    throw failure(
      'invalid-argument',
      `The file was written by a newer version of Cooper (${file.data.version}).`,
      { retry: 'after-fix', reason: 'file-newer' },
    );
  return file.data.connections;
}

function notConnectionFile(cause: unknown): AppFailure {
  return failure('invalid-argument', 'This is not a connection file written by Cooper.', {
    retry: 'after-fix',
    reason: 'file-invalid',
    cause,
  });
}

function readEntry(raw: unknown, index: number, idByIdentity: ReadonlyMap<string, string>): ReadEntry {
  const filed = filedConnectionSchema.safeParse(raw);
  if (!filed.success) {
    const named = z.object({ name: z.string() }).safeParse(raw);
    const name = named.success ? named.data.name.slice(0, 100) : '';
    const [issue] = filed.error.issues;
    const problem = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
    return {
      entry: { index, name, endpoint: '', needsKeys: false, duplicateOf: null, problem },
      input: null,
    };
  }
  const { auth } = filed.data;
  const entry = {
    index,
    name: filed.data.name,
    endpoint: filed.data.endpoint,
    needsKeys: auth.kind === 'keys',
    duplicateOf: null,
    problem: null,
  };
  try {
    const { input } = tidyInput({
      ...filed.data,
      auth: auth.kind === 'keys' ? { ...auth, secretAccessKey: null, sessionToken: null } : auth,
    });
    return { entry: { ...entry, duplicateOf: idByIdentity.get(identityOf(input)) ?? null }, input };
  } catch (thrown) {
    if (!(thrown instanceof AppFailure)) throw thrown;
    return { entry: { ...entry, problem: thrown.error.message }, input: null };
  }
}

/** Returns the identity of a connection: endpoint, access key or profile, and start. The name does not count. */
function identityOf({
  endpoint,
  auth,
  start,
}: Pick<Connection | ConnectionInput, 'endpoint' | 'auth' | 'start'>): string {
  const credentialName =
    auth.kind === 'keys' ? auth.accessKeyId : auth.kind === 'aws-profile' ? auth.profile : null;
  return JSON.stringify([endpoint, auth.kind, credentialName, start?.bucket ?? null, start?.prefix ?? null]);
}

/**
 * Adds the chosen entries of a file. The user types their secrets later. Throws `AppError('invalid-argument')` that names an
 * entry that cannot be imported.
 */
export async function importConnections(
  connections: Pick<Connections, 'list' | 'adopt'>,
  text: string,
  indexes: readonly number[],
): Promise<Connection[]> {
  const entries = await readConnectionFile(connections, text);
  const added: Connection[] = [];
  for (const index of new Set(indexes)) {
    const input = entries[index]?.input ?? null;
    if (input === null)
      throw failure('invalid-argument', `Entry ${index + 1} of the file cannot be imported.`, {
        retry: 'after-fix',
        reason: 'file-invalid',
      });
    added.push(await connections.adopt(input));
  }
  return added;
}
