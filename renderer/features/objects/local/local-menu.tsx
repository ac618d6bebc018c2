import {
  Eye,
  EyeOff,
  FolderOpen,
  FolderOutput,
  FolderPlus,
  FolderSearch,
  Info,
  ListChecks,
  PencilLine,
  RotateCw,
  Trash2,
  Upload,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PointMenu, type MenuPoint, MenuEntries, menuEntry } from '../../../ui/menus.tsx';
import type { FolderRow } from '../rows/row.ts';

interface LocalMenuProps {
  /** Null while closed. */
  readonly at: MenuPoint | null;
  readonly selected: readonly FolderRow[];
  /** True if a folder is open, not the list of top-level folders. */
  readonly isFolder: boolean;
  readonly onClose: () => void;
  readonly onOpen: (row: FolderRow) => void;
  readonly onCopyToPane: () => void;
  readonly onUpload: () => void;
  readonly onRename: () => void;
  readonly onRemove: () => void;
  readonly onDetails: () => void;
  readonly onReveal: () => void;
  readonly onNewFolder: () => void;
  readonly areHiddenShown: boolean;
  readonly onToggleHidden: () => void;
  readonly onSelectAll: () => void;
  readonly onReload: () => void;
}

/** The menu of local files and folders. */
export function LocalMenu(props: LocalMenuProps) {
  const { t } = useTranslation();
  const { at, selected, isFolder, onClose } = props;
  const [only, ...others] = selected;
  const isSingle = others.length === 0;
  return (
    <PointMenu at={at} label={t('objects.menu.label')} widthPx={280} offsetPx={2} onClose={onClose}>
      <MenuEntries
        groups={[
          [
            only?.kind === 'folder' &&
              isSingle &&
              menuEntry(t('objects.menu.open'), FolderOpen, () => props.onOpen(only), { command: 'open' }),
            only !== undefined &&
              menuEntry(t('common.panes.copy'), FolderOutput, props.onCopyToPane, { command: 'copyToPane' }),
            only !== undefined && menuEntry(t('files.upload'), Upload, props.onUpload),
            (only !== undefined || isFolder) && menuEntry(t('files.reveal'), FolderSearch, props.onReveal),
            isFolder &&
              menuEntry(t('operations.menu.newFolder'), FolderPlus, props.onNewFolder, {
                command: 'newFolder',
              }),
          ],
          isFolder && only !== undefined
            ? [
                isSingle &&
                  menuEntry(t('operations.menu.rename'), PencilLine, props.onRename, { command: 'rename' }),
                menuEntry(t('operations.menu.delete'), Trash2, props.onRemove, {
                  command: 'remove',
                  isDanger: true,
                }),
              ]
            : [],
          [
            menuEntry(t('objects.menu.details'), Info, props.onDetails),
            menuEntry(t('objects.menu.selectAll'), ListChecks, props.onSelectAll, { command: 'selectAll' }),
            menuEntry(t('objects.menu.reload'), RotateCw, props.onReload, { command: 'reload' }),
            isFolder &&
              menuEntry(
                t(props.areHiddenShown ? 'files.hideHidden' : 'files.showHidden'),
                props.areHiddenShown ? EyeOff : Eye,
                props.onToggleHidden,
              ),
          ],
        ]}
      />
    </PointMenu>
  );
}
