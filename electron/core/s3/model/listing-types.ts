import type { ObjectEntry } from '../../../../shared/models/objects.ts';

/**
 * A short summary of the pages listed so far, contained in the page token, to detect a listing that repeats itself. It identifies
 * one earlier page, which is replaced whenever the number of pages has doubled (Brent's cycle detection). So it detects cycles of
 * any length.
 */
export interface Trail {
  /** A hash of the earlier page, which had entries; '' before the first such page. */
  readonly digest: string;
  /** The number of that page, counted from the first. */
  readonly digestAt: number;
  /** The number of pages so far. */
  readonly count: number;
  /** The number of consecutive pages without an entry. Services may send some after deletions. */
  readonly idle: number;
}

/** An entry that cannot be parsed, with its raw text and a sentence that gives the reason. */
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
  /** The creation time, ISO 8601; null if the service does not send it. */
  readonly createdAt: string | null;
  readonly region: string | null;
}

/** Identifies a configuration document of a bucket. */
export interface BucketDocumentRef {
  readonly bucket: string;
  /** The query parameter that selects the document, such as `cors`. */
  readonly query: string;
  /** The name of the operation without its verb, such as BucketCors, for the request log. */
  readonly operation: string;
  /** The id of a document, for configurations that a bucket can have several of, such as inventory. */
  readonly id?: string;
  /** The position of the next page, for configurations with several documents. */
  readonly continuationToken?: string;
}

/** A configuration document of a bucket as the service sends it: XML, or JSON for a policy. */
export interface BucketDocument {
  readonly text: string;
  /**
   * The minimum size of objects for lifecycle transitions. AWS sends it in a header and resets it unless a change sends it back.
   * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
   */
  readonly transitionMinimum: string | null;
}

/** A listed object. `etag` is as the service sent it, with quotes. `lastModified` is in ISO 8601. */
export type ListedObject = Readonly<ObjectEntry> & {
  /** The owner's name, otherwise the owner's id; absent if the service sends none. */
  readonly owner?: string;
};

export interface ListObjectsInput {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly startAfter?: string;
  readonly maxKeys?: number;
  /** The `nextPageToken` of the previous page; absent for the first page. */
  readonly pageToken?: string;
  /** True to request the owners of objects. With V1, services always send them if they know them. */
  readonly namesOwners?: boolean;
  /** True to return unreadable entries separately. Otherwise an unreadable entry makes the whole page fail. */
  readonly setsAside?: boolean;
}

export interface ListKeysInput {
  readonly bucket: string;
  readonly prefix: string;
  /** The key after which the page starts; null for the first page. */
  readonly after: string | null;
  /** With a delimiter, all keys below a folder are one common prefix. */
  readonly delimiter?: '/';
  readonly namesOwners?: boolean;
}

export interface ListObjectsPage {
  readonly objects: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  /** The token of the next page; null on the last page. */
  readonly nextPageToken: string | null;
  /** Unreadable entries; always empty without `setsAside`. */
  readonly unreadable: readonly UnreadableEntry[];
  /** Listed names outside the prefix. The other lists do not contain them. */
  readonly foreign: readonly string[];
}
