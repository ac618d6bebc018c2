import { AppFailure, failure } from '../../../shared/errors.ts';
import { knownDiskFailure } from '../disk/disk-failure.ts';
import { codeOf } from '../disk/small-files.ts';

const maxSafeNameBytes = 200;

/** Converts a name from a page into a single path segment that is valid on any system. */
export function safeFileName(rawName: string): string {
  const last = rawName.split(/[/\\]/).at(-1) ?? '';
  // Replaces control characters and those that Windows interprets.
  // oxlint-disable-next-line no-control-regex -- the expression replaces control characters
  const plain = last.toWellFormed().replaceAll(/[\u0000-\u001f\u007f<>:"|?*]/g, '_');
  let name = '';
  let bytes = 0;
  for (const character of plain) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxSafeNameBytes) break;
    name += character;
  }
  name = name.replace(/[. ]+$/, '');
  if (name === '') return 'file';
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? `_${name}` : name;
}

const maxBytes = 255;

/** Returns true if the name is a single path segment that this system can store. */
export function isLocalName(name: string, platform: NodeJS.Platform = process.platform): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name) || !name.isWellFormed())
    return false;
  if (Buffer.byteLength(name) > maxBytes) return false;
  return platform !== 'win32' || (!name.includes('\\') && safeFileName(name) === name);
}

/** Throws the system's error for a local folder as `localNameFailure` converts it. For `catch` of a promise. */
export function throwLocalNameFailure(thrown: unknown): never {
  throw localNameFailure(thrown);
}

/** Converts the system's error for a local folder into a failure that suggests what to do. */
export function localNameFailure(thrown: unknown): Error {
  const code = codeOf(thrown);
  if (thrown instanceof AppFailure) return thrown;
  const cause = { cause: thrown, retry: 'after-fix' } as const;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return failure('not-found', 'This folder no longer exists.', { reason: 'local-gone', ...cause });
    case 'EACCES':
    case 'EPERM':
      return failure('access-denied', 'This account does not have permission for this folder.', {
        reason: 'local-denied',
        ...cause,
      });
    case 'ENOTEMPTY':
      return failure('conflict', 'This folder is not empty.', { reason: 'local-not-empty', ...cause });
    case 'EEXIST':
      return failure('conflict', 'An item with this name already exists.', {
        reason: 'local-exists',
        ...cause,
      });
    case 'ELOOP':
      return failure('storage', 'This link points back to itself.', { reason: 'local-loop', ...cause });
    default:
      return (
        knownDiskFailure(codeOf(thrown), thrown) ??
        failure('storage', 'This folder cannot be read.', { reason: 'local-unreadable', ...cause })
      );
  }
}
