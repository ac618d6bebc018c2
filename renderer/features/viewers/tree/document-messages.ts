import type { TreeKind } from './tree-node.ts';

export type DocumentFormat = 'JSON' | 'YAML' | 'XML';

/** Messages from the window to the worker that reads documents. */
export interface DocumentQuestion {
  readonly format: DocumentFormat;
  readonly text: string;
}

export type DocumentAnswer =
  | { readonly kind: 'tree'; readonly roots: readonly PlainNode[] }
  /** JSON: the window reads it in place, where it is opened. */
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid' }
  /** It has more places than the window can take. */
  | { readonly kind: 'too-complex' };

/** A place in a document as it goes from thread to thread: a tree node with all that is inside. */
export interface PlainNode {
  readonly name: string;
  readonly kind: TreeKind;
  readonly text: string;
  readonly count: number;
  readonly inside: readonly PlainNode[];
}
