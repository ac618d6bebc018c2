/** A row of a folder. Identified by kind and full key, since `a` and `a/` may both exist. */
export interface FolderRow {
  readonly kind: 'folder' | 'object';
  /** The object key, or the common prefix with its trailing `/`. */
  readonly key: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970; NaN if the service does not report it. */
  readonly modifiedMs: number;
  readonly storageClass: string | null;
  readonly etag: string | null;
  /** The core's handle of a local file or folder; absent for objects. */
  readonly handle?: string;
}
