import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../ui/format.ts';
import { ArchiveProblem } from '../archive/archive-problem.tsx';
import own from '../archive/archive.module.css';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { useNestedView } from '../frame/nested-view.ts';
import { useViewerActions } from '../frame/frame.tsx';
import { memorySource } from '../frame/range-source.ts';
import type { ViewedFile, ViewerProps } from '../frame/viewer.ts';
import { nameInside, packingOf } from './packing.ts';
import { unpack } from './unpack.ts';

/** More is not unpacked: it would all have to stay in memory. */
const mostBytes = 32_000_000;

/** What is packed, as what is inside; the beginning of it where that is large. */
export function PackedView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const id = useId();
  const nested = useNestedView();
  const { download } = useViewerActions();
  const { data, error, refetch } = useQuery({
    queryKey: ['viewer-packed', id],
    queryFn: async ({ signal }) => {
      const packing = packingOf(await file.source.read(0, 16, signal));
      return await unpack(file.source, packing, mostBytes, signal);
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { keepAfterReconnect: true },
  });
  const inside = useMemo<ViewedFile | null>(
    () =>
      data === undefined
        ? null
        : {
            name: file.contentEncoding === null ? nameInside(file.name) : file.name,
            // The type of a packed file is that of the packing.
            contentType: file.contentEncoding === null ? null : file.contentType,
            contentEncoding: null,
            source: memorySource(data.bytes),
            object: null,
          },
    [data, file],
  );
  if (error !== null) return <ArchiveProblem thrown={error} onRetry={() => void refetch()} />;
  if (data === undefined || inside === null) return <ViewerLoading />;
  return (
    <div className={own.entry}>
      <div>
        {data.isCut ? (
          <p className={own.note} role="note">
            {t('viewers.packed.cut', { size: formatBytes(data.bytes.length) })}
          </p>
        ) : null}
      </div>
      <div className={own.inside}>{nested({ file: inside, onDownload: download })}</div>
    </div>
  );
}
