import type { VersionRef } from '../../../shared/models/versions.ts';

/** Functions of other features, passed in by the application. */
export interface VersionServices {
  readonly preview: (ref: VersionRef) => void;
  readonly download: (ref: VersionRef) => void;
  readonly createLink: (ref: VersionRef) => void;
  readonly openFolder: (prefix: string) => void;
}
