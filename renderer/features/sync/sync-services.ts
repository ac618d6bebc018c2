import type { FileEntry } from '../../../shared/models/files.ts';

/** Functions of other features, passed in by the application. */
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
