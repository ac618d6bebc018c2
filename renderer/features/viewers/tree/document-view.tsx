import { Braces } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { ViewerFrame } from '../frame/frame.tsx';
import { encodingOf } from '../records/encoding.ts';
import { useWhole } from '../frame/use-whole.ts';
import type { ViewedFile } from '../frame/viewer.ts';
import type { TreeNode } from './tree-node.ts';
import { openedTree } from './tree-rows.ts';
import { TreeTable } from './tree-table.tsx';

interface DocumentViewProps {
  readonly file: ViewedFile;
  /** As people call it: `JSON`. */
  readonly format: string;
  /** null: the text is not of this format. */
  readonly read: (text: string) => readonly TreeNode[] | null;
}

/** A document that is read as a whole, as a tree. */
export function DocumentView({ file, format, read }: DocumentViewProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useWhole(file.source);
  const roots = useMemo(() => (data === undefined ? undefined : read(textOf(data))), [data, read]);
  if (error !== null)
    return (
      <ViewerFrame>
        <ErrorNotice variant="page" error={appErrorOf(error)} onRetry={() => void refetch()} />
      </ViewerFrame>
    );
  if (roots === undefined) return <ViewerLoading />;
  if (roots === null)
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
      <OpenedTree roots={roots} name={file.name} />
    </ViewerFrame>
  );
}

function OpenedTree({ roots, name }: { readonly roots: readonly TreeNode[]; readonly name: string }) {
  const [rows, setRows] = useState(() => openedTree(roots));
  return <TreeTable rows={rows} onRows={setRows} name={name} />;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes.subarray(0, 64 * 1024))).decode(bytes);
}
