import type { VersionRef } from '../../../shared/models/versions.ts';

/** What this feature needs of others; the application hands it in. */
export interface VersionServices {
  readonly preview: (ref: VersionRef) => void;
  readonly download: (ref: VersionRef) => void;
  readonly createLink: (ref: VersionRef) => void;
  readonly openFolder: (prefix: string) => void;
}
