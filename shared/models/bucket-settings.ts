import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { bucketFormSchema } from './bucket-forms.ts';

/** The configurations of a bucket, in the order they are shown. */
export const bucketSections = [
  'versioning',
  'lifecycle',
  'cors',
  'policy',
  'tags',
  'public-access',
  'access',
  'ownership',
  'encryption',
  'payment',
  'object-lock',
  'website',
  'logging',
  'replication',
  'notifications',
  'intelligent-tiering',
  'inventory',
] as const;

export const bucketSectionSchema = z.enum(bucketSections);
export type BucketSection = z.infer<typeof bucketSectionSchema>;

interface SectionFacts {
  readonly format: 'xml' | 'json';
  /** True if Cooper shows the configuration but cannot change it. */
  readonly readOnly: boolean;
  /** The API has a request that removes the whole configuration. */
  readonly removable: boolean;
  /** The IAM permissions for reading and changing it. */
  readonly permissions: { readonly read: string; readonly write: string };
}

const facts = (
  read: string,
  write: string,
  more: Partial<Pick<SectionFacts, 'format' | 'readOnly' | 'removable'>> = {},
): SectionFacts => ({
  format: 'xml',
  readOnly: false,
  removable: true,
  ...more,
  permissions: { read: `s3:${read}`, write: `s3:${write}` },
});

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
export const sectionFacts: Readonly<Record<BucketSection, SectionFacts>> = {
  versioning: facts('GetBucketVersioning', 'PutBucketVersioning', { removable: false }),
  lifecycle: facts('GetLifecycleConfiguration', 'PutLifecycleConfiguration'),
  cors: facts('GetBucketCORS', 'PutBucketCORS'),
  policy: facts('GetBucketPolicy', 'PutBucketPolicy', { format: 'json' }),
  tags: facts('GetBucketTagging', 'PutBucketTagging'),
  'public-access': facts('GetBucketPublicAccessBlock', 'PutBucketPublicAccessBlock'),
  access: facts('GetBucketAcl', 'PutBucketAcl', { readOnly: true, removable: false }),
  ownership: facts('GetBucketOwnershipControls', 'PutBucketOwnershipControls'),
  encryption: facts('GetEncryptionConfiguration', 'PutEncryptionConfiguration'),
  payment: facts('GetBucketRequestPayment', 'PutBucketRequestPayment', { removable: false }),
  'object-lock': facts('GetBucketObjectLockConfiguration', 'PutBucketObjectLockConfiguration', {
    readOnly: true,
    removable: false,
  }),
  website: facts('GetBucketWebsite', 'PutBucketWebsite'),
  // Settings that an empty document turns off, since no request removes them.
  logging: facts('GetBucketLogging', 'PutBucketLogging', { removable: false }),
  notifications: facts('GetBucketNotification', 'PutBucketNotification', { removable: false }),
  replication: facts('GetReplicationConfiguration', 'PutReplicationConfiguration'),
  'intelligent-tiering': facts('GetIntelligentTieringConfiguration', 'PutIntelligentTieringConfiguration'),
  inventory: facts('GetInventoryConfiguration', 'PutInventoryConfiguration'),
};

/** The public access that a bucket policy allows. `conditional`: allowed under a condition of the policy. */
const publicnessSchema = z.enum(['public', 'conditional', 'private']);

export const settingsDocumentSchema = z.object({
  section: bucketSectionSchema,
  /** `unsupported` means that the service lacks the setting, and `failed` that it could not be read for the reason in `error`. */
  state: z.enum(['present', 'absent', 'unsupported', 'failed']),
  /** The text of the document for the editor, or '' without a document. */
  text: z.string(),
  /** Identifies the version on the service, or null without one. A save names the version on which it is based. */
  fingerprint: z.string().nullable(),
  /** Null if the form cannot represent the whole document. */
  form: bucketFormSchema.nullable(),
  publicness: publicnessSchema.nullable(),
  error: z.nullable(appErrorSchema),
});

/** The possible problems in a settings text. The window has their messages; `detail` fills in the subject. */
const settingsProblemCodes = [
  'xml',
  'json',
  'wrong-root',
  'unknown-element',
  'missing-element',
  'wrong-value',
  'no-action',
  'no-rules',
  'duplicate-key',
  'unknown-key',
  'missing-key',
  'wrong-type',
  'empty-statement',
  'other-bucket',
  'too-large',
] as const;

export const settingsProblemSchema = z.object({
  line: z.int(),
  column: z.int(),
  code: z.enum(settingsProblemCodes),
  detail: z.string(),
  /** A warning is shown, but does not block the save. */
  severity: z.enum(['error', 'warning']),
});

/** A rule, statement, tag or switch that the service stored differently from what was sent. */
const settingsDifferenceSchema = z.object({
  /** `missing` means that the service dropped the part; `extra` that it was not sent or should have been removed. */
  kind: z.enum(['changed', 'missing', 'extra']),
  /** The name of the part, or '' without a name. In this case `position`, counted from 1, identifies the part. */
  name: z.string(),
  position: z.int(),
  /** True if the user changed this field. */
  touched: z.boolean(),
  wanted: z.string(),
  found: z.string(),
});

/**
 * The result of a save. `changed`: another program changed the settings meanwhile, so nothing was written. `differs`: the service
 * stored something other than what was sent. `unread`: the settings were sent but could not be read back; `document` has the reason.
 */
export const settingsOutcomeSchema = z.object({
  kind: z.enum(['saved', 'changed', 'differs', 'unread']),
  document: settingsDocumentSchema,
  differences: z.array(settingsDifferenceSchema),
  /** The text that restores the configuration before the save, or '' to remove it. Null if it cannot be restored. */
  before: z.string().nullable(),
});

/** The contents of a bucket, judging by one page of each listing. With null or `unknown`, the service did not report a value. */
export const bucketContentsSchema = z.object({
  hasObjects: z.boolean(),
  /**
   * The presence of delete markers and of versions other than the latest. `possible`: the first page has none, but more pages
   * follow.
   */
  olderVersions: z.enum(['none', 'some', 'possible', 'unknown']),
  uploads: z.object({ count: z.int(), more: z.boolean() }).nullable(),
});

export const newBucketSchema = z.object({
  name: z.string().min(1).max(255),
  /** Null for the service's default. */
  region: z.string().max(100).nullable(),
  objectLock: z.boolean(),
});

export type Publicness = z.infer<typeof publicnessSchema>;
export type SettingsDocument = Readonly<z.infer<typeof settingsDocumentSchema>>;
export type SettingsProblem = Readonly<z.infer<typeof settingsProblemSchema>>;
export type SettingsDifference = Readonly<z.infer<typeof settingsDifferenceSchema>>;
export type SettingsOutcome = Readonly<z.infer<typeof settingsOutcomeSchema>>;
export type BucketContents = Readonly<z.infer<typeof bucketContentsSchema>>;
export type NewBucket = Readonly<z.infer<typeof newBucketSchema>>;
