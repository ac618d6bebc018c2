import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { Tool } from '../text/tools.tsx';
import { askImageWorker } from './worker/ask-image-worker.ts';
import { NoImage } from './parts/no-image.tsx';
import { Painted } from './stage/painted.tsx';
import { Picture } from './stage/picture.tsx';
import classes from '../pictures.module.css';

/** Shows a TIFF page by page, decoded in a worker. */
export function TiffImage({
  bytes,
  name,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [page, setPage] = useState(0);
  const { data, error } = useQuery({
    queryKey: ['viewer-tiff', id, page],
    queryFn: async ({ signal }) => await askImageWorker({ kind: 'tiff', bytes, page }, signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
  if (error !== null) return <NoImage why="failed" />;
  if (data === undefined) return <ViewerLoading />;
  if (data.kind === 'too-many-pixels') return <NoImage why="pixels" />;
  if (data.kind === 'unknown') return <NoImage why="unknown" />;
  if (data.kind !== 'picture') return <NoImage why="failed" />;
  const { picture } = data;
  const { width, height, pages } = picture;
  return (
    <Picture
      bytes={bytes}
      name={name}
      size={{ width, height }}
      tools={
        pages === 1 ? null : (
          <>
            <Tool label={t('viewers.pdf.previous')} isDisabled={page === 0} onClick={() => setPage(page - 1)}>
              <ChevronUp size={16} aria-hidden />
            </Tool>
            <span className={classes.numbers} role="status">
              {t('viewers.pdf.page', { page: page + 1, pages })}
            </span>
            <Tool
              label={t('viewers.pdf.next')}
              isDisabled={page === pages - 1}
              onClick={() => setPage(page + 1)}
            >
              <ChevronDown size={16} aria-hidden />
            </Tool>
          </>
        )
      }
    >
      <Painted picture={picture} name={name} key={page} />
    </Picture>
  );
}
