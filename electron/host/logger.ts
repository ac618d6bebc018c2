import { renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { destination, pino } from 'pino';
import type { Logger } from '../core/ports.ts';
import { errnoOf } from './problem.ts';

const maxLogBytes = 5 * 1024 * 1024;

/** Names whose values never reach the log, at the top and one level down. */
const secretNames = [
  'accessKeyId',
  'secretAccessKey',
  'sessionToken',
  'secret',
  'password',
  'token',
  'code',
  'authorization',
  'proxyUrl',
];

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface FileLogger extends Logger {
  /** From now on; `info` until it is told. */
  setLevel(level: LogLevel): void;
  close(): void;
}

/** Writes JSON lines to `cooper.log` in the data folder; the file before it is kept as `cooper.log.1`. */
export function fileLogger(dataDir: string): FileLogger {
  const file = path.join(dataDir, 'cooper.log');
  rotate(file);
  const stream = destination({ dest: file, mode: 0o600, sync: true });
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '[removed]' },
    },
    stream,
  );
  return {
    debug: (message, fields) => logger.debug(fields, message),
    info: (message, fields) => logger.info(fields, message),
    warn: (message, fields) => logger.warn(fields, message),
    error: (message, fields) => logger.error(fields, message),
    setLevel: (level) => {
      logger.level = level;
    },
    close: () => stream.end(),
  };
}

function rotate(file: string): void {
  try {
    if (statSync(file).size > maxLogBytes) renameSync(file, `${file}.1`);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown;
  }
}
