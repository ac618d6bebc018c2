import { plainTree, type DocumentResponse, type DocumentQuestion } from './document-messages.ts';

async function answerTo({ format, text }: DocumentQuestion): Promise<DocumentResponse> {
  if (format === 'JSON') return { kind: isJson(text) ? 'valid' : 'invalid' };
  const roots =
    format === 'YAML'
      ? (await import('./yaml-tree.ts')).yamlTrees(text)
      : (await import('./xml-tree.ts')).xmlTree(text);
  if (roots === null) return { kind: 'invalid' };
  const plain = plainTree(roots);
  return plain === null ? { kind: 'too-complex' } : { kind: 'tree', roots: plain };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function say(response: DocumentResponse): void {
  self.postMessage(response, { transfer: [] });
}

self.addEventListener('message', (event: MessageEvent<DocumentQuestion>) => {
  // The parsers throw if a document is nested too deeply.
  answerTo(event.data).then(say, () => {
    say({ kind: 'too-complex' });
  });
});
