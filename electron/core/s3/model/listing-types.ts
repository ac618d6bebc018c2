import type { ObjectEntry } from '../../../../shared/models/objects.ts';

/**
 * A summary of a listing's pages so far, to detect a listing that repeats itself. It stays small because the page token carries
 * it: one earlier page, replaced whenever the page count has doubled (Brent's cycle detection). So it finds a cycle of any
 * length, even if every token is new and entries are unordered.
 */
export interface Trail {
  /** Digest of an earlier page that had entries; '' before the first. */
  readonly digest: string;
  /** How many pages there were with that one. */
  readonly digestAt: number;
  /** Pages so far. */
  readonly count: number;
  /** Pages without an entry, one after the other: services leave out what they have read, but not for ever. */
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
  /** One of several documents of its kind (inventory configurations). */
  readonly id?: string;
  /** The position of the next page, for configurations with several documents. */
  readonly continuationToken?: string;
}

/** A configuration of a bucket as the service sends it: XML, or JSON for a policy. */
export interface BucketDocument {
  readonly text: string;
  /**
   * The smallest objects that lifecycle rules move: AWS says it in a header, and resets it when a change does not send it back.
   * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
   */
  readonly transitionMinimum: string | null;
}

/** An object of a listing. `etag` is as the service sent it, quotes included; `lastModified` is ISO 8601. */
export type ListedObject = Readonly<ObjectEntry> & {
  /** The name, else the id, where the service says who it is. */
  readonly owner?: string;
};

export interface ListObjectsInput {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly startAfter?: string;
  readonly maxKeys?: number;
  /** `nextPageToken` of the page before; hides whether the service speaks V2 or V1. */
  readonly pageToken?: string;
  /** V1 always does, where the service knows. */
  readonly namesOwners?: boolean;
  /** Returns unreadable entries separately; otherwise one of them fails the page. */
  readonly setsAside?: boolean;
}

export interface ListKeysInput {
  readonly bucket: string;
  readonly prefix: string;
  /** Lists only keys after this one; null lists from the first. */
  readonly after: string | null;
  /** Folds all keys below a folder into one common prefix. */
  readonly delimiter?: '/';
  readonly namesOwners?: boolean;
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
