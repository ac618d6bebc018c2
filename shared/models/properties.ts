import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { objectRefSchema, placeSchema } from './objects.ts';

export const tagSchema = z.object({ key: z.string(), value: z.string() });

/**
 * Tells whether the bytes can be read now. Source: x-amz-restore,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html.
 */
export const archiveSchema = z.discriminatedUnion('state', [
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
  /** ISO 8601; null where there is none, or none that is a time. */
  expires: z.string().nullable(),
  /** As the service names it; STANDARD where it says nothing. */
  storageClass: z.string(),
  metadata: z.record(z.string(), z.string()),
  encryption: z.string().nullable(),
  archive: archiveSchema,
  /** null: the service does not tell; why is in `tagsError`. */
  tags: z.array(tagSchema).nullable(),
  tagsError: z.nullable(appErrorSchema),
});

/** Storage classes to offer. `areKnown`: those of the service; else others, or fewer, may be there. */
export const offeredClassesSchema = z.object({ offered: z.array(z.string()), areKnown: z.boolean() });

export const readPropertiesSchema = z.object({
  key: z.string(),
  properties: objectPropertiesSchema.nullable(),
  /** Why they could not be read. */
  error: z.nullable(appErrorSchema),
});

/** More would take too long to read for a dialog; what is shown of the rest is said. */
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
  /** The ready-made one that these grants amount to; null for any other. */
  canned: z.enum(cannedAcls).nullable(),
});

export const retentionModes = ['GOVERNANCE', 'COMPLIANCE'] as const;
export const retentionSchema = z.object({ mode: z.enum(retentionModes), until: z.iso.datetime() });

export const lockSchema = z.object({
  /** The bucket was made with object lock; without it nothing here can be changed. */
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

export type Tag = Readonly<z.infer<typeof tagSchema>>;
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
