import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** Why this installation never checks for updates itself. */
const updatesOffReasons = [
  'browser',
  'development',
  /** Installed from deb or rpm: the package manager updates it. */
  'package-manager',
  /** A folder or archive that was unpacked by hand. */
  'unpacked',
  'portable',
  /** The program is not signed: macOS lets only a signed program replace itself. */
  'unsigned',
  /** Built without the address of an update feed. */
  'no-feed',
] as const;

const offered = {
  version: z.string(),
  /** Converted to plain text. */
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
  /** The update is verified and stored. It is installed only when the user asks. */
  z.object({ kind: z.literal('ready'), ...offered }),
  z.object({ kind: z.literal('installing'), ...offered }),
  /** The step failed and changed nothing. `version`: the version being downloaded or installed. */
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
