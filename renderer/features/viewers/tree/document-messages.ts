import type { TreeKind } from './tree-node.ts';

export type DocumentFormat = 'JSON' | 'YAML' | 'XML';

/** Messages from the window to the worker that parses documents. */
export interface DocumentQuestion {
  readonly format: DocumentFormat;
  readonly text: string;
}

export type DocumentAnswer =
  | { readonly kind: 'tree'; readonly roots: readonly PlainNode[] }
  /** The text is valid JSON. The window parses it in pieces as the user opens nodes. */
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid' }
  /** The document has more nodes than the window can show. */
  | { readonly kind: 'too-complex' };

/** A tree node of a document with all descendants, as sent between threads. */
export interface PlainNode {
  readonly name: string;
  readonly kind: TreeKind;
  readonly text: string;
  readonly count: number;
  readonly inside: readonly PlainNode[];
}
