import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../ui/words/format.ts';
import { ViewerLoading } from '../frame/viewer-loading.tsx';
import { useFeed } from '../records/use-feed.ts';
import { EncodingSelect } from '../encoding/encoding-select.tsx';
import { useEncoding } from '../encoding/use-encoding.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import { ArchiveProblem } from './archive-problem.tsx';
import { ArchiveView } from './archive-view.tsx';
import { tarReader } from './tar.ts';

/** Number of entries read at a time. Each may cost a request, since headers are spread between the files. */
const entriesAtOnce = 40;

/** Lists a tar archive. Reads headers one by one, only as far as the user has scrolled. */
export function TarView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const { chosen, choose } = useEncoding(file);
  const feed = useMemo(() => {
    const reader = tarReader(file.source, chosen);
    return {
      entries: reader.entries,
      get hasUnknownNames() {
        return reader.hasUnknownNames;
      },
      get state() {
        return reader.state;
      },
      more: async (signal: AbortSignal) => {
        await reader.more(entriesAtOnce, signal);
      },
    };
  }, [file.source, chosen]);
  const { failure, onRange } = useFeed(feed, () => feed.entries.length, entriesAtOnce);
  const { entries, state } = feed;
  if (failure !== null && entries.length === 0)
    return <ArchiveProblem thrown={failure.error} onRetry={failure.onRetry} />;
  if (entries.length === 0 && state === 'open') return <ViewerLoading />;
  const countText = t('viewers.archive.entries', { count: entries.length });
  return (
    <ArchiveView
      name={file.name}
      entries={entries}
      count={state === 'open' ? t('viewers.feed.soFar', { amount: countText }) : countText}
      notes={state === 'cut' ? [t('viewers.archive.cut', { number: formatCount(entries.length) })] : []}
      isPacked={false}
      tools={feed.hasUnknownNames ? <EncodingSelect encoding={chosen} onEncoding={choose} /> : null}
      failure={failure}
      onRange={onRange}
    />
  );
}
