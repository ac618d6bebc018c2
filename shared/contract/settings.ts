import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  appEventSchema,
  bookmarkSchema,
  hostInfoSchema,
  requestLogEntrySchema,
  settingsSchema,
} from '../models/settings.ts';
import { fileEntrySchema } from '../models/files.ts';
import { base } from './base.ts';
import { updateStatusSchema } from '../models/updates.ts';
import { waitingLinkSchema } from '../models/links.ts';

export const app = {
  info: base.output(hostInfoSchema),
  /** Yields events as long as the window is open, so that several windows stay in sync. */
  watch: base.output(eventIterator(appEventSchema)),
  /** Restores a backup of the database at the next start. */
  restoreBackup: base.input(z.object({ name: z.string().max(40) })).output(z.void()),
};

export const settings = {
  get: base.output(settingsSchema),
  update: base.input(settingsSchema.partial()).output(settingsSchema),
  /** Returns the folder for downloads that start without a question, or null if every download asks for a folder. */
  downloadFolder: base.output(z.nullable(fileEntrySchema)),
  setDownloadFolder: base
    .input(z.object({ folderHandle: z.string().nullable() }))
    .output(z.nullable(fileEntrySchema)),
};

/** A window's state that survives a reload: tabs, column widths, sort orders. */
export const view = {
  get: base.input(z.object({ name: z.string().max(400) })).output(z.json().nullable()),
  set: base.input(z.object({ name: z.string().max(400), value: z.json() })).output(z.void()),
};

export const bookmarks = {
  list: base.output(z.array(bookmarkSchema)),
  add: base
    .input(
      // An object key has at most 1024 bytes, and a bookmark's name may be an object key.
      z.object({
        name: z.string().max(1024),
        connectionId: z.string().max(100),
        bucket: z.string().max(255),
        prefix: z.string().max(1024),
      }),
    )
    .output(bookmarkSchema),
  rename: base
    .input(z.object({ bookmarkId: z.string().max(100), name: z.string().trim().min(1).max(1024) }))
    .output(z.void()),
  remove: base.input(z.object({ bookmarkId: z.string().max(100) })).output(z.void()),
  reorder: base.input(z.object({ bookmarkIds: z.array(z.string().max(100)).max(10_000) })).output(z.void()),
};

export const requestLog = {
  /** Returns entries, newest first. `beforeId` requests the page of entries older than this one. */
  list: base
    .input(
      z.object({
        beforeId: z.int().nullable(),
        limit: z.int().min(1).max(1000),
        connectionId: z.string().nullable(),
      }),
    )
    .output(z.array(requestLogEntrySchema)),
  /** Yields the newest id each time entries have been added, at most four times a second. */
  watch: base.output(eventIterator(z.object({ newestId: z.int() }))),
  export: base
    .input(z.object({ format: z.enum(['text', 'json']) }))
    .output(z.object({ fileName: z.string(), text: z.string() })),
  clear: base.output(z.void()),
};

/** Updates of the program. Changes are announced by the app event `updates-changed`. */
export const updates = {
  status: base.output(updateStatusSchema),
  /** Checks the feed now. The status reports a failure. */
  check: base.output(z.void()),
  /** Downloads the found update and verifies it against the feed's SHA-512 before keeping it. */
  download: base.output(z.void()),
  cancel: base.output(z.void()),
  /** Quits the program, installs the downloaded update, and starts the program again. */
  install: base.output(z.void()),
};

export const s3Links = {
  /** Returns and removes the next link opened from outside, so that only one window gets it. Returns null without a link. */
  take: base.output(waitingLinkSchema.nullable()),
};
