import { z } from 'zod';
import { failure } from '../../../shared/errors.ts';
import type { Random } from '../ports.ts';
import type { Values } from '../store/records.ts';

export interface KnownFile {
  readonly path: string;
  /** True if it was chosen in the system's dialog, so any location is allowed. */
  readonly picked: boolean;
  /** The real path when the handle was created; null if unknown. If the path leads elsewhere later, it is refused. */
  readonly real: string | null;
}

/** Maps opaque handles to files on this computer. The window gets only handles, never paths. */
export interface Handles {
  handleFor(filePath: string, picked: boolean, real: string | null): string;
  known(handle: string): KnownFile;
  /** Keeps the handle valid across restarts, for restoring tabs. */
  keep(handle: string): void;
}

const valueName = 'local-folders';
/** The maximum number of stored handles, which is more than restored tabs can refer to. */
const maxStoredHandles = 500;
const storedHandlesSchema = z.array(
  z.object({
    handle: z.string(),
    path: z.string(),
    picked: z.boolean(),
    real: z.string().nullable().default(null),
  }),
);

/** Creates the handles. `values` stores those that stay valid across restarts; null stores none. */
export function createHandles(random: Pick<Random, 'id'>, values: Values | null): Handles {
  const byHandle = new Map<string, KnownFile>();
  const byPath = new Map<string, string>();
  const stored = storedHandlesSchema.safeParse(values?.get(valueName));
  let storedHandles = stored.success ? stored.data : [];
  for (const { handle, path, picked, real } of storedHandles) {
    byHandle.set(handle, { path, picked, real });
    byPath.set(path, handle);
  }
  return {
    handleFor: (filePath, picked, real) => {
      const before = byPath.get(filePath);
      const known = before === undefined ? undefined : byHandle.get(before);
      if (before !== undefined && known?.picked === picked && known.real === real) return before;
      const handle = random.id();
      byHandle.set(handle, { path: filePath, picked, real });
      byPath.set(filePath, handle);
      return handle;
    },
    known: (handle) => {
      const found = byHandle.get(handle);
      if (found !== undefined) return found;
      throw failure('not-found', 'This file is no longer known. Choose it again.', {
        reason: 'file-handle',
        retry: 'after-fix',
      });
    },
    keep: (handle) => {
      const found = byHandle.get(handle);
      const at = storedHandles.findIndex((entry) => entry.handle === handle);
      // Stored again only if it is in the older half of the list, before it could be evicted.
      if (values === null || found === undefined || (at !== -1 && at < maxStoredHandles / 2)) return;
      storedHandles = [
        { handle, ...found },
        ...storedHandles.filter((entry) => entry.handle !== handle),
      ].slice(0, maxStoredHandles);
      values.set(valueName, storedHandles);
    },
  };
}
