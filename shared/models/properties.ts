import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { objectRefSchema, placeSchema } from './objects.ts';

const tagSchema = z.object({ key: z.string(), value: z.string() });

/**
 * The state of an object that may be archived. An archived object must be restored before its bytes can be read. Source:
 * x-amz-restore, https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html.
 */
const archiveSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('readable') }),
  z.object({ state: z.literal('archived') }),
  z.object({ state: z.literal('being-restored') }),
  z.object({ state: z.literal('restored'), until: z.string().nullable() }),
]);

/** An object's changeable properties, and related facts. */
export const objectPropertiesSchema = z.object({
  contentType: z.string().nullable(),
  cacheControl: z.string().nullable(),
  contentDisposition: z.string().nullable(),
  contentEncoding: z.string().nullable(),
  contentLanguage: z.string().nullable(),
  /** The time as ISO 8601, or null if the header is missing or invalid. */
  expires: z.string().nullable(),
  /** The storage class as reported by the service, or STANDARD if it reports none. */
  storageClass: z.string(),
  metadata: z.record(z.string(), z.string()),
  /** Names of metadata values in an unknown text encoding. They are preserved, but cannot be edited. */
  unreadableMetadata: z.array(z.string()),
  /** The number of metadata values that the service stores but cannot send. An object with any cannot be changed. */
  missingMetadata: z.int(),
  encryption: z.string().nullable(),
  archive: archiveSchema,
  /** The tags, or null if they could not be read for the reason in `tagsError`. */
  tags: z.array(tagSchema).nullable(),
  tagsError: z.nullable(appErrorSchema),
});

/** Storage classes to suggest. `areKnown` is true if these are the service's classes, false if it may have others or fewer. */
export const offeredClassesSchema = z.object({ offered: z.array(z.string()), areKnown: z.boolean() });

export const readPropertiesSchema = z.object({
  key: z.string(),
  properties: objectPropertiesSchema.nullable(),
  /** The reason why the properties could not be read, or null. */
  error: z.nullable(appErrorSchema),
});

/** The maximum number of objects per read. More would take too long for a dialog, which then mentions the rest. */
export const maxReadAtOnce = 100;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl */
export const cannedAcls = [
  'private',
  'public-read',
  'public-read-write',
  'authenticated-read',
  'bucket-owner-read',
  'bucket-owner-full-control',
] as const;

export const granteeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('owner') }),
  z.object({ kind: z.literal('everybody') }),
  z.object({ kind: z.literal('any-account') }),
  z.object({ kind: z.literal('other'), name: z.string() }),
]);

export const aclSchema = z.object({
  owner: z.string().nullable(),
  grants: z.array(z.object({ grantee: granteeSchema, permission: z.string() })),
  /** The canned ACL equivalent to these grants, or null. */
  canned: z.enum(cannedAcls).nullable(),
});

export const retentionModes = ['GOVERNANCE', 'COMPLIANCE'] as const;
const retentionSchema = z.object({ mode: z.enum(retentionModes), until: z.iso.datetime() });

export const lockSchema = z.object({
  /** True if the bucket has object lock. Without it, none of these properties can be changed. */
  bucketHasLock: z.boolean(),
  retention: retentionSchema.nullable(),
  legalHold: z.boolean(),
});

export const restoreTiers = ['Standard', 'Bulk', 'Expedited'] as const;

export const restoreInputSchema = placeSchema.extend({
  keys: z.array(z.string().min(1)).min(1).max(1000),
  days: z.int().min(1).max(30_000),
  tier: z.enum(restoreTiers),
});

export const restoreResultSchema = z.object({
  key: z.string(),
  outcome: z.enum(['started', 'prolonged', 'in-progress', 'not-archived', 'failed']),
  error: z.nullable(appErrorSchema),
});

export const setRetentionSchema = objectRefSchema.extend({
  retention: retentionSchema.nullable(),
  /** Shortening or ending a GOVERNANCE retention needs a separate permission and the user's confirmation. */
  bypassGovernance: z.boolean(),
});

export type Archive = Readonly<z.infer<typeof archiveSchema>>;
export type ObjectProperties = Readonly<z.infer<typeof objectPropertiesSchema>>;
export type ReadProperties = Readonly<z.infer<typeof readPropertiesSchema>>;
export type OfferedClasses = Readonly<z.infer<typeof offeredClassesSchema>>;
export type CannedAcl = (typeof cannedAcls)[number];
export type Grantee = Readonly<z.infer<typeof granteeSchema>>;
export type Acl = Readonly<z.infer<typeof aclSchema>>;
export type Retention = Readonly<z.infer<typeof retentionSchema>>;
export type Lock = Readonly<z.infer<typeof lockSchema>>;
export type RestoreTier = (typeof restoreTiers)[number];
export type RestoreInput = Readonly<z.infer<typeof restoreInputSchema>>;
export type RestoreResult = Readonly<z.infer<typeof restoreResultSchema>>;
export type SetRetention = Readonly<z.infer<typeof setRetentionSchema>>;
