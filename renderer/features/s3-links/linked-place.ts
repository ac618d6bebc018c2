/** The location that a link opens after the user has agreed. */
export interface LinkedPlace {
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefix: string;
}
