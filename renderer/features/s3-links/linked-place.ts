/** The place that a link opens once the user has agreed. */
export interface LinkedPlace {
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefix: string;
}
