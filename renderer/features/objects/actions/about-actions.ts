/** Dialogs about the selection, which other features provide through the application. */
export interface AboutActions {
  readonly properties: () => void;
  /** Shows the versions of the one selected object. */
  readonly versions: () => void;
  readonly link: () => void;
  /** Opens the S3 Inventory report whose manifest.json is selected. */
  readonly inventory: () => void;
  /** Saves a file that lists every selected key, for example for S3 Batch Operations. */
  readonly manifest: () => void;
}
