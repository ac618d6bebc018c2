import { ActionIcon, Center } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { Place, Preview } from '../../../shared/models/objects.ts';
import { rpc } from '../../rpc/client.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import { FileView } from './file-view.tsx';
import { openedFile } from './frame/object-source.ts';
import type { ViewedFile } from './frame/viewer.ts';
import { PreviewGate } from './frame/no-preview.tsx';
import classes from './viewers.module.css';

export interface LookProps {
  readonly place: Place;
  /** The key of the object, or of the folder with its trailing `/`. */
  readonly rowKey: string;
  readonly isFolder: boolean;
  readonly etag: string | null;
  /** Size and time, as listed. */
  readonly facts: string;
  readonly onClose: () => void;
}

const lookName = 'look';
/** Size limit in bytes for content that is read as a whole. Larger objects are shown only in the preview. */
const lookBytes = 8_000_000;
/** Milliseconds before a row's content is requested. Arrow keys pass over many rows, and only the last row is shown. */
const settleMs = 100;
/** Number of recent quick looks kept, so that a return needs no request. Each caches up to 16 MiB, together at most 192 MiB. */
const maxCachedLooks = 12;

/** Shows a quick look at the focused row next to the list, which keeps focus. */
export function Look({ place, rowKey, isFolder, etag, facts, onClose }: LookProps) {
  const { t } = useTranslation();
  const name = lastSegment(rowKey);
  return (
    <section aria-label={t('viewers.look.label', { name })} className={classes.look}>
      <header className={classes.lookHeader}>
        <TypeIcon name={name} isFolder={isFolder} />
        <span className={classes.lookName}>
          <KeyText name={name} />
        </span>
        <span className={classes.lookFacts}>{facts}</span>
        <ActionIcon size={24} aria-label={t('common.close')} onClick={onClose}>
          <X size={14} aria-hidden />
        </ActionIcon>
      </header>
      <div className={classes.lookStage}>
        {isFolder ? (
          <Center>
            <TypeIcon name={name} isFolder size={96} />
          </Center>
        ) : (
          <ObjectLook place={place} objectKey={rowKey} etag={etag} key={rowKey} />
        )}
      </div>
      <p className={classes.lookHint}>{t(isFolder ? 'viewers.look.folderHint' : 'viewers.look.hint')}</p>
    </section>
  );
}

type LookContent =
  | { readonly kind: 'file'; readonly file: ViewedFile; readonly storageClass: string | null }
  | { readonly kind: 'none'; readonly why: Extract<Preview, { kind: 'none' }>['why'] };

interface ObjectLookProps {
  readonly place: Place;
  readonly objectKey: string;
  readonly etag: string | null;
}

function ObjectLook({ place, objectKey, etag }: ObjectLookProps) {
  const { connectionId, bucket } = place;
  // True once focus has stayed on the row for a moment.
  const [isSettled, setSettled] = useState(false);
  useTimeout(() => setSettled(true), settleMs, { autoInvoke: true });
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: [lookName, connectionId, bucket, objectKey, etag],
    queryFn: async ({ queryKey }): Promise<LookContent> => {
      const ref = { connectionId, bucket, key: objectKey };
      const found = await rpc.objects.preview(ref);
      if (found.kind === 'none') return found;
      const refresh = async (): Promise<void> => await queries.invalidateQueries({ queryKey });
      const file = openedFile(ref, found, { refresh, memory: new Map() });
      return { kind: 'file', file, storageClass: found.storageClass };
    },
    enabled: isSettled,
    staleTime: ({ state }) => (state.data?.kind === 'none' ? 0 : Infinity),
    gcTime: Infinity,
    structuralSharing: false,
    meta: { keepAfterReconnect: true },
  });
  const { data } = query;
  useEffect(() => {
    if (data !== undefined) evictOldLooks(queries);
  }, [data, queries]);
  return (
    <PreviewGate query={query} isOpenedByUser={false}>
      {({ file }) => <FileView file={file} onDownload={null} lookBytes={lookBytes} />}
    </PreviewGate>
  );
}

/** Evicts the oldest cached quick looks that are not visible. */
function evictOldLooks(queries: QueryClient): void {
  const inactiveLooks = queries.getQueryCache().findAll({ queryKey: [lookName], type: 'inactive' });
  const oldest = inactiveLooks.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
  for (const query of oldest.slice(0, Math.max(0, inactiveLooks.length - maxCachedLooks)))
    queries.removeQueries({ queryKey: query.queryKey, exact: true });
}
