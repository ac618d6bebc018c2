import type { z } from 'zod';
import {
  settingsSchema,
  type Settings,
  bookmarkSchema,
  type Bookmark,
} from '../../../shared/models/settings.ts';
import { defaultSettings } from '../../../shared/models/default-settings.ts';
import type { Values, Records } from '../store/records.ts';
import type { EventHub } from './events.ts';
import { failure } from '../../../shared/errors.ts';
import type { FileEntry } from '../../../shared/models/files.ts';
import type { Files } from '../files/files.ts';
import {
  defaultUploadOptions,
  uploadOptionsSchema,
  type UploadOptions,
} from '../../../shared/models/transfers.ts';
import type { Random } from '../ports.ts';

type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

export interface SettingsStore {
  get(): Settings;
  update(change: SettingsChange): Settings;
}

const storedSchema = settingsSchema.partial().catch({});

/** Creates the settings. `onChanged` runs after each change, for the parts of the core that follow them. */
export function createSettings(
  values: Values,
  events: EventHub,
  onChanged: () => void = () => undefined,
): SettingsStore {
  // An unreadable value falls back to its default and does not affect the others.
  const get = (): Settings => {
    const stored = values.get('settings');
    if (typeof stored !== 'object' || stored === null) return defaultSettings;
    const entries = Object.entries(stored).flatMap(([name, value]) =>
      Object.entries(storedSchema.parse({ [name]: value as unknown })),
    );
    return settingsSchema.parse({ ...defaultSettings, ...Object.fromEntries(entries) });
  };
  return {
    get,
    update: (change) => {
      const next = settingsSchema.parse({ ...get(), ...withoutUndefined(change) });
      values.set('settings', next);
      events.emit({ kind: 'settings-changed' });
      onChanged();
      return next;
    },
  };
}

function withoutUndefined(change: SettingsChange): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const maxValueBytes = 256 * 1024;

/** JSON, as sent by the window. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface ViewState {
  get(name: string): Json;
  set(name: string, value: Json): void;
}

/** Stores state that the window restores after a reload. The core does not interpret it. */
export function createViewState(values: Values): ViewState {
  return {
    get: (name) => (values.get(name) ?? null) as Json,
    set: (name, value) => {
      if (Buffer.byteLength(JSON.stringify(value)) > maxValueBytes) {
        throw failure(
          'invalid-argument',
          `The state of the view "${name}" is larger than 256 KiB and was not stored.`,
          { reason: 'view-too-large' },
        );
      }
      values.set(name, value);
    },
  };
}

const name = 'download-folder';

/** Stores the folder for downloads that do not ask where to save. Its path stays in the core; the window gets a handle. */
export interface DownloadFolder {
  /** Returns the folder; null if none was chosen or it no longer exists. Each download then asks. */
  get(): Promise<FileEntry | null>;
  set(handle: string | null): Promise<FileEntry | null>;
}

export function createDownloadFolder(
  values: Values,
  files: Pick<Files, 'realPathOf' | 'dropped'>,
): DownloadFolder {
  const get = async (): Promise<FileEntry | null> => {
    const stored = values.get(name);
    if (typeof stored !== 'string') return null;
    // If the folder is on an unplugged disk, each download asks. The setting stays until the disk is back.
    const entry = await files.dropped(stored).catch(() => null);
    return entry?.kind === 'folder' ? entry : null;
  };
  return {
    get,
    set: async (handle) => {
      values.set(name, handle === null ? null : await files.realPathOf(handle));
      return await get();
    },
  };
}

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

export const storedBookmarkSchema = bookmarkSchema.omit({ id: true });
type StoredBookmark = z.infer<typeof storedBookmarkSchema>;

export interface Bookmarks {
  list(): Bookmark[];
  add(bookmark: StoredBookmark): Bookmark;
  rename(id: string, name: string): void;
  remove(id: string): void;
  reorder(ids: readonly string[]): void;
}

export function createBookmarks(
  records: Records<StoredBookmark>,
  deps: { readonly random: Random; readonly events: EventHub },
): Bookmarks {
  const changed = (): void => deps.events.emit({ kind: 'bookmarks-changed' });
  return {
    list: () => records.all().map(({ id, record }) => ({ id, ...record })),
    add: (bookmark) => {
      const id = deps.random.id();
      const record = storedBookmarkSchema.parse(bookmark);
      records.put(id, record);
      changed();
      return { id, ...record };
    },
    rename: (id, name) => {
      const record = records.get(id);
      if (record === null)
        throw failure('not-found', 'This bookmark no longer exists.', { reason: 'no-such-bookmark' });
      records.put(id, { ...record, name });
      changed();
    },
    remove: (id) => {
      if (records.remove(id)) changed();
    },
    reorder: (ids) => {
      records.reorder(ids);
      changed();
    },
  };
}
