import { Box, Button, Loader, TextInput } from '@mantine/core';
import { Search, Trash2 } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import { maxSelectedItems, selectionGroups } from '../../../shared/models/limits.ts';
import type { DeletedEntry } from '../../../shared/models/versions.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatCount } from '../../ui/words/format.ts';
import { deletedId, matchingDeleted } from './trash-rows.ts';
import { TrashTable } from './trash-table.tsx';
import { useTrash, type Trash, type TrashWhere } from './use-trash.ts';
import classes from './versions.module.css';

/** Lists the deleted objects in a bucket or folder, the last deleted first. Restores one object, or all that are shown. */
export function TrashDialog({ request: where, onClose }: DialogProps<TrashWhere>) {
  const { t } = useTranslation();
  const trash = useTrash(where);
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed);
  const { rows } = trash;
  const shown = useMemo(() => (rows === null ? null : matchingDeleted(rows, text)), [rows, text]);
  const [chosen, setChosen] = useState(0);
  /** The ids of the rows being restored, which leave the list when their job has ended. */
  const [restoring, setRestoring] = useState<ReadonlySet<string>>(new Set());
  const active = Math.min(chosen, (shown?.length ?? 0) - 1);
  const entry = shown?.[active];
  const { connectionId, bucket, prefix } = where;

  const restore = (entries: readonly DeletedEntry[]): void => {
    const isEverything = trash.isWhole && entries.length === rows?.length;
    const items = entries.map(({ key, versionId }): SelectionItem => ({ kind: 'key', key, versionId }));
    const ids = new Set(entries.map(deletedId));
    setRestoring((now) => new Set([...now, ...ids]));
    sayingFailure(async () => {
      const orders =
        isEverything && items.length > maxSelectedItems
          ? [[{ kind: 'prefix', prefix } as const]]
          : selectionGroups(items);
      try {
        for (const order of orders) await rpc.operations.restore({ connectionId, bucket, items: [...order] });
      } catch (thrown) {
        setRestoring((now) => new Set([...now].filter((id) => !ids.has(id))));
        throw thrown;
      }
    });
  };
  const canRestore = entry !== undefined && !restoring.has(deletedId(entry));
  const left = shown?.filter((row) => !restoring.has(deletedId(row))) ?? [];
  return (
    <Dialog
      onClose={onClose}
      size="min(960px, 96vw)"
      title={
        <>
          <span>{t('versions.trash.title')} </span>
          <KeyText name={prefix === '' ? bucket : lastSegment(prefix)} />
        </>
      }
    >
      <div className={joinClasses(common.column, classes.dialogBody)}>
        <TextInput
          data-autofocus
          value={typed}
          aria-label={t('versions.trash.find')}
          placeholder={t('versions.trash.find')}
          leftSection={<Search size={15} aria-hidden />}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
            if (step !== 0) setChosen(Math.max(0, active + step));
            else if (event.key === 'Enter' && canRestore) restore([entry]);
            else return;
            event.preventDefault();
          }}
        />
        <TrashStatus trash={trash} shown={shown?.length ?? 0} />
        <TrashList
          trash={trash}
          shown={shown}
          isFiltered={text.trim() !== ''}
          active={active}
          restoring={restoring}
          onActive={setChosen}
          onRestore={(deleted) => restore([deleted])}
        />
        <div
          className={joinClasses(common.wrap, common.fixed, common.lineAbove, classes.bar)}
          role="group"
          aria-label={t('versions.trash.actions')}
        >
          <span className={joinClasses(common.cut, common.quiet, classes.chosen)}>
            {entry === undefined ? t('versions.trash.choose') : <KeyText name={entry.key} />}
          </span>
          <Button
            size="compact-sm"
            disabled={!canRestore}
            onClick={() => {
              if (canRestore) restore([entry]);
            }}
          >
            {t('versions.actions.restore')}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            disabled={left.length === 0}
            onClick={() => restore(left)}
          >
            {t('versions.trash.restoreAll', { count: left.length })}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function TrashStatus({ trash, shown }: { readonly trash: Trash; readonly shown: number }) {
  const { t } = useTranslation();
  const { rows, isReading, isWhole, error } = trash;
  return (
    <div className={joinClasses(common.wrap, common.quiet, common.fixed, classes.note)}>
      <span role="status">
        {rows === null ? '' : t('versions.trash.count', { count: shown })}
        {rows === null || isWhole
          ? ''
          : ` · ${t('versions.trash.scanned', { number: formatCount(trash.scanned) })}`}
      </span>
      {isReading ? (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Loader size={12} aria-hidden />}
          onClick={trash.stop}
        >
          {t('common.stop')}
        </Button>
      ) : null}
      {!isReading && !isWhole && error === null ? (
        <Button variant="subtle" size="compact-sm" onClick={trash.resume}>
          {t('versions.trash.resume')}
        </Button>
      ) : null}
    </div>
  );
}

interface TrashListProps {
  readonly trash: Trash;
  readonly shown: readonly DeletedEntry[] | null;
  readonly isFiltered: boolean;
  readonly active: number;
  readonly restoring: ReadonlySet<string>;
  readonly onActive: (index: number) => void;
  readonly onRestore: (entry: DeletedEntry) => void;
}

function TrashList({ trash, shown, isFiltered, ...props }: TrashListProps) {
  const { t } = useTranslation();
  const { error } = trash;
  if (error?.code === 'unsupported')
    return <EmptyState title={t('versions.unsupported.title')} body={t('versions.unsupported.body')} />;
  return (
    <>
      {error === null ? null : (
        <Box flex="none" pb="xs" px="md">
          <ErrorNotice error={error} permission="s3:ListBucketVersions" onRetry={trash.resume} isReading />
        </Box>
      )}
      {shown === null && error === null ? (
        <Loader m="md" size={24} role="status" aria-label={t('versions.loading')} />
      ) : null}
      {shown?.length === 0 && !trash.isReading && error === null ? (
        <EmptyState
          icon={<Trash2 size={28} />}
          title={t(isFiltered ? 'versions.trash.noMatch' : 'versions.trash.empty')}
          {...(isFiltered ? {} : { body: t('versions.trash.emptyBody') })}
        />
      ) : null}
      {shown !== null && shown.length > 0 ? <TrashTable rows={shown} {...props} /> : null}
    </>
  );
}
