import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { Job } from '../../../../shared/models/jobs.ts';
import { rpc } from '../../../rpc/client.ts';
import { formatCount } from '../../../ui/words/format.ts';
import { isShownNote, type ShownNote, type TransferItem } from '../../../../shared/models/transfers.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { unverifiedName } from '../../../../shared/keys/marked-name.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { itemErrorText } from './result-words.ts';
import classes from './jobs-panel.module.css';

const maxShown = 200;

/**
 * Reads the items of a job that failed or have a note, again whenever their number grows; null: there are none, or they are
 * loading.
 */
function useItems(job: Job, filter: 'failed' | 'noted') {
  const count = job.items?.[filter] ?? 0;
  const list = useQuery({
    queryKey: [`transfers.${filter}`, job.id, count],
    enabled: count > 0,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      rpc.transfers.items({ jobId: job.id, filter, offset: 0, limit: maxShown }, { signal }),
  });
  return count === 0 ? null : (list.data ?? null);
}

/** The failed items of a transfer with their reasons; empty if none failed. */
export function FailedItems({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const list = useItems(job, 'failed');
  if (list === null) return null;
  const { items, total } = list;
  return (
    <ItemList
      label={t('jobs.failedItems.label')}
      head={t('jobs.failedItems.count', { count: total })}
      items={items}
      total={total}
      textOf={({ error }) => (error === null ? null : itemErrorText(error, t))}
      job={job}
    />
  );
}

/** Returns true for a download whose every attempt was damaged. */
export function mayKeep({ kind, state }: Pick<Job, 'kind' | 'state'>, { error }: TransferItem): boolean {
  return kind === 'download' && state === 'needs-attention' && error?.code === 'damaged';
}

function KeepUnverified({ job, item }: { readonly job: Job; readonly item: TransferItem }) {
  const { t } = useTranslation();
  const name = lastSegment(unverifiedName(item.localName));
  return (
    <Button
      variant="default"
      size="compact-xs"
      title={t('jobs.failedItems.keepUnverifiedHint')}
      onClick={() => {
        sayingFailure(() => rpc.transfers.keepUnverified({ jobId: job.id, seq: item.seq }));
      }}
    >
      {t('jobs.failedItems.keepUnverified', { name })}
    </Button>
  );
}

type NoteWords = Pick<TransferItem, 'key' | 'localName'>;

/** The meaning of a note for the object or file, with their current names. */
export function noteText(note: ShownNote, job: Pick<Job, 'kind'>, item: NoteWords, t: TFunction): string {
  const name = job.kind === 'upload' ? item.key : item.localName;
  return t(`jobs.notedItems.notes.${note}`, { name });
}

/** Returns all notes on an item, including that its bytes could not be verified. */
function noteTexts(item: TransferItem, job: Job, t: TFunction): string | null {
  const notes: ShownNote[] = isShownNote(item.note) ? [item.note] : [];
  if (item.verified === false && item.note !== 'not-verified') notes.push('not-verified');
  return notes.length === 0 ? null : notes.map((note) => noteText(note, job, item, t)).join('; ');
}

/** Finished or skipped items with a note: another name, a circular link, lost permissions. */
export function NotedItems({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const list = useItems(job, 'noted');
  if (list === null) return null;
  const { items, total } = list;
  return (
    <ItemList
      label={t('jobs.notedItems.label')}
      head={t('jobs.notedItems.count', { count: total })}
      items={items}
      total={total}
      // Uploads are known by their file's name.
      nameOf={(item) => (job.kind === 'upload' ? item.localName : item.key)}
      textOf={(item) => noteTexts(item, job, t)}
    />
  );
}

interface ItemListProps {
  readonly label: string;
  readonly head: string;
  readonly items: readonly TransferItem[];
  readonly total: number;
  readonly textOf: (item: TransferItem) => string | null;
  /** The jobs whose damaged items can be kept unverified. */
  readonly job?: Job;
  /** Absent: the key. */
  readonly nameOf?: (item: TransferItem) => string;
}

function ItemList({ label, head, items, total, textOf, job, nameOf }: ItemListProps) {
  const { t } = useTranslation();
  const lineOf = (item: TransferItem): string => {
    const text = textOf(item);
    return text === null ? '' : `: ${text}`;
  };
  return (
    <div className={classes.advice} role="region" aria-label={label}>
      <p>{head}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it */}
      <ul className={classes.items} tabIndex={0}>
        {items.map((item) => (
          <li key={item.seq}>
            <KeyText name={nameOf?.(item) ?? item.key} />
            {lineOf(item)}{' '}
            {job !== undefined && mayKeep(job, item) ? <KeepUnverified job={job} item={item} /> : null}
          </li>
        ))}
      </ul>
      {total > items.length ? (
        <p>{t('jobs.failedItems.more', { rest: formatCount(total - items.length) })}</p>
      ) : null}
    </div>
  );
}
