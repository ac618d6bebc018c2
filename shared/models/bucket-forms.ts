import { z } from 'zod';

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
  z.object({ section: z.literal('tags'), tags: z.array(z.object({ key: z.string(), value: z.string() })) }),
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
  z.object({ section: z.literal('inventory'), configurations: z.array(inventoryConfigurationSchema) }),
]);

export type BucketForm = Readonly<z.infer<typeof bucketFormSchema>>;
export type FormOf<Section extends BucketForm['section']> = Extract<BucketForm, { section: Section }>;
export type LifecycleRule = Readonly<z.infer<typeof lifecycleRuleSchema>>;
export type InventoryConfiguration = Readonly<z.infer<typeof inventoryConfigurationSchema>>;
export type CorsRule = Readonly<z.infer<typeof corsRuleSchema>>;
