import type { KeyObject } from 'node:crypto';
import type { Scope } from './canonical.ts';

/** How a body is verified while it is read, by its x-amz-content-sha256 header. */
export type Payload =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'sha256'; readonly hex: string }
  | { readonly kind: 'chunked'; readonly hasTrailer: boolean; readonly signing: ChunkSigning | null };

/** The chain of signatures over the chunks of a body. */
export interface ChunkSigning {
  readonly key: KeyObject;
  readonly timestamp: string;
  readonly scope: Scope;
  /** The signature of the request's headers, which is the first in the chain. */
  readonly seed: string;
}
