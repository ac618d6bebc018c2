import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../ui/words/format.ts';
import { ArchiveProblem } from '../archive/archive-problem.tsx';
import own from '../archive/archive.module.css';
import { TooComplexNotice } from '../frame/too-complex.tsx';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { useNestedView } from '../frame/nested-view.ts';
import { useViewerActions } from '../frame/frame.tsx';
import { memorySource } from '../frame/range-source.ts';
import type { ViewedFile, ViewerProps } from '../frame/viewer.ts';
import { askUnpacker } from './ask-unpacker.ts';
import { maxDecompressedBytes } from './packed-limits.ts';
import { nameInside, packingOf } from './packing.ts';

/** A packed file in a packed file, and so on: more layers are not opened by themselves. A file may even hold itself. */
const mostLayers = 5;
const Layer = createContext(1);

/** A compressed file shown as its content; only the beginning if that is large. */
export function PackedView({ file }: ViewerProps) {
  return useContext(Layer) > mostLayers ? <TooComplexNotice /> : <Unpacked file={file} />;
}

function Unpacked({ file }: ViewerProps) {
  const layer = useContext(Layer);
  const { t } = useTranslation();
  const id = useId();
  const nested = useNestedView();
  const { download } = useViewerActions();
  const { data, error, refetch } = useQuery({
    queryKey: ['viewer-packed', id],
    queryFn: async ({ signal }) => {
      const packing = packingOf(await file.source.read(0, 16, signal));
      return await askUnpacker(file.source, packing, maxDecompressedBytes, signal);
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
        {data.remark === null ? null : (
          <p className={own.note} role="note">
            {t(`viewers.packed.remark.${data.remark}`)}
          </p>
        )}
        {data.isCut ? (
          <p className={own.note} role="note">
            {t('viewers.packed.cut', { size: formatBytes(data.bytes.length) })}
          </p>
        ) : null}
      </div>
      <div className={own.inside}>
        <Layer value={layer + 1}>{nested({ file: inside, onDownload: download })}</Layer>
      </div>
    </div>
  );
}
