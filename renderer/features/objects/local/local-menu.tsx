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
import { PointMenu, type MenuPoint, MenuEntries } from '../../../ui/menus.tsx';
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
  const isOne = others.length === 0;
  return (
    <PointMenu at={at} label={t('objects.menu.label')} widthPx={280} offsetPx={2} onClose={onClose}>
      <MenuEntries
        groups={[
          [
            only?.kind === 'folder' &&
              isOne && {
                label: t('objects.menu.open'),
                icon: FolderOpen,
                command: 'open',
                run: () => {
                  props.onOpen(only);
                },
              },
            only !== undefined && {
              label: t('common.panes.copy'),
              icon: FolderOutput,
              command: 'copyToPane',
              run: props.onCopyToPane,
            },
            only !== undefined && { label: t('files.upload'), icon: Upload, run: props.onUpload },
            (only !== undefined || isFolder) && {
              label: t('files.reveal'),
              icon: FolderSearch,
              run: props.onReveal,
            },
            isFolder && {
              label: t('operations.menu.newFolder'),
              icon: FolderPlus,
              command: 'newFolder',
              run: props.onNewFolder,
            },
          ],
          isFolder && only !== undefined
            ? [
                isOne && {
                  label: t('operations.menu.rename'),
                  icon: PencilLine,
                  command: 'rename',
                  run: props.onRename,
                },
                {
                  label: t('operations.menu.delete'),
                  icon: Trash2,
                  command: 'remove',
                  isDanger: true,
                  run: props.onRemove,
                },
              ]
            : [],
          [
            { label: t('objects.menu.details'), icon: Info, run: props.onDetails },
            {
              label: t('objects.menu.selectAll'),
              icon: ListChecks,
              command: 'selectAll',
              run: props.onSelectAll,
            },
            { label: t('objects.menu.reload'), icon: RotateCw, command: 'reload', run: props.onReload },
            isFolder && {
              label: t(props.areHiddenShown ? 'files.hideHidden' : 'files.showHidden'),
              icon: props.areHiddenShown ? EyeOff : Eye,
              run: props.onToggleHidden,
            },
          ],
        ]}
      />
    </PointMenu>
  );
}
