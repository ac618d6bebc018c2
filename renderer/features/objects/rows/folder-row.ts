/** A row in a folder, identified by kind and full key, since `a` and `a/` may both exist. */
export interface FolderRow {
  readonly kind: 'folder' | 'object';
  /** The object key, or the common prefix with its trailing `/`. */
  readonly key: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, or NaN if the service does not report the time. */
  readonly modifiedMs: number;
  readonly storageClass: string | null;
  readonly etag: string | null;
  /** The core's handle for a local file or folder. Absent for objects. */
  readonly handle?: string;
}
