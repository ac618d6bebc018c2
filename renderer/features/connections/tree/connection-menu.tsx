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
  SquareTerminal,
  Stethoscope,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PointMenu, type MenuPoint } from '../../../ui/point-menu.tsx';
import { openConnectionDialog } from '../model/connection-dialog-store.ts';
import { useConnectionName } from '../model/connection-name.ts';
import { useConnectionActions } from '../model/connection-queries.ts';
import classes from './sidebar.module.css';
import type { ConnectionTreeRow } from '../model/tree-model.ts';

interface Props {
  readonly row: Extract<ConnectionTreeRow, { kind: 'connection' }>;
  readonly at: MenuPoint;
  /** The connections that can be reordered, in order. */
  readonly order: readonly string[];
  readonly onClose: () => void;
  readonly onOpen: (row: ConnectionTreeRow) => void;
  readonly onOpenByName: (connectionId: string) => void;
  readonly onStep: (connectionId: string, by: -1 | 1) => void;
  readonly onCreate: () => void;
  readonly onNewBucket: (connectionId: string) => void;
  readonly onPrices: (connectionId: string) => void;
}

const icon = { size: 15, 'aria-hidden': true } as const;

/** The menu of a connection in the tree, at the mouse or below the focused row. */
export function ConnectionMenu(props: Props) {
  const { row, at, order, onClose, onOpen, onOpenByName, onStep, onCreate, onNewBucket, onPrices } = props;
  const { t } = useTranslation();
  const actions = useConnectionActions();
  const { connection } = row;
  const { id, builtIn } = connection;
  const name = useConnectionName()(connection);
  return (
    <PointMenu at={at} label={t('connections.sidebar.moreActions', { name })} widthPx={240} onClose={onClose}>
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
    </PointMenu>
  );
}
