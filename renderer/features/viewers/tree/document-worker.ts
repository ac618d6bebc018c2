import { answerRequests } from '../../../ui/asked-worker.ts';
import { isJson } from './json-tree.ts';
import { plainTree, type DocumentResponse, type DocumentQuestion } from './document-messages.ts';

async function answerTo({ format, text }: DocumentQuestion): Promise<DocumentResponse> {
  if (format === 'JSON') return { kind: isJson(text) ? 'valid' : 'invalid' };
  const roots =
    format === 'YAML'
      ? (await import('./yaml-tree.ts')).yamlTrees(text)
      : (await import('./xml-tree.ts')).xmlTree(text);
  if (roots === null) return { kind: 'invalid' };
  return { kind: 'tree', roots: plainTree(roots) };
}

// The parsers throw if a document is nested too deeply, and plainTree if it has too many nodes.
answerRequests(answerTo, { kind: 'too-complex' });
