import { destination, pino } from 'pino';
import type { Logger, Secrets } from '../core/ports.ts';
import { redactText } from '../core/s3/model/redact.ts';
import { prepareLogFile } from './data-dir.ts';

const removed = '[removed]';
/** The maximum depth of nested values in the log. Errors of libraries may refer to half of the program. */
const maxDepth = 8;
const maxEntries = 100;

/** Matches names whose values are never logged, at any depth. */
const secretName =
  /^(?:access_?key_?id|code|token)$|cookie|secret|passw|authorization|(?:session|security|access|refresh|id)[-_]?token|proxy_?url|customer-?key|signature|credential/i;
/** Matches error codes (ENOENT, access-denied). Other values of `code` may be one-time codes. */
const errorCode = /^(?:[A-Z][A-Z0-9_]*|[a-z]+(?:-[a-z]+)*|[A-Z][A-Za-z]+)$/;

/** Returns fields for the log without secrets: values with a secret name at any depth, and known secrets within texts. */
export function cleanFields(
  fields: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): Record<string, unknown> {
  const visited = new Set<object>();
  const clean = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return redactText(value, secrets);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Date) return value.toISOString();
    // Bytes may contain a key or the content of an object.
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${String(value.byteLength)} bytes]`;
    if (visited.has(value)) return '[again]';
    if (depth > maxDepth) return '[deeper]';
    visited.add(value);
    if (Array.isArray(value)) return value.slice(0, maxEntries).map((item) => clean(item, depth + 1));
    return Object.fromEntries(
      entriesOf(value)
        .slice(0, maxEntries)
        .map(([name, item]) => [
          redactText(name, secrets),
          isSecret(name, item) ? removed : clean(item, depth + 1),
        ]),
    );
  };
  return clean(fields, 0) as Record<string, unknown>;
}

function isSecret(name: string, value: unknown): boolean {
  if (!secretName.test(name)) return false;
  if (name === 'code' && typeof value === 'string') return !errorCode.test(value);
  // Empty values are logged, so that the log shows when a secret is missing.
  return value !== null && value !== undefined && value !== '' && typeof value !== 'boolean';
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  if (value instanceof Map) return [...value].map(([name, item]) => [String(name), item as unknown] as const);
  const fields = Object.entries(value) as (readonly [string, unknown])[];
  if (!(value instanceof Error)) return fields;
  const logged = new Set(['type', 'message', 'stack', 'cause']);
  return [
    ['type', value.name],
    ['message', value.message],
    ['stack', value.stack],
    ...(value.cause === undefined ? [] : [['cause', value.cause] as const]),
    ...(value instanceof AggregateError ? [['errors', value.errors] as const] : []),
    ...fields.filter(([name]) => !logged.has(name)),
  ];
}

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface FileLogger extends Logger {
  /** Sets the level for later lines. The initial level is `info`. */
  setLevel(level: LogLevel): void;
  close(): void;
}

/**
 * Creates a logger that writes JSON lines to `cooper.log` in the data folder, and renames a file that is too large to
 * `cooper.log.1`. Removes the secrets of `secretsNow`, and values whose name or form is that of a secret. Throws StartProblem if
 * the file cannot be written.
 */
export function fileLogger(dataDir: string, secretsNow: () => readonly string[] = () => []): FileLogger {
  const stream = destination({ dest: prepareLogFile(dataDir), mode: 0o600, sync: true });
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: identity } },
    stream,
  );
  const write =
    (level: LogLevel): Logger[LogLevel] =>
    (message, fields = {}) => {
      if (!logger.isLevelEnabled(level)) return;
      const secrets = secretsNow();
      logger[level](cleanFields(fields, secrets), redactText(message, secrets));
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: (level) => {
      logger.level = level;
    },
    close: () => stream.end(),
  };
}

/** `cleanFields` has already converted the error to a record. */
const identity = (value: unknown): unknown => value;

/**
 * The minimum length of secrets to redact. Shorter ones may be common words, and redacting those would make the log unreadable.
 */
const minSecretLength = 8;

/** Collects secrets that were read or stored, so that they can be redacted before texts are written to files. */
interface KnownSecrets {
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
      for (const text of [value, ...textsIn(value)]) if (text.length >= minSecretLength) known.add(text);
      if (known.size !== all.length) all = [...known];
    },
  };
}

/** Wraps a store of secrets, so that each secret that is stored or read becomes known for redaction. */
export function recordingSecrets(secrets: Secrets, known: Pick<KnownSecrets, 'learn'>): Secrets {
  return {
    // Uses a getter, because `protection` changes when the user consents.
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
