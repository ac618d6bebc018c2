import type { FileEntry } from '../../../shared/models/files.ts';

/** What this feature needs of others; the application hands it in. */
export interface SyncServices {
  readonly pick: (kind: FileEntry['kind'], title: string, multiple: boolean) => Promise<readonly FileEntry[]>;
  readonly showJob: (jobId: string) => void;
}

export interface SyncPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' for the whole bucket, else it ends in `/`. */
  readonly prefix: string;
}
