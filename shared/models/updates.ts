import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** Why this copy of the program never looks for updates itself. */
export const updatesOffReasons = [
  'browser',
  'development',
  /** deb, rpm: who installed it keeps it up to date. */
  'package-manager',
  /** A folder or archive that was unpacked by hand. */
  'unpacked',
  'portable',
  /** macOS lets only a signed program replace itself. */
  'unsigned',
  /** Built without an address to ask. */
  'no-feed',
] as const;

const offered = {
  version: z.string(),
  /** Plain text, whatever the feed had. */
  notes: z.string().nullable(),
};

export const updateStatusSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), reason: z.enum(updatesOffReasons) }),
  z.object({ kind: z.literal('idle'), checkedAt: z.string().nullable() }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('available'), ...offered, sizeBytes: z.number().nullable() }),
  z.object({
    kind: z.literal('downloading'),
    ...offered,
    bytesDone: z.number(),
    bytesTotal: z.number().nullable(),
  }),
  /** Checked and kept; nothing is installed before the person says so. */
  z.object({ kind: z.literal('ready'), ...offered }),
  z.object({ kind: z.literal('installing'), ...offered }),
  /** Nothing was changed. `version`: what was being fetched or installed. */
  z.object({
    kind: z.literal('failed'),
    step: z.enum(['check', 'download', 'install']),
    version: z.string().nullable(),
    error: appErrorSchema,
  }),
]);

export const updateChannels = ['stable', 'beta'] as const;

export type UpdateStatus = Readonly<z.infer<typeof updateStatusSchema>>;
export type UpdatesOffReason = (typeof updatesOffReasons)[number];
export type UpdateChannel = (typeof updateChannels)[number];
