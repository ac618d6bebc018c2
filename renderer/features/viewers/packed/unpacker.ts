/** A problem with a compressed file that could at least partly be decompressed. */
export type Remark =
  /** The unpacked bytes are not those that were packed. */
  | 'checksum'
  /** Bytes that belong to nothing follow. */
  | 'trailing'
  /** The file ends in the middle. */
  | 'ends-early'
  /** The decoder failed in the middle. */
  | 'damaged';

export type Out = (bytes: Uint8Array) => void;

/** A decoder that takes compressed bytes as they are read. It throws for what it cannot decode. */
export interface Unpacker {
  /** Gives what it unpacks to `out` before it returns. Other than null: it takes no more. */
  readonly push: (bytes: Uint8Array) => Remark | null;
  /** Nothing follows. */
  readonly end: () => Remark | null;
}
