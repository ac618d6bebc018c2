import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../ui/words/format.ts';
import classes from '../viewers.module.css';
import type { FeedState, RecordFeed } from './record-feed.ts';

interface FeedCountProps {
  /** The number of records with their noun, such as "12 rows". */
  readonly text: string;
  readonly feed: { readonly state: FeedState };
}

/** Shows how many records were read, and whether the file has more. */
export function FeedCount({ text, feed }: FeedCountProps) {
  const { t } = useTranslation();
  return (
    <span className={classes.count} role="status">
      {feed.state === 'whole' ? text : t('viewers.feed.soFar', { amount: text })}
    </span>
  );
}

/** Returns a note if some records are not shown. */
export function useCutNote(
  feed: Pick<RecordFeed<unknown>, 'state' | 'readBytes' | 'records'>,
  key: 'viewers.feed.cutRows' | 'viewers.feed.cutLines',
): readonly string[] {
  const { t } = useTranslation();
  if (feed.state !== 'cut') return [];
  return [t(key, { count: feed.records.length, size: formatBytes(feed.readBytes) })];
}
