import { destination, pino } from 'pino';
import type { Logger } from '../core/ports.ts';
import { redactText } from '../core/s3/model/redact.ts';
import { cleanFields } from './log-fields.ts';
import { prepareLogFile } from './log-file.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

export interface FileLogger extends Logger {
  /** Sets the level for later lines; the initial level is `info`. */
  setLevel(level: LogLevel): void;
  close(): void;
}

/**
 * Creates a logger that writes JSON lines to `cooper.log` in the data folder; the previous file becomes `cooper.log.1`. Removes
 * the secrets of `secretsNow` and whatever has the name or the form of a secret.
 */
export function fileLogger(dataDir: string, secretsNow: () => readonly string[] = () => []): FileLogger {
  const stream = destination({ dest: prepareLogFile(dataDir), mode: 0o600, sync: true });
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: asItIs } },
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

/** `cleanFields` has already turned the error into a record. */
const asItIs = (value: unknown): unknown => value;
