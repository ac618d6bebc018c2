import { useTranslation } from 'react-i18next';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import classes from '../viewers.module.css';
import type { FeedState, RecordFeed } from './record-feed.ts';

/** A list that grows while it is read, such as records in a file or entries in an archive. */
interface Feed {
  readonly state: FeedState;
  more(signal: AbortSignal): Promise<void>;
}

/** More rows are requested when fewer than this many loaded rows remain below the visible ones. */
const usualRowsAhead = 300;

/** Reads the first block of a feed, and further blocks as the user scrolls. Re-renders after each block. */
export function useFeed(feed: Feed, lengthOf: () => number, rowsAhead: number = usualRowsAhead) {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const [error, setError] = useState<AppError | null>(null);
  /** The feed that is being read. Another feed, with other settings, is read without waiting for it. */
  const reading = useRef<Feed | null>(null);
  const aborter = useRef<AbortController | null>(null);
  const read = useCallback(async () => {
    const { current } = aborter;
    if (current === null || reading.current === feed || feed.state !== 'open') return;
    reading.current = feed;
    try {
      await feed.more(current.signal);
      setError(null);
    } catch (thrown) {
      if (!current.signal.aborted) setError(appErrorOf(thrown));
    } finally {
      if (reading.current === feed) reading.current = null;
      if (!current.signal.aborted) draw();
    }
  }, [feed]);
  useEffect(() => {
    const controller = new AbortController();
    aborter.current = controller;
    // oxlint-disable-next-line react/set-state-in-effect -- sets state only after the bytes were read
    void read();
    return () => controller.abort();
  }, [read]);
  return {
    /** The failure of the next block, or null. */
    failure: error === null ? null : { error, onRetry: () => void read() },
    /** Call when the visible rows change. Reads the next block near the end of the loaded rows. */
    onRange: (_first: number, last: number) => {
      if (error === null && last >= lengthOf() - rowsAhead) void read();
    },
  };
}

interface FeedCountProps {
  /** The number of records with their noun, such as "12 rows". */
  readonly text: string;
  readonly feed: { readonly state: FeedState };
}

/** Shows how many records were read, and whether the file has more. */
export function FeedCount({ text, feed }: FeedCountProps) {
  const { t } = useTranslation();
  return (
    <span className={classes.toolText} role="status">
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
