import path from 'node:path';
import { databaseFile, openDatabase, type OpenedDatabase } from '../core/store/database.ts';
import { prepareLogFile } from './log-file.ts';

/**
 * Opens what can keep the program from starting for a reason that a person must know, before it says that it is ready: the log and the
 * database. Loads neither the core nor the logger.
 */
export async function openData(dataDir: string): Promise<OpenedDatabase> {
  prepareLogFile(dataDir);
  try {
    return openDatabase(path.join(dataDir, databaseFile), { nowMs: Date.now() });
  } catch (thrown) {
    const { fileLogger } = await import('./logger.ts');
    const logger = fileLogger(dataDir);
    logger.error('Cooper could not start.', { err: thrown });
    logger.close();
    throw thrown;
  }
}
