/** Dialogs about the selection, which other features provide through the application. */
export interface AboutActions {
  readonly properties: () => void;
  /** For one object. */
  readonly versions: () => void;
  readonly link: () => void;
  /** For the manifest.json of a report. */
  readonly inventory: () => void;
  /** A file that names every chosen key, for jobs of S3 Batch Operations and the like. */
  readonly manifest: () => void;
}
