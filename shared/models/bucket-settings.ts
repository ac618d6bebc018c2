import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

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

/** Source: S3 API, OwnershipControlsRule. */
export const ownershipRules = ['BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter'] as const;
/** The format of the keys of access logs, or '' for the service's own format. Source: S3 API, TargetObjectKeyFormat. */
export const logKeyFormats = ['', 'simple', 'event-time', 'delivery-time'] as const;
/** The protocol for a website's redirect, or '' to keep the protocol of the request. */
export const redirectProtocols = ['', 'https', 'http'] as const;

const days = z.int().min(0).max(2_147_483_647);

const lifecycleRuleSchema = z.object({
  id: z.string(),
  enabled: z.boolean(),
  /** '' for the whole bucket. */
  prefix: z.string(),
  expireDays: days.nullable(),
  expireDeleteMarkers: z.boolean(),
  noncurrentDays: days.nullable(),
  abortDays: days.nullable(),
  transitions: z.array(z.object({ days, storageClass: z.string() })),
  /** The rule as stored on the service, or null for a new rule. */
  source: z.string().nullable(),
  /** True if the rule has fields that the form does not know, so that only the text editor can change it. */
  foreign: z.boolean(),
});

export const corsMethods = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'] as const;

const corsRuleSchema = z.object({
  id: z.string(),
  origins: z.array(z.string()),
  methods: z.array(z.string()),
  headers: z.array(z.string()),
  expose: z.array(z.string()),
  maxAgeSeconds: z.int().min(0).nullable(),
  source: z.string().nullable(),
  foreign: z.boolean(),
});

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_InventoryConfiguration.html
export const inventoryFields = [
  'Size',
  'LastModifiedDate',
  'ETag',
  'StorageClass',
  'IsMultipartUploaded',
  'ReplicationStatus',
  'EncryptionStatus',
  'ObjectLockRetainUntilDate',
  'ObjectLockMode',
  'ObjectLockLegalHoldStatus',
  'IntelligentTieringAccessTier',
  'BucketKeyStatus',
  'ChecksumAlgorithm',
  'ObjectAccessControlList',
  'ObjectOwner',
] as const;

/** A scheduled report in which the service lists a bucket (S3 Inventory). */
const inventoryConfigurationSchema = z.object({
  id: z.string(),
  enabled: z.boolean(),
  /** '' for the whole bucket. */
  prefix: z.string(),
  /** A bucket name, or an ARN if the bucket is in another partition of AWS. */
  destinationBucket: z.string(),
  destinationPrefix: z.string(),
  /** The account that owns the destination, or '' if not given. */
  accountId: z.string(),
  format: z.enum(['CSV', 'ORC', 'Parquet']),
  frequency: z.enum(['Daily', 'Weekly']),
  allVersions: z.boolean(),
  fields: z.array(z.string()),
  /** True if the report is encrypted with the service's keys (SSE-S3). */
  encrypted: z.boolean(),
  source: z.string().nullable(),
  foreign: z.boolean(),
});

export const bucketFormSchema = z.discriminatedUnion('section', [
  z.object({
    section: z.literal('versioning'),
    status: z.enum(['off', 'enabled', 'suspended']),
    /** A change needs a code from an MFA device, so Cooper only shows this setting. */
    mfaDelete: z.boolean(),
  }),
  z.object({ section: z.literal('lifecycle'), rules: z.array(lifecycleRuleSchema) }),
  z.object({ section: z.literal('cors'), rules: z.array(corsRuleSchema) }),
  z.object({
    section: z.literal('tags'),
    tags: z.array(z.object({ key: z.string(), value: z.string() })),
  }),
  z.object({
    section: z.literal('public-access'),
    blockPublicAcls: z.boolean(),
    ignorePublicAcls: z.boolean(),
    blockPublicPolicy: z.boolean(),
    restrictPublicBuckets: z.boolean(),
  }),
  z.object({
    section: z.literal('access'),
    owner: z.string(),
    grants: z.array(z.object({ who: z.string(), isPublic: z.boolean(), permission: z.string() })),
  }),
  z.object({
    section: z.literal('ownership'),
    /** '' if none is chosen yet. */
    rule: z.enum(['', ...ownershipRules]),
  }),
  z.object({
    section: z.literal('encryption'),
    algorithm: z.enum(['AES256', 'aws:kms', 'aws:kms:dsse']),
    /** Null for the service's own key. */
    kmsKeyId: z.string().nullable(),
    bucketKey: z.boolean(),
  }),
  z.object({ section: z.literal('payment'), payer: z.enum(['BucketOwner', 'Requester']) }),
  z.object({
    section: z.literal('object-lock'),
    enabled: z.boolean(),
    mode: z.string().nullable(),
    days: z.int().nullable(),
    years: z.int().nullable(),
  }),
  z.object({
    section: z.literal('website'),
    /** `redirect`: all requests go to another host. */
    kind: z.enum(['pages', 'redirect']),
    indexDocument: z.string(),
    /** The key of the page, or '' for the service's own page. */
    errorDocument: z.string(),
    redirectHost: z.string(),
    /** '' for the protocol of the request. */
    redirectProtocol: z.enum(redirectProtocols),
  }),
  z.object({
    section: z.literal('logging'),
    isOn: z.boolean(),
    targetBucket: z.string(),
    /** '' puts the logs at the top of the bucket. */
    targetPrefix: z.string(),
    keyFormat: z.enum(logKeyFormats),
  }),
  z.object({
    section: z.literal('inventory'),
    configurations: z.array(inventoryConfigurationSchema),
  }),
]);

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

export type BucketForm = Readonly<z.infer<typeof bucketFormSchema>>;
export type FormOf<Section extends BucketForm['section']> = Extract<BucketForm, { section: Section }>;
export type LifecycleRule = Readonly<z.infer<typeof lifecycleRuleSchema>>;
export type InventoryConfiguration = Readonly<z.infer<typeof inventoryConfigurationSchema>>;
export type CorsRule = Readonly<z.infer<typeof corsRuleSchema>>;
export type Publicness = z.infer<typeof publicnessSchema>;
export type SettingsDocument = Readonly<z.infer<typeof settingsDocumentSchema>>;
export type SettingsProblem = Readonly<z.infer<typeof settingsProblemSchema>>;
export type SettingsDifference = Readonly<z.infer<typeof settingsDifferenceSchema>>;
export type SettingsOutcome = Readonly<z.infer<typeof settingsOutcomeSchema>>;
export type BucketContents = Readonly<z.infer<typeof bucketContentsSchema>>;
export type NewBucket = Readonly<z.infer<typeof newBucketSchema>>;
