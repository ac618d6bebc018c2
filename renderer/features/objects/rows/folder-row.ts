/** A line of a folder. Its identity is its kind and its whole key: `a` and `a/` may both exist. */
export interface FolderRow {
  readonly kind: 'folder' | 'object';
  /** The key, or the common prefix with its last `/`. */
  readonly key: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970; NaN if the service does not report it. */
  readonly modifiedMs: number;
  readonly storageClass: string | null;
  readonly etag: string | null;
  /** The core's handle of a file or folder of this computer. */
  readonly handle?: string;
}
