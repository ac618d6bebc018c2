import { realpath } from 'node:fs/promises';
import { failure } from '../../../shared/errors.ts';
import { isPrivateAnywhere } from '../disk/fence.ts';
import { check, type Limits } from './folder-entries.ts';
import type { KnownFile } from './handles.ts';
import { localNameFailure } from './local-names.ts';

/** Returns the folder of a handle. Throws `AppError('access-denied')` if it may no longer be shown. */
export async function realFolder(
  { path: folder, picked, real: before }: KnownFile,
  within: Limits,
): Promise<string> {
  if (picked) {
    const now = await realpath(folder).catch((thrown: unknown) => {
      throw localNameFailure(thrown);
    });
    if ((before !== null && now !== before) || isPrivateAnywhere(now)) throw outsideRoots();
    return folder;
  }
  await realpath(folder).catch((thrown: unknown) => {
    throw localNameFailure(thrown);
  });
  const real = await check(folder, within);
  if (real === null) throw outsideRoots();
  return real;
}

export function outsideRoots(): Error {
  return failure('access-denied', 'This folder cannot be shown.', { reason: 'outside-roots' });
}
