/** Where a link leads, once the person has agreed. */
export interface LinkedPlace {
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefix: string;
}
