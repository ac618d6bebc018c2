import type { BucketSection } from '../../../shared/models/bucket-settings.ts';
import type { BucketDocumentRef } from '../s3/model/listing-types.ts';

/** How the S3 API names a configuration: its query, the outer element of its document, and its operations. */
interface SectionRequest {
  readonly query: string;
  /** The root element; null for a JSON document. */
  readonly root: string | null;
  /** For a section of several documents, each with an id, shown and changed as one list: the element of one document. */
  readonly item?: string;
  /** GetBucketCors, PutBucketCors, DeleteBucketCors: for the request log. */
  readonly operation: string;
}

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
export const sectionRequests = {
  versioning: { query: 'versioning', root: 'VersioningConfiguration', operation: 'BucketVersioning' },
  lifecycle: { query: 'lifecycle', root: 'LifecycleConfiguration', operation: 'BucketLifecycle' },
  cors: { query: 'cors', root: 'CORSConfiguration', operation: 'BucketCors' },
  policy: { query: 'policy', root: null, operation: 'BucketPolicy' },
  tags: { query: 'tagging', root: 'Tagging', operation: 'BucketTagging' },
  'public-access': {
    query: 'publicAccessBlock',
    root: 'PublicAccessBlockConfiguration',
    operation: 'PublicAccessBlock',
  },
  access: { query: 'acl', root: 'AccessControlPolicy', operation: 'BucketAcl' },
  ownership: { query: 'ownershipControls', root: 'OwnershipControls', operation: 'BucketOwnershipControls' },
  encryption: {
    query: 'encryption',
    root: 'ServerSideEncryptionConfiguration',
    operation: 'BucketEncryption',
  },
  payment: {
    query: 'requestPayment',
    root: 'RequestPaymentConfiguration',
    operation: 'BucketRequestPayment',
  },
  'object-lock': {
    query: 'object-lock',
    root: 'ObjectLockConfiguration',
    operation: 'ObjectLockConfiguration',
  },
  website: { query: 'website', root: 'WebsiteConfiguration', operation: 'BucketWebsite' },
  logging: { query: 'logging', root: 'BucketLoggingStatus', operation: 'BucketLogging' },
  replication: { query: 'replication', root: 'ReplicationConfiguration', operation: 'BucketReplication' },
  notifications: {
    query: 'notification',
    root: 'NotificationConfiguration',
    operation: 'BucketNotificationConfiguration',
  },
  'intelligent-tiering': {
    query: 'intelligent-tiering',
    root: 'ListBucketIntelligentTieringConfigurationsOutput',
    item: 'IntelligentTieringConfiguration',
    operation: 'BucketIntelligentTieringConfiguration',
  },
  inventory: {
    query: 'inventory',
    root: 'ListInventoryConfigurationsResult',
    item: 'InventoryConfiguration',
    operation: 'BucketInventoryConfiguration',
  },
} as const satisfies Readonly<Record<BucketSection, SectionRequest>>;

/** The sections with several documents. */
export type ListedSection = {
  [Section in BucketSection]: (typeof sectionRequests)[Section] extends { readonly item: string }
    ? Section
    : never;
}[BucketSection];

export function isListed(section: BucketSection): section is ListedSection {
  return 'item' in sectionRequests[section];
}

export function documentRef(bucket: string, section: BucketSection): BucketDocumentRef {
  const { query, operation } = sectionRequests[section];
  return { bucket, query, operation };
}

/** Returns true for codes that mean "no configuration": NoSuchCORSConfiguration, OwnershipControlsNotFoundError … */
export function saysAbsent(code: string | null): boolean {
  return (
    code !== null &&
    (/^NoSuch(?:.*Configuration|BucketPolicy|TagSet(?:Error)?)$/.test(code) || code.endsWith('NotFoundError'))
  );
}

const unsupportedCodes = new Set([
  'NotImplemented',
  'MethodNotAllowed',
  'UnsupportedOperation',
  'NotSupported',
  'OperationNotSupported',
  'FeatureNotSupported',
]);

/** Returns true if an error means that the service lacks the feature, in any of the forms that services use. */
export function saysUnsupported(code: string | null, message: string | null): boolean {
  if (code !== null && unsupportedCodes.has(code)) return true;
  const isVague = code === 'InvalidArgument' || code === 'InvalidRequest' || code === 'InvalidURI';
  return isVague && /not (?:supported|implemented)|unsupported|unimplemented/i.test(message ?? '');
}
