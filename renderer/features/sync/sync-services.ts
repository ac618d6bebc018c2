import type { FileEntry } from '../../../shared/models/files.ts';

/** The functions that this feature needs from others. `renderer/app` passes them in. */
export interface SyncServices {
  readonly pick: (kind: FileEntry['kind'], title: string, multiple: boolean) => Promise<readonly FileEntry[]>;
  readonly showJob: (jobId: string) => void;
}

export interface SyncPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' for the whole bucket, otherwise it ends in `/`. */
  readonly prefix: string;
}
