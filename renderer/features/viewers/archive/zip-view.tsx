import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../ui/words/format.ts';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { EncodingSelect } from '../encoding/encoding-select.tsx';
import { useEncoding } from '../encoding/use-encoding.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import { ArchiveProblem } from './archive-problem.tsx';
import { ArchiveView } from './archive-view.tsx';
import { readZip } from './zip.ts';

/** Shows a zip archive, whose entries are read from the directory at the end of the file. */
export function ZipView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const id = useId();
  const { chosen, choose } = useEncoding(file);
  const { data, error, refetch } = useQuery({
    queryKey: ['viewer-zip', id, chosen],
    queryFn: async ({ signal }) => await readZip(file.source, signal, chosen),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { keepAfterReconnect: true },
  });
  if (error !== null) return <ArchiveProblem thrown={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <ViewerLoading />;
  const { entries, isCut, hasUnknownNames } = data;
  return (
    <ArchiveView
      isPacked
      name={file.name}
      entries={entries}
      tools={hasUnknownNames ? <EncodingSelect encoding={chosen} onEncoding={choose} /> : null}
      count={t('viewers.archive.entries', { count: entries.length })}
      notes={isCut ? [t('viewers.archive.cut', { number: formatCount(entries.length) })] : []}
    />
  );
}
