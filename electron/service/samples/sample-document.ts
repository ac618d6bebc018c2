/** An object of the bucket `documents`. */
export interface SampleDocument {
  readonly key: string;
  readonly contentType: string;
  readonly text: string | Buffer;
  readonly storageClass?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}
