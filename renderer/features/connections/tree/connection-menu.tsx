import { Menu } from '@mantine/core';
import {
  ArrowDown,
  ArrowUp,
  Coins,
  Copy,
  FolderOpen,
  Pencil,
  Plus,
  PackagePlus,
  RefreshCw,
  Settings2,
  SquareTerminal,
  Stethoscope,
  TextCursorInput,
  Trash2,
  X,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import { copyAndSay } from '../../../ui/clipboard/copy-text.ts';
import { openConnectionDialog } from '../model/connection-dialog-store.ts';
import { useConnectionActions } from '../model/connection-queries.ts';
import classes from './sidebar.module.css';
import type { ConnectionTreeRow } from '../model/tree-model.ts';

type MenuRow = Extract<ConnectionTreeRow, { kind: 'connection' | 'bucket' }>;

export interface MenuAnchor {
  readonly row: MenuRow;
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly anchor: MenuAnchor | null;
  /** The connections that can be reordered, in order. */
  readonly order: readonly string[];
  readonly onClose: () => void;
  readonly onOpen: (row: ConnectionTreeRow) => void;
  readonly onOpenByName: (connectionId: string) => void;
  readonly onStep: (connectionId: string, by: -1 | 1) => void;
  readonly onCreate: () => void;
  readonly onNewBucket: (connectionId: string) => void;
  readonly onPrices: (connectionId: string) => void;
  readonly onBucketSettings: (place: Place) => void;
  readonly onRemoveBucket: (place: Place) => void;
}

/** The context menu of the tree, at the mouse or below the focused row. */
export function ConnectionMenu(props: Props) {
  const { anchor, onClose } = props;
  if (anchor === null) return null;
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={240} shadow="md" returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: anchor.x, top: anchor.y, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {anchor.row.kind === 'connection' ? (
          <ConnectionItems {...props} row={anchor.row} connection={anchor.row.connection} />
        ) : (
          <BucketItems {...props} row={anchor.row} />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const icon = { size: 15, 'aria-hidden': true } as const;

interface ConnectionItemsProps extends Props {
  readonly row: Extract<ConnectionTreeRow, { kind: 'connection' }>;
  readonly connection: Connection;
}

function ConnectionItems({
  row,
  connection,
  order,
  onOpen,
  onOpenByName,
  onStep,
  onCreate,
  onNewBucket,
  onPrices,
}: ConnectionItemsProps) {
  const { t } = useTranslation();
  const actions = useConnectionActions();
  const { id, builtIn } = connection;
  return (
    <>
      <Menu.Item leftSection={<FolderOpen {...icon} />} onClick={() => onOpen(row)}>
        {t('connections.menu.open')}
      </Menu.Item>
      <Menu.Item leftSection={<TextCursorInput {...icon} />} onClick={() => onOpenByName(id)}>
        {t('connections.menu.openByName')}
      </Menu.Item>
      <Menu.Item leftSection={<RefreshCw {...icon} />} onClick={() => void actions.reloadBuckets(id)}>
        {t('connections.menu.reload')}
      </Menu.Item>
      <Menu.Item leftSection={<PackagePlus {...icon} />} onClick={() => onNewBucket(id)}>
        {t('entries.buckets.menu.create')}
      </Menu.Item>
      <Menu.Item leftSection={<Coins {...icon} />} onClick={() => onPrices(id)}>
        {t('entries.prices.menu')}
      </Menu.Item>
      <Menu.Divider />
      {builtIn ? (
        <Menu.Item
          leftSection={<SquareTerminal {...icon} />}
          onClick={() => openConnectionDialog({ mode: 'programs' })}
        >
          {t('connections.programs.open')}
        </Menu.Item>
      ) : null}
      {builtIn ? null : (
        <Menu.Item
          leftSection={<Pencil {...icon} />}
          onClick={() => openConnectionDialog({ mode: 'edit', connectionId: id })}
        >
          {t('connections.menu.edit')}
        </Menu.Item>
      )}
      {builtIn ? null : (
        <Menu.Item
          leftSection={<Stethoscope {...icon} />}
          onClick={() => openConnectionDialog({ mode: 'test', connectionId: id })}
        >
          {t('connections.menu.test')}
        </Menu.Item>
      )}
      {builtIn ? null : (
        <Menu.Item leftSection={<Copy {...icon} />} onClick={() => actions.duplicate.mutate(id)}>
          {t('connections.menu.duplicate')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<ArrowUp {...icon} />}
        disabled={builtIn || order[0] === id}
        onClick={() => onStep(id, -1)}
      >
        {t('connections.menu.moveUp')}
      </Menu.Item>
      <Menu.Item
        leftSection={<ArrowDown {...icon} />}
        disabled={builtIn || order.at(-1) === id}
        onClick={() => onStep(id, 1)}
      >
        {t('connections.menu.moveDown')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<Plus {...icon} />} onClick={onCreate}>
        {t('connections.menu.new')}
      </Menu.Item>
      <Menu.Item
        className={classes.danger}
        leftSection={<Trash2 {...icon} />}
        onClick={() => openConnectionDialog({ mode: 'remove', connectionId: id })}
      >
        {t('connections.menu.remove')}
      </Menu.Item>
    </>
  );
}

interface BucketItemsProps extends Props {
  readonly row: Extract<ConnectionTreeRow, { kind: 'bucket' }>;
}

function BucketItems({ row, onOpen, onBucketSettings, onRemoveBucket }: BucketItemsProps) {
  const { t } = useTranslation();
  const actions = useConnectionActions();
  const { name, source } = row.bucket;
  const place = { connectionId: row.connectionId, bucket: name };
  const copy = () => void copyAndSay(name);
  return (
    <>
      <Menu.Item leftSection={<FolderOpen {...icon} />} onClick={() => onOpen(row)}>
        {t('connections.menu.open')}
      </Menu.Item>
      <Menu.Item leftSection={<Copy {...icon} />} onClick={copy}>
        {t('connections.menu.copyName')}
      </Menu.Item>
      {source === 'typed' ? (
        <Menu.Item
          leftSection={<X {...icon} />}
          onClick={() => actions.forgetBucket.mutate({ connectionId: row.connectionId, bucket: name })}
        >
          {t('connections.menu.forget')}
        </Menu.Item>
      ) : null}
      <Menu.Divider />
      <Menu.Item leftSection={<Settings2 {...icon} />} onClick={() => onBucketSettings(place)}>
        {t('entries.buckets.menu.settings')}
      </Menu.Item>
      <Menu.Item
        className={classes.danger}
        leftSection={<Trash2 {...icon} />}
        onClick={() => onRemoveBucket(place)}
      >
        {t('entries.buckets.menu.remove')}
      </Menu.Item>
    </>
  );
}
