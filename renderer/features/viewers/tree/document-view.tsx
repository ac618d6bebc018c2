import { Braces } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { askOnce } from '../../../ui/asked-worker.ts';
import {
  TooComplexNotice,
  ViewerFailed,
  ViewerFrame,
  ViewerLoading,
  ViewerMessage,
} from '../frame/frame.tsx';
import { useRead } from '../frame/viewer-hooks.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';
import { decodeText } from '../encoding/text-encoding.ts';
import { EncodingSelect, useEncoding } from '../encoding/encoding-select.tsx';
import type { ViewedFile, ViewerProps } from '../frame/viewer.ts';
import {
  type DocumentResponse,
  type DocumentFormat,
  type DocumentQuestion,
  treeOf,
} from './document-messages.ts';
import { openedTree, type TreeNode } from './tree-node.ts';
import { TreeTable } from './tree-table.tsx';
import { validJsonTree } from './json-tree.ts';

interface DocumentViewProps {
  readonly file: ViewedFile;
  /** The name of the format for users. */
  readonly format: DocumentFormat;
}

export function JsonView({ file }: ViewerProps) {
  return <DocumentView file={file} format="JSON" />;
}

export function XmlView({ file }: ViewerProps) {
  return <DocumentView file={file} format="XML" />;
}

export function YamlView({ file }: ViewerProps) {
  return <DocumentView file={file} format="YAML" />;
}

/** Reads a whole document and shows it as a tree. */
function DocumentView({ file, format }: DocumentViewProps) {
  const { t } = useTranslation();
  const { chosen, choose } = useEncoding(file);
  const { data, error, refetch } = useRead(
    async (signal) => {
      const bytes = await file.source.read(0, file.source.sizeBytes, signal);
      const found = detectEncoding(bytes, chosen);
      const document = await readDocument(format, decodeText(bytes, found), signal);
      return { document, encoding: found.encoding };
    },
    [chosen],
  );
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  if (data === undefined) return <ViewerLoading />;
  const { document, encoding } = data;
  const select = <EncodingSelect encoding={encoding} onEncoding={choose} />;
  if (document === 'too-complex') return <TooComplexNotice />;
  if (document === 'invalid')
    return (
      <ViewerMessage
        toolbar={select}
        icon={Braces}
        title={t('viewers.tree.invalid', { format })}
        body={t('viewers.tree.invalidBody')}
      />
    );
  return (
    <ViewerFrame toolbar={select}>
      <OpenedTree roots={document} name={file.name} key={chosen} />
    </ViewerFrame>
  );
}

function OpenedTree({ roots, name }: { readonly roots: readonly TreeNode[]; readonly name: string }) {
  const [rows, setRows] = useState(() => openedTree(roots));
  return <TreeTable rows={rows} onRows={setRows} name={name} />;
}

/** Parses a document into a tree. The parser runs in a worker, which is terminated if it takes too long. */
async function readDocument(
  format: DocumentFormat,
  text: string,
  signal: AbortSignal,
): Promise<readonly TreeNode[] | 'invalid' | 'too-complex'> {
  const response = await askOnce<DocumentQuestion, DocumentResponse>(
    new Worker(new URL('./document-worker.ts', import.meta.url), { type: 'module' }),
    { format, text },
    { signal },
  );
  if (response === null) return 'too-complex';
  if (response.kind === 'valid') return [validJsonTree(text)];
  return response.kind === 'tree' ? treeOf(response.roots) : response.kind;
}
