import type { Readable } from 'node:stream';
import type { AppError } from '../../../../shared/errors.ts';
import type { BodySource } from '../../ports.ts';
import type { PartChecksums } from '../../disk/checksums.ts';

/** A key of the user's own, by which the service encrypts (SSE-C). Lives in the core only. */
export interface CustomerKey {
  /** 32 bytes in Base64. */
  readonly key: string;
  /** Of the bytes, in Base64: how everybody names a key without telling it. */
  readonly md5: string;
}

/** The kept keys that were used in a bucket or added for it; asked for when one is needed. */
export type CustomerKeySource = (bucket: string) => Promise<readonly CustomerKey[]>;

/** A kept key by its digest, which belongs to the bucket from now on; null where it is not kept. */
export type NamedCustomerKey = (md5: string, bucket: string) => Promise<CustomerKey | null>;

/**
 * What a listing's pages have in common so far, to know one that goes round in a circle. It is small, since it travels in
 * the page token: one earlier page, replaced by a later one whenever the count has doubled (R. P. Brent's way to find a
 * cycle), so that a round of any length is noticed though tokens are ever new and entries come in an order of the service's own.
 */
export interface Trail {
  /** Of an earlier page that had entries; '' until there was one. */
  readonly digest: string;
  /** How many pages there were with that one. */
  readonly digestAt: number;
  /** Pages so far. */
  readonly count: number;
  /** Pages without an entry, one after the other: services leave out what they have read, but not for ever. */
  readonly idle: number;
}

/** An entry that cannot be read: what came of it, and the sentence that says why. */
export interface UnreadableEntry {
  readonly text: string;
  readonly why: string;
}

/** Where and how to speak to one service. Built from a connection by core/profiles. */
export interface EndpointConfig {
  /** An http(s) origin without a path, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  /** The region to sign for; null when it has to be found out. */
  readonly region: string | null;
  readonly addressing: 'path' | 'virtual-host' | 'auto';
  /** null: anonymous, nothing is signed. Asked for before each try, so that temporary keys can be refreshed. */
  readonly credentials: CredentialSource | null;
  /** PEM text of certificate authorities trusted beside the system's. */
  readonly caPem: string | null;
  /** An explicit proxy; null for the system's settings (environment), 'none' for a direct connection. */
  readonly proxyUrl: string | null;
  /** The preset the connection was made from ('aws', 'r2', …): one of shared/providers. */
  readonly provider: string;
  /** Every request says that its sender pays for it. */
  readonly requesterPays?: boolean;
  /** The keys of objects that the service encrypts with keys of the user's own. */
  readonly customerKeys?: CustomerKeySource;
  /** Absent: looked for among the keys of the bucket. */
  readonly customerKeyNamed?: NamedCustomerKey;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs?: number;
}

/** `refresh`: true after the service said that the keys have expired. Throws AppFailure auth-expired when there are no newer ones. */
export type CredentialSource = (options: { readonly refresh: boolean }) => Promise<Credentials>;

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** At most this many tries; 1 means no retry. The default is the client's. */
  readonly maxTries?: number;
  /** The longest wait that the service may ask for (Retry-After) and that is taken unseen; the default is three seconds. */
  readonly patienceMs?: number;
}

export interface Owner {
  readonly id: string | null;
  readonly displayName: string | null;
}

export interface Bucket {
  readonly name: string;
  /** ISO 8601; null where the service does not say. */
  readonly createdAt: string | null;
  readonly region: string | null;
}

/** One of the documents that configure a bucket. */
export interface BucketDocumentRef {
  readonly bucket: string;
  /** The query that names it, such as `cors`. */
  readonly query: string;
  /** The operation without its verb, such as BucketCors: for the request log. */
  readonly operation: string;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** ISO 8601. */
  readonly lastModified: string | null;
  /** As the service sent it, quotes included. */
  readonly etag: string | null;
  readonly storageClass: string | null;
}

export interface ListObjectsInput {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly startAfter?: string;
  readonly maxKeys?: number;
  /** `nextPageToken` of the page before; hides whether the service speaks V2 or V1. */
  readonly pageToken?: string;
  /** Entries that cannot be read are told beside the others; otherwise one of them fails the page. */
  readonly setsAside?: boolean;
}

/** Takes the body of an answer in, piece by piece, and reads it elsewhere. Made anew for each try. */
export interface BodyReader<T> {
  /** Copies it: the chunk's own memory is given back. */
  write(chunk: Uint8Array): void;
  /** The whole came. Null: it is no such document. */
  end(): Promise<T | null>;
  /** All that was written. */
  bytes(): Uint8Array;
  /** In any case, at last. */
  release(): void;
}

export interface ListKeysInput {
  readonly bucket: string;
  readonly prefix: string;
  /** Only keys behind this one; null: from the first. */
  readonly after: string | null;
}

export interface ListObjectsPage {
  readonly objects: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  /** null: this was the last page. */
  readonly nextPageToken: string | null;
  readonly keyCount: number;
  readonly requestId: string | null;
  /** With `setsAside`. */
  readonly unreadable: readonly UnreadableEntry[];
  /** Names that do not begin with the prefix: they are in no list. */
  readonly foreign: readonly string[];
}

export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
}

export interface ObjectHead {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly contentType: string | null;
  readonly storageClass: string | null;
  readonly versionId: string | null;
  /** User metadata without the x-amz-meta- prefix. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Every header of the answer, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ByteRange {
  readonly firstByte: number;
  /** Inclusive. */
  readonly lastByte: number;
}

export interface GetObjectInput extends ObjectRef {
  readonly range?: ByteRange;
  readonly ifMatch?: string;
  /** Of the whole, as it was listed: so many bytes have to come where the answer does not say how many. */
  readonly sizeBytes?: number;
  /** Asks for the checksum of the whole, where the service has one. */
  readonly checksums?: boolean;
}

export interface GetObjectOptions extends RequestOptions {
  /** The connection broke; reading goes on at this byte of what was asked for. */
  readonly onBroken?: (error: AppError, reachedBytes: number) => void;
}

/**
 * Where the connection breaks in the middle, reading goes on at the byte reached, of the same object or not at all. Only
 * tries that bring nothing count.
 */
export interface GetObjectOutput extends Omit<ObjectHead, 'sizeBytes'> {
  /** Of the whole object; null: the answer does not say. */
  readonly sizeBytes: number | null;
  /** Ends with an error when fewer bytes came than were promised. Must be read to its end or destroyed. */
  readonly body: Readable;
  /** Instead of `body`, and for much less: gives each chunk to the taker as it comes, and waits for what that returns. */
  readonly read: (take: (chunk: Uint8Array) => void | Promise<void>) => Promise<void>;
  /** The Content-Range of a 206; null for a whole object. */
  readonly contentRange: string | null;
}

export interface ObjectAttributes {
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly storageClass?: string;
  /** The customer key to encrypt with, by its MD5 in Base64. */
  readonly customerKeyMd5?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Further request headers (encryption, ACL, tagging), names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PutObjectInput extends ObjectRef, ObjectAttributes {
  readonly body: BodySource;
  /** Base64. */
  readonly contentMd5?: string;
  readonly ifMatch?: string;
  /** Only create: fails with `conflict` where the key exists. */
  readonly ifNoneMatch?: '*';
}

export interface PutObjectOutput {
  readonly etag: string | null;
  readonly versionId: string | null;
}

export interface DeletedKey {
  readonly key: string;
  readonly versionId: string | null;
  /** null: deleted. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface MultipartUpload {
  readonly key: string;
  readonly uploadId: string;
  /** ISO 8601. */
  readonly initiatedAt: string | null;
  readonly initiator: Owner | null;
  readonly owner: Owner | null;
  readonly storageClass: string | null;
  readonly checksumAlgorithm: string | null;
  readonly checksumType: string | null;
}

export interface ListMultipartUploadsInput {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly maxUploads?: number;
  readonly keyMarker?: string;
  readonly uploadIdMarker?: string;
  /** As the page before gave it with its markers. */
  readonly trail?: Trail;
  /** Entries that cannot be read are told beside the others; otherwise one of them fails the page. */
  readonly setsAside?: boolean;
}

export interface ListMultipartUploadsPage {
  readonly uploads: readonly MultipartUpload[];
  readonly commonPrefixes: readonly string[];
  /** Names that were listed though they do not begin with the prefix: left out. */
  readonly foreign: readonly string[];
  /** With `setsAside`. */
  readonly unreadable: readonly UnreadableEntry[];
  /** What asks for the next page; null on the last one. */
  readonly next: {
    readonly keyMarker: string;
    readonly uploadIdMarker: string;
    readonly trail: Trail;
  } | null;
}

export interface UploadRef {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
}

export interface ListedPart {
  readonly partNumber: number;
  readonly sizeBytes: number;
  /** As the service sent it; goes back unchanged into Complete. */
  readonly etag: string;
  readonly lastModified: string | null;
  readonly checksums: PartChecksums;
}

export interface ListPartsPage {
  readonly parts: readonly ListedPart[];
  /** null on the last page. */
  readonly nextPartNumberMarker: string | null;
  readonly storageClass: string | null;
  readonly initiator: Owner | null;
  readonly owner: Owner | null;
  readonly checksumAlgorithm: string | null;
  readonly checksumType: string | null;
}

export interface UploadPartInput extends UploadRef {
  readonly partNumber: number;
  readonly body: BodySource;
  /** Base64. */
  readonly contentMd5?: string;
  readonly checksums?: PartChecksums;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface UploadPartOutput {
  readonly etag: string;
  readonly checksums: PartChecksums;
  /** The part is encrypted with KMS or a customer's key: its ETag is no MD5 of its bytes, whatever it looks like. */
  readonly etagHidesMd5: boolean;
}

export interface CompletedPart {
  readonly partNumber: number;
  readonly etag: string;
  readonly checksums?: PartChecksums;
}

export interface CompleteMultipartUploadInput extends UploadRef {
  readonly parts: readonly CompletedPart[];
  /** Only create, or only replace this object: fails with `conflict` otherwise. Services that do not know it ignore or refuse it. */
  readonly ifNoneMatch?: '*';
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each piece of the answer that comes: services send white space while they assemble. */
  readonly onSignOfLife?: () => void;
}

export interface CompleteMultipartUploadOutput {
  readonly location: string | null;
  readonly bucket: string | null;
  readonly key: string | null;
  /** null or empty on some servers (Ceph). */
  readonly etag: string | null;
  readonly versionId: string | null;
  readonly requestId: string | null;
}

export interface PresignedUrl {
  readonly url: string;
  /** When it truly ends, by the service's clock. */
  readonly expiresAt: string;
  /** What ends it: its own time, or the temporary keys it was signed with; those may not say when. */
  readonly endsWith: 'time' | 'keys' | 'keys-unknown';
}

export interface CopyInput extends ObjectRef {
  readonly source: ObjectRef;
  readonly sourceIfMatch?: string;
  readonly metadataDirective?: 'COPY' | 'REPLACE';
  /** Only create, or only replace this object: fails with `conflict` otherwise. Not every service knows it here. */
  readonly ifNoneMatch?: '*';
  readonly ifMatch?: string;
  readonly attributes?: ObjectAttributes;
}

export interface CopyOutput {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly versionId: string | null;
}

export interface UploadPartCopyInput extends UploadRef {
  readonly partNumber: number;
  readonly source: ObjectRef;
  readonly range?: ByteRange;
  readonly sourceIfMatch?: string;
}

/** One line of the request log; secrets never get here. */
export interface RequestLogEntry {
  readonly id: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly operation: string;
  readonly method: string;
  readonly host: string;
  /** The raw path and query, with signatures and tokens replaced. */
  readonly path: string;
  /** null: no answer came. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly requestId: string | null;
  /** 1 for the first try. */
  readonly tryNumber: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly error: string | null;
}

export type RequestLogSink = (entry: Omit<RequestLogEntry, 'id'>) => void;
