import {
  defaultUploadOptions,
  uploadOptionsSchema,
  type UploadOptions,
} from '../../../../shared/models/transfers.ts';
import type { Values } from '../../store/values.ts';

/**
 * Stores the default upload options of each connection. They are stored per connection, because storage classes and encryption
 * keys belong to a service.
 */
export interface UploadDefaults {
  get(connectionId: string): UploadOptions;
  /** Stores the options and returns them. Null restores Cooper's defaults. */
  set(connectionId: string, options: UploadOptions | null): UploadOptions;
}

const nameOf = (connectionId: string): string => `upload-options:${connectionId}`;

export function createUploadDefaults(values: Values): UploadDefaults {
  const get = (connectionId: string): UploadOptions => {
    const stored = uploadOptionsSchema.safeParse(values.get(nameOf(connectionId)));
    return stored.success
      ? { ...stored.data, onConflict: 'ask', takesLinksOut: false }
      : defaultUploadOptions;
  };
  return {
    get,
    set: (connectionId, options) => {
      values.set(nameOf(connectionId), options);
      return get(connectionId);
    },
  };
}
