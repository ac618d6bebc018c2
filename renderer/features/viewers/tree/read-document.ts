import { askOnce } from '../../../ui/asked-worker.ts';
import type { DocumentAnswer, DocumentFormat, DocumentQuestion } from './document-messages.ts';
import { validJsonTree } from './json-tree.ts';
import { treeOf } from './plain-tree.ts';
import type { TreeNode } from './tree-node.ts';

export type ReadDocument =
  | { readonly kind: 'tree'; readonly roots: readonly TreeNode[] }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'too-complex' };

/** Parses a document into a tree. The parser runs in a worker, which is terminated if it takes too long. */
export async function readDocument(
  format: DocumentFormat,
  text: string,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const answer = await askOnce<DocumentQuestion, DocumentAnswer>(
    new Worker(new URL('./document-worker.ts', import.meta.url), { type: 'module' }),
    { format, text },
    { signal },
  );
  if (answer === null) return { kind: 'too-complex' };
  if (answer.kind === 'valid') return { kind: 'tree', roots: [validJsonTree(text)] };
  return answer.kind === 'tree' ? { kind: 'tree', roots: treeOf(answer.roots) } : answer;
}
