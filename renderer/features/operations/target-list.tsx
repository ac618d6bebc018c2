import { Archive, Folder, RefreshCw, Server } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { KeyText } from '../../ui/cells/key-text.tsx';
import type { GridColumn } from '../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx';
import type { OperationServices } from './operation-services.ts';
import { typedIndex, type TargetSpot } from './target-spot.ts';
import { useTargets } from './use-targets.ts';
import classes from './operations.module.css';

interface Props {
  readonly spot: TargetSpot;
  readonly services: OperationServices;
  readonly onGo: (spot: TargetSpot) => void;
  readonly onUp: () => void;
}

const icons = { connection: Server, bucket: Archive, folder: Folder } as const;
/** Time in milliseconds within which typed letters form one text. */
const typingMs = 700;

/** Lists the folders in a location. Enter opens a folder, Backspace goes up, letters find a name. */
export function TargetList({ spot, services, onGo, onUp }: Props) {
  const { t } = useTranslation();
  const targets = useTargets(spot, services.connectionName);
  const { entries, hasMore } = targets;
  const [active, setActive] = useState(0);
  const typed = useRef({ text: '', atMs: 0 });
  const columns: readonly GridColumn[] = [
    { id: 'name', label: t('operations.target.kind'), width: 'minmax(0, 1fr)' },
  ];
  const open = (index: number): void => {
    const entry = entries[index];
    if (entry === undefined) targets.more();
    else onGo(entry.spot);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' || (event.altKey && event.key === 'ArrowUp')) {
      event.preventDefault();
      onUp();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const going = event.timeStamp - typed.current.atMs < typingMs;
      typed.current = { text: (going ? typed.current.text : '') + event.key, atMs: event.timeStamp };
      const names = entries.map(({ name }) => name);
      const index = typedIndex(names, typed.current.text, going ? active - 1 : active);
      if (index >= 0) setActive(index);
    }
  };
  const note = targets.isPending
    ? t('operations.target.loading')
    : entries.length > 0 || hasMore
      ? null
      : t(spot.kind === 'folder' ? 'operations.target.none' : 'operations.target.noBuckets');
  const cellsOf = (index: number): readonly ReactNode[] => {
    const entry = entries[index];
    const Icon = entry === undefined ? RefreshCw : icons[entry.kind];
    return [
      <span key="name" className={classes.place} data-kind={entry?.kind}>
        <Icon size={15} aria-hidden />
        <span>
          {entry === undefined ? (
            t(targets.isFetching ? 'operations.target.loading' : 'operations.target.more')
          ) : (
            <KeyText name={entry.name} />
          )}
        </span>
      </span>,
    ];
  };
  if (targets.error !== null)
    return (
      <ErrorNotice
        error={targets.error}
        onRetry={targets.retry}
        permission={spot.kind === 'folder' ? 's3:ListBucket' : 's3:ListAllMyBuckets'}
      />
    );
  return (
    <>
      {note === null ? null : (
        <div className={classes.note} role="status">
          {note}
        </div>
      )}
      <VirtualGrid
        label={t('operations.target.list')}
        columns={columns}
        hasHeader={false}
        rowCount={entries.length + (hasMore ? 1 : 0)}
        rowHeightPx={28}
        active={active}
        onActive={setActive}
        onOpen={open}
        onKey={onKey}
        cellsOf={cellsOf}
      />
    </>
  );
}
