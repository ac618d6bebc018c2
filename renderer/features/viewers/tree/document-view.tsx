import { useQuery } from '@tanstack/react-query';
import { Braces } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { TooComplexNotice } from '../frame/too-complex.tsx';
import { ViewerFrame } from '../frame/frame.tsx';
import { ViewerFailed } from '../frame/viewer-failed.tsx';
import { recordEncodingOf } from '../records/record-encoding.ts';
import type { ViewedFile } from '../frame/viewer.ts';
import type { DocumentFormat } from './document-messages.ts';
import { readDocument } from './read-document.ts';
import type { TreeNode } from './tree-node.ts';
import { openedTree } from './tree-rows.ts';
import { TreeTable } from './tree-table.tsx';

interface DocumentViewProps {
  readonly file: ViewedFile;
  /** As people call it. */
  readonly format: DocumentFormat;
}

/** A document that is read as a whole, as a tree. */
export function DocumentView({ file, format }: DocumentViewProps) {
  const { t } = useTranslation();
  const id = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['viewer-document', id],
    queryFn: async ({ signal }) => {
      const bytes = await file.source.read(0, file.source.sizeBytes, signal);
      return await readDocument(format, textOf(bytes), signal);
    },
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
    meta: { keepAfterReconnect: true },
  });
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  if (data === undefined) return <ViewerLoading />;
  if (data.kind === 'too-complex') return <TooComplexNotice />;
  if (data.kind === 'invalid')
    return (
      <ViewerFrame>
        <EmptyState
          icon={<Braces size={28} />}
          title={t('viewers.tree.invalid', { format })}
          body={t('viewers.tree.invalidBody')}
        />
      </ViewerFrame>
    );
  return (
    <ViewerFrame>
      <OpenedTree roots={data.roots} name={file.name} />
    </ViewerFrame>
  );
}

function OpenedTree({ roots, name }: { readonly roots: readonly TreeNode[]; readonly name: string }) {
  const [rows, setRows] = useState(() => openedTree(roots));
  return <TreeTable rows={rows} onRows={setRows} name={name} />;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder(recordEncodingOf(bytes.subarray(0, 64 * 1024))).decode(bytes);
}
