import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { failure, toAppError } from '../../../shared/errors.ts';
import { syncFolder } from '../store/safe-files.ts';
import { knownDiskFailure } from './disk-failure.ts';
import { checkOpen, checkReal } from './fence.ts';
import { codeOf } from './small-files.ts';

/**
 * Writes a file to the path chosen in the save dialog, which asked before replacing a file. Gives the file its name once it is
 * complete and flushed. Throws `AppError('access-denied')` for the data folder, and `AppError('storage')` if writing fails.
 */
export async function saveFile(
  target: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const folder = await realpath(path.dirname(target));
    checkReal(folder, undefined);
    const part = path.join(folder, `${path.basename(target)}.${randomBytes(4).toString('hex')}.part`);
    await writeThenName(part, path.join(folder, path.basename(target)), chunks, signal);
    await syncFolder(folder).catch(ignoringNoSync);
  } catch (thrown) {
    if (toAppError(thrown).code !== 'internal' || !(thrown instanceof Error) || !('syscall' in thrown))
      throw thrown;
    throw (
      knownDiskFailure(codeOf(thrown), thrown) ??
      failure('storage', `The file could not be written: ${thrown.message}`, {
        reason: 'file-unwritable',
        retry: 'after-fix',
        cause: thrown,
      })
    );
  }
}

/** Ignores the error of file systems that cannot flush a folder, such as shares. The file itself is flushed. */
function ignoringNoSync(thrown: unknown): void {
  const code = codeOf(thrown);
  if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw thrown;
}

async function writeThenName(
  part: string,
  target: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const file = await open(part, 'wx');
  try {
    try {
      checkOpen(file.fd, part, path.dirname(part));
      for await (const chunk of chunks) {
        signal.throwIfAborted();
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, target);
  } catch (thrown) {
    await rm(part, { force: true });
    throw thrown;
  }
}
