import { Menu } from '@mantine/core';
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
import { MenuKeys, PointMenu, type MenuPoint } from '../../../ui/point-menu.tsx';
import type { FolderRow } from '../rows/row.ts';

interface LocalMenuProps {
  /** null: closed. */
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

/** The actions on files of this computer. */
export function LocalMenu(props: LocalMenuProps) {
  const { t } = useTranslation();
  const { at, selected, isFolder, onClose } = props;
  const [only, ...others] = selected;
  const icon = { size: 15, 'aria-hidden': true } as const;
  return (
    <PointMenu at={at} label={t('objects.menu.label')} widthPx={280} offsetPx={2} onClose={onClose}>
      {only?.kind === 'folder' && others.length === 0 ? (
        <Menu.Item
          leftSection={<FolderOpen {...icon} />}
          rightSection={<MenuKeys command="open" />}
          onClick={() => {
            props.onOpen(only);
          }}
        >
          {t('objects.menu.open')}
        </Menu.Item>
      ) : null}
      {only === undefined ? null : (
        <Menu.Item
          leftSection={<FolderOutput {...icon} />}
          rightSection={<MenuKeys command="copyToPane" />}
          onClick={props.onCopyToPane}
        >
          {t('common.panes.copy')}
        </Menu.Item>
      )}
      {only === undefined ? null : (
        <Menu.Item leftSection={<Upload {...icon} />} onClick={props.onUpload}>
          {t('files.upload')}
        </Menu.Item>
      )}
      {only === undefined && !isFolder ? null : (
        <Menu.Item leftSection={<FolderSearch {...icon} />} onClick={props.onReveal}>
          {t('files.reveal')}
        </Menu.Item>
      )}
      {isFolder ? (
        <Menu.Item
          leftSection={<FolderPlus {...icon} />}
          rightSection={<MenuKeys command="newFolder" />}
          onClick={props.onNewFolder}
        >
          {t('operations.menu.newFolder')}
        </Menu.Item>
      ) : null}
      {isFolder && only !== undefined ? (
        <>
          <Menu.Divider />
          {others.length === 0 ? (
            <Menu.Item
              leftSection={<PencilLine {...icon} />}
              rightSection={<MenuKeys command="rename" />}
              onClick={props.onRename}
            >
              {t('operations.menu.rename')}
            </Menu.Item>
          ) : null}
          <Menu.Item
            leftSection={<Trash2 {...icon} />}
            rightSection={<MenuKeys command="remove" />}
            color="red"
            onClick={props.onRemove}
          >
            {t('operations.menu.delete')}
          </Menu.Item>
        </>
      ) : null}
      <Menu.Divider />
      <Menu.Item leftSection={<Info {...icon} />} onClick={props.onDetails}>
        {t('objects.menu.details')}
      </Menu.Item>
      <Menu.Item
        leftSection={<ListChecks {...icon} />}
        rightSection={<MenuKeys command="selectAll" />}
        onClick={props.onSelectAll}
      >
        {t('objects.menu.selectAll')}
      </Menu.Item>
      <Menu.Item
        leftSection={<RotateCw {...icon} />}
        rightSection={<MenuKeys command="reload" />}
        onClick={props.onReload}
      >
        {t('objects.menu.reload')}
      </Menu.Item>
      {isFolder ? (
        <Menu.Item
          leftSection={props.areHiddenShown ? <EyeOff {...icon} /> : <Eye {...icon} />}
          onClick={props.onToggleHidden}
        >
          {t(props.areHiddenShown ? 'files.hideHidden' : 'files.showHidden')}
        </Menu.Item>
      ) : null}
    </PointMenu>
  );
}
