import { z } from 'zod';
import { languageSettings } from '../language.ts';
import { updateChannels } from './updates.ts';

export const hostInfoSchema = z.object({
  host: z.enum(['desktop', 'browser']),
  platform: z.enum(['linux', 'darwin', 'win32']),
  version: z.string(),
  /** How secrets are stored on this computer, for display in the window. */
  secretProtection: z.enum(['system', 'file', 'plain-text', 'memory']),
  hasNativeDialogs: z.boolean(),
  /** The system's accent colour as `#rrggbb`, or null if unknown to the host. */
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .nullable(),
  dataDir: z.string(),
});

export const bookmarkSchema = z.object({
  id: z.string(),
  name: z.string(),
  connectionId: z.string(),
  bucket: z.string(),
  prefix: z.string(),
});

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;
/** S3 accepts at most 5 GiB in one request, and parts from 5 MiB. */
const partSizeSchema = z
  .int()
  .min(5 * mebibyte)
  .max(5 * gibibyte);

export const settingsSchema = z.object({
  theme: z.enum(['auto', 'light', 'dark']),
  /** Uses the system's accent colour in the window, if known. */
  systemAccent: z.boolean(),
  language: z.enum(languageSettings),
  foldersFirst: z.boolean(),
  previewLimitBytes: z.int().min(0),
  /** The maximum size of an image that is fetched for its thumbnail. 0 turns thumbnails off. */
  thumbnailImageBytes: z.int().min(0).max(gibibyte),
  /** The maximum disk space for thumbnails. With 0, none are stored. */
  thumbnailCacheBytes: z
    .int()
    .min(0)
    .max(64 * gibibyte),
  /** The size from which files are sent in parts. */
  multipartFromBytes: partSizeSchema,
  /** The part size, within S3's bounds. Larger if a file would otherwise need more than 10,000 parts. */
  partSizeBytes: partSizeSchema,
  /** The maximum disk space for all bucket catalogues together. With 0, none are stored. */
  catalogueLimitBytes: z.int().min(0),
  /** Downloads whose estimated cost exceeds this, in the currency of the price list, ask for confirmation. */
  downloadCostLimit: z.number().min(0),
  /** Shows system notifications about finished work while no window has focus. */
  notifications: z.boolean(),
  /** Asks before quitting while jobs are running. */
  confirmQuit: z.boolean(),
  /** Asks before opening a link from outside the program, even if the link is unambiguous. */
  confirmLinks: z.boolean(),
  /** Desktop only; off by default. */
  openAtLogin: z.boolean(),
  /** Desktop only: keeps the program running for its transfers after the last window has closed. */
  runInBackground: z.boolean(),
  logLevel: z.enum(['error', 'warn', 'info', 'debug']),
  updateChecks: z.boolean(),
  updateChannel: z.enum(updateChannels),
});

const storedCountsSchema = z.object({ connections: z.int(), jobs: z.int() });

/** An event that the core sends to all open windows. */
export const appEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connections-changed') }),
  z.object({ kind: z.literal('buckets-changed'), connectionId: z.string() }),
  z.object({ kind: z.literal('bookmarks-changed') }),
  z.object({ kind: z.literal('settings-changed') }),
  z.object({ kind: z.literal('prices-changed') }),
  z.object({ kind: z.literal('accent-changed') }),
  /** A link was opened from outside. The first window that calls `s3Links.take` gets the link. */
  z.object({ kind: z.literal('link-waiting') }),
  z.object({ kind: z.literal('updates-changed') }),
  z.object({ kind: z.literal('edits-changed') }),
  /** An unexpected error occurred in the core, with details in the log. This event is sent once per run. */
  z.object({ kind: z.literal('trouble') }),
  /** The database lacks data that an earlier run stored, so all transfers are paused. `backup` is the newest backup, or null. */
  z.object({
    kind: z.literal('older-data'),
    found: storedCountsSchema,
    expected: storedCountsSchema,
    backup: z.string().nullable(),
  }),
  /** A backup replaced the database, which was kept as `keptAs`. If the restore failed, `error` has the reason. */
  z.object({
    kind: z.literal('restored'),
    backup: z.string(),
    keptAs: z.string().nullable(),
    error: z.string().nullable(),
  }),
  /** Stored data could not be read and was set aside, not deleted. `where` names the file or the record. */
  z.object({
    kind: z.literal('set-aside'),
    data: z.enum(['database', 'record', 'file', 'edit']),
    where: z.string(),
  }),
]);

/** One line in the request log. The details of a line show the fields in this order. */
export const requestLogEntrySchema = z.object({
  id: z.int(),
  operation: z.string(),
  method: z.string(),
  /** The raw path and query, with signatures and tokens replaced. */
  path: z.string(),
  host: z.string(),
  /** Null without a response. */
  status: z.int().nullable(),
  error: z.string().nullable(),
  requestId: z.string().nullable(),
  /** ISO 8601. */
  startedAt: z.string(),
  durationMs: z.number(),
  /** The number of the attempt, from 1. */
  tryNumber: z.int(),
  requestBytes: z.number(),
  responseBytes: z.number(),
});

export type HostInfo = Readonly<z.infer<typeof hostInfoSchema>>;
export type Bookmark = Readonly<z.infer<typeof bookmarkSchema>>;
export type Settings = Readonly<z.infer<typeof settingsSchema>>;
export type AppEvent = Readonly<z.infer<typeof appEventSchema>>;
export type RequestLogEntry = Readonly<z.infer<typeof requestLogEntrySchema>>;
