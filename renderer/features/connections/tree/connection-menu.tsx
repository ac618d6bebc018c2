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
import { PointMenu, type MenuPoint, MenuEntries, type MenuGroup, menuEntry } from '../../../ui/menus.tsx';
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
    menuEntry(t('connections.programs.open'), SquareTerminal, () =>
      openConnectionDialog({ mode: 'programs' }),
    ),
  ];
  const editingEntries: MenuGroup = [
    menuEntry(t('connections.menu.edit'), Pencil, () =>
      openConnectionDialog({ mode: 'edit', connectionId: id }),
    ),
    menuEntry(t('connections.menu.test'), Stethoscope, () =>
      openConnectionDialog({ mode: 'test', connectionId: id }),
    ),
    menuEntry(t('connections.menu.duplicate'), Copy, () => actions.duplicate.mutate(id)),
  ];
  return (
    <PointMenu at={at} label={t('connections.sidebar.moreActions', { name })} widthPx={240} onClose={onClose}>
      <MenuEntries
        groups={[
          [
            menuEntry(t('connections.menu.open'), FolderOpen, () => onOpen(row)),
            menuEntry(t('connections.menu.openByName'), TextCursorInput, () => onOpenByName(id)),
            menuEntry(t('connections.menu.reload'), RefreshCw, () => void actions.reloadBuckets(id)),
            menuEntry(t('entries.buckets.menu.create'), PackagePlus, () => onNewBucket(id)),
            menuEntry(t('entries.prices.menu'), Coins, () => openPriceDialog({ connectionId: id })),
          ],
          [
            ...(builtIn ? builtInEntries : editingEntries),
            menuEntry(t('connections.menu.moveUp'), ArrowUp, () => onStep(id, -1), {
              isDisabled: builtIn || order[0] === id,
            }),
            menuEntry(t('connections.menu.moveDown'), ArrowDown, () => onStep(id, 1), {
              isDisabled: builtIn || order.at(-1) === id,
            }),
          ],
          [
            menuEntry(t('connections.menu.new'), Plus, onCreate),
            menuEntry(
              t('connections.menu.remove'),
              Trash2,
              () => openConnectionDialog({ mode: 'remove', connectionId: id }),
              { isDanger: true },
            ),
          ],
        ]}
      />
    </PointMenu>
  );
}
