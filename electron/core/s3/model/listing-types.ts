import type { ObjectEntry } from '../../../../shared/models/objects.ts';

/**
 * A summary of a listing's pages so far, to detect a listing that repeats itself. It stays small because the page token carries
 * it: one earlier page, replaced whenever the page count has doubled (Brent's cycle detection). So it finds a cycle of any
 * length, even if every token is new and entries are unordered.
 */
export interface Trail {
  /** Digest of an earlier page that had entries; '' before the first. */
  readonly digest: string;
  /** Page count at that page. */
  readonly digestAt: number;
  /** Number of pages so far. */
  readonly count: number;
  /** Consecutive pages without an entry. Services may send some after deletions, but not endlessly. */
  readonly idle: number;
}

/** An entry that cannot be read: its raw text and the sentence that says why. */
export interface UnreadableEntry {
  readonly text: string;
  readonly why: string;
}

export interface Owner {
  readonly id: string | null;
  readonly displayName: string | null;
}

export interface Bucket {
  readonly name: string;
  /** ISO 8601; null if the service does not send it. */
  readonly createdAt: string | null;
  readonly region: string | null;
}

/** Identifies a configuration document of a bucket. */
export interface BucketDocumentRef {
  readonly bucket: string;
  /** The query parameter of the document, such as `cors`. */
  readonly query: string;
  /** The operation without its verb, such as BucketCors; for the request log. */
  readonly operation: string;
  /** Identifies one of several documents of a kind (inventory configurations). */
  readonly id?: string;
  /** The position of the next page, for configurations with several documents. */
  readonly continuationToken?: string;
}

/** A configuration of a bucket as the service sends it: XML, or JSON for a policy. */
export interface BucketDocument {
  readonly text: string;
  /**
   * Minimum object size for lifecycle transitions. AWS sends it in a header, and resets it if a change does not send it back.
   * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
   */
  readonly transitionMinimum: string | null;
}

/** A listed object. `etag` is unchanged, including quotes; `lastModified` is ISO 8601. */
export type ListedObject = Readonly<ObjectEntry> & {
  /** The owner's name, else the id, if the service sends one. */
  readonly owner?: string;
};

export interface ListObjectsInput {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly startAfter?: string;
  readonly maxKeys?: number;
  /** `nextPageToken` of the previous page. Hides whether the service uses V2 or V1. */
  readonly pageToken?: string;
  /** Requests owners. V1 always returns them, if the service supports owners. */
  readonly namesOwners?: boolean;
  /** Returns unreadable entries separately; otherwise one of them fails the page. */
  readonly setsAside?: boolean;
}

export interface ListKeysInput {
  readonly bucket: string;
  readonly prefix: string;
  /** Lists only keys after this one; null lists from the first. */
  readonly after: string | null;
  /** Groups all keys below a folder into one common prefix. */
  readonly delimiter?: '/';
  readonly namesOwners?: boolean;
}

export interface ListObjectsPage {
  readonly objects: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  /** null on the last page. */
  readonly nextPageToken: string | null;
  readonly keyCount: number;
  readonly requestId: string | null;
  /** Filled only with `setsAside`. */
  readonly unreadable: readonly UnreadableEntry[];
  /** Listed names outside the prefix; excluded from all lists. */
  readonly foreign: readonly string[];
}
