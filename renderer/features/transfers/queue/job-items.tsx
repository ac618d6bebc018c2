import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { Job } from '../../../../shared/models/jobs.ts';
import { rpc } from '../../../rpc/client.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { formatCount } from '../../../ui/words/format.ts';
import { isShownNote, type ShownNote, type TransferItem } from '../../../../shared/models/transfers.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { unverifiedName, lastSegment } from '../../../../shared/keys/paths.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { itemErrorText } from './result-words.ts';
import classes from './jobs-panel.module.css';

const maxShown = 200;

/**
 * Reads the items of a job that failed or have a note. Reads them again when their number changes. Returns null while they load
 * and without such items.
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

/** Lists the failed items of a transfer with their reasons. Renders nothing without failures. */
export function FailedItems({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const list = useItems(job, 'failed');
  if (list === null) return null;
  return (
    <ItemList
      label={t('jobs.failedItems.label')}
      head={t('jobs.failedItems.count', { count: list.total })}
      list={list}
      textOf={({ error }) => (error === null ? null : itemErrorText(error, t))}
      job={job}
    />
  );
}

/** Returns true if a downloaded file arrived damaged on every attempt, so that the user may decide to keep it. */
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
      onClick={() => sayingFailure(() => rpc.transfers.keepUnverified({ jobId: job.id, seq: item.seq }))}
    >
      {t('jobs.failedItems.keepUnverified', { name })}
    </Button>
  );
}

type NoteWords = Pick<TransferItem, 'key' | 'localName'>;

/** Returns a note as text, with the current name of the object or file. */
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

/** Lists finished or skipped items with a note, for example a changed name, a circular link or lost permissions. */
export function NotedItems({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const list = useItems(job, 'noted');
  if (list === null) return null;
  return (
    <ItemList
      label={t('jobs.notedItems.label')}
      head={t('jobs.notedItems.count', { count: list.total })}
      list={list}
      // Shows the file's name for an upload, since users know an uploaded item by it.
      nameOf={(item) => (job.kind === 'upload' ? item.localName : item.key)}
      textOf={(item) => noteTexts(item, job, t)}
    />
  );
}

interface ItemListProps {
  readonly label: string;
  readonly head: string;
  readonly list: { readonly items: readonly TransferItem[]; readonly total: number };
  readonly textOf: (item: TransferItem) => string | null;
  /** The job, if users can decide to keep its damaged items. */
  readonly job?: Job;
  /** Returns the name to show for an item. If absent, the key is shown. */
  readonly nameOf?: (item: TransferItem) => string;
}

function ItemList({ label, head, list: { items, total }, textOf, job, nameOf }: ItemListProps) {
  const { t } = useTranslation();
  const lineOf = (item: TransferItem): string => {
    const text = textOf(item);
    return text === null ? '' : `: ${text}`;
  };
  return (
    <Stack
      bg="var(--cooper-raised)"
      bdrs={8}
      flex="none"
      gap={4}
      mx="sm"
      mb="xs"
      py="xs"
      px="sm"
      role="region"
      aria-label={label}
    >
      <p>{head}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it */}
      <ul className={joinClasses(common.breaks, common.scroll, classes.items)} tabIndex={0}>
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
    </Stack>
  );
}
