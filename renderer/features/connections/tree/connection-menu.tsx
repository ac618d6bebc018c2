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
import { PointMenu, type MenuPoint, MenuEntries, type MenuGroup } from '../../../ui/menus.tsx';
import { openConnectionDialog } from '../model/connection-dialog-store.ts';
import { useConnectionName, useConnectionActions } from '../model/connection-queries.ts';
import type { ConnectionTreeRow } from '../model/tree-model.ts';
import { openPriceDialog } from '../../prices/index.ts';

interface Props {
  readonly row: Extract<ConnectionTreeRow, { kind: 'connection' }>;
  readonly at: MenuPoint;
  /** The ids of connections that can be reordered, in their order. */
  readonly order: readonly string[];
  readonly onClose: () => void;
  readonly onOpen: (row: ConnectionTreeRow) => void;
  readonly onOpenByName: (connectionId: string) => void;
  readonly onStep: (connectionId: string, by: -1 | 1) => void;
  readonly onCreate: () => void;
  readonly onNewBucket: (connectionId: string) => void;
}

/** The menu of a connection in the tree, at the mouse or below the focused row. */
export function ConnectionMenu(props: Props) {
  const { row, at, order, onClose, onOpen, onOpenByName, onStep, onCreate, onNewBucket } = props;
  const { t } = useTranslation();
  const actions = useConnectionActions();
  const { connection } = row;
  const { id, builtIn } = connection;
  const name = useConnectionName()(connection);
  const builtInEntries: MenuGroup = [
    {
      label: t('connections.programs.open'),
      icon: SquareTerminal,
      run: () => openConnectionDialog({ mode: 'programs' }),
    },
  ];
  const editingEntries: MenuGroup = [
    {
      label: t('connections.menu.edit'),
      icon: Pencil,
      run: () => openConnectionDialog({ mode: 'edit', connectionId: id }),
    },
    {
      label: t('connections.menu.test'),
      icon: Stethoscope,
      run: () => openConnectionDialog({ mode: 'test', connectionId: id }),
    },
    { label: t('connections.menu.duplicate'), icon: Copy, run: () => actions.duplicate.mutate(id) },
  ];
  return (
    <PointMenu at={at} label={t('connections.sidebar.moreActions', { name })} widthPx={240} onClose={onClose}>
      <MenuEntries
        groups={[
          [
            { label: t('connections.menu.open'), icon: FolderOpen, run: () => onOpen(row) },
            { label: t('connections.menu.openByName'), icon: TextCursorInput, run: () => onOpenByName(id) },
            {
              label: t('connections.menu.reload'),
              icon: RefreshCw,
              run: () => void actions.reloadBuckets(id),
            },
            { label: t('entries.buckets.menu.create'), icon: PackagePlus, run: () => onNewBucket(id) },
            {
              label: t('entries.prices.menu'),
              icon: Coins,
              run: () => openPriceDialog({ connectionId: id }),
            },
          ],
          [
            ...(builtIn ? builtInEntries : editingEntries),
            {
              label: t('connections.menu.moveUp'),
              icon: ArrowUp,
              isDisabled: builtIn || order[0] === id,
              run: () => onStep(id, -1),
            },
            {
              label: t('connections.menu.moveDown'),
              icon: ArrowDown,
              isDisabled: builtIn || order.at(-1) === id,
              run: () => onStep(id, 1),
            },
          ],
          [
            { label: t('connections.menu.new'), icon: Plus, run: onCreate },
            {
              label: t('connections.menu.remove'),
              icon: Trash2,
              isDanger: true,
              run: () => openConnectionDialog({ mode: 'remove', connectionId: id }),
            },
          ],
        ]}
      />
    </PointMenu>
  );
}
