import { openCheckedDatabase, type CheckedDatabase } from '../core/store/open-kept.ts';
import { prepareLogFile } from './data-dir.ts';

/**
 * Checks the log file and opens the database before the program reports that it is ready, so that the user sees a failure. Loads
 * neither the core nor the logger. Throws StartProblem if the log cannot be written or the database cannot be opened.
 */
export async function openData(dataDir: string): Promise<CheckedDatabase> {
  prepareLogFile(dataDir);
  try {
    return openCheckedDatabase(dataDir, { nowMs: Date.now() });
  } catch (thrown) {
    const { fileLogger } = await import('./logger.ts');
    const logger = fileLogger(dataDir);
    logger.error('Cooper could not start.', { err: thrown });
    logger.close();
    throw thrown;
  }
}
