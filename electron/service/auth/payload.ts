import type { KeyObject } from 'node:crypto';
import type { Scope } from './canonical.ts';

/** How a body is checked while it is read, as x-amz-content-sha256 states it. */
export type Payload =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'sha256'; readonly hex: string }
  | { readonly kind: 'chunked'; readonly hasTrailer: boolean; readonly signing: ChunkSigning | null };

/** The chain of signatures over the chunks of a body. */
export interface ChunkSigning {
  readonly key: KeyObject;
  readonly timestamp: string;
  readonly scope: Scope;
  /** The signature of the request's head, which is the first of the chain. */
  readonly seed: string;
}
