import type { VersionRef } from '../../../shared/models/versions.ts';

/** The functions of other features that this feature uses. `renderer/app` passes them in. */
export interface VersionServices {
  readonly preview: (ref: VersionRef) => void;
  readonly download: (ref: VersionRef) => void;
  readonly openFolder: (prefix: string) => void;
}
