import { Menu } from '@mantine/core';
import {
  Copy,
  Download,
  Eye,
  FileUp,
  FolderOpen,
  FolderUp,
  History,
  Info,
  ListChecks,
  QrCode,
  RotateCw,
  SlidersHorizontal,
  SquarePlus,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../ui/format.ts';
import { shortcutText } from '../../ui/shortcuts.ts';
import type { AboutActions } from './about-actions.ts';
import type { CopyKind } from './object-actions.ts';
import type { FolderRow } from './row.ts';

export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

interface RowMenuProps {
  /** null: closed. */
  readonly at: MenuPoint | null;
  readonly selected: readonly FolderRow[];
  readonly onClose: () => void;
  readonly onOpen: (row: FolderRow, inNewTab: boolean) => void;
  readonly onCopy: (kind: CopyKind) => void;
  readonly onDetails: () => void;
  readonly onUpload: (kind: 'file' | 'folder') => void;
  readonly onDownload: () => void;
  readonly about: AboutActions;
  readonly onSelectAll: () => void;
  readonly onReload: () => void;
}

const icon = { size: 15, 'aria-hidden': true } as const;

/** What can be done with the selection. */
export function RowMenu(props: RowMenuProps) {
  const { t } = useTranslation();
  const { at, selected, onClose, onOpen, onCopy, about } = props;
  const [only] = selected.length === 1 ? selected : [];
  const many = selected.length > 1;
  return (
    <Menu
      opened={at !== null}
      position="bottom-start"
      offset={2}
      width={250}
      returnFocus
      onChange={(opened) => {
        if (!opened) onClose();
      }}
    >
      <Menu.Target>
        <div
          aria-hidden
          style={{ position: 'fixed', left: at?.x ?? 0, top: at?.y ?? 0, width: 0, height: 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('objects.menu.label')}>
        {only?.kind === 'folder' ? (
          <>
            <Menu.Item
              leftSection={<FolderOpen {...icon} />}
              rightSection={<Keys keys="Enter" />}
              onClick={() => {
                onOpen(only, false);
              }}
            >
              {t('objects.menu.open')}
            </Menu.Item>
            <Menu.Item
              leftSection={<SquarePlus {...icon} />}
              rightSection={<Keys keys="mod+Enter" />}
              onClick={() => {
                onOpen(only, true);
              }}
            >
              {t('objects.menu.openInTab')}
            </Menu.Item>
          </>
        ) : null}
        {only?.kind === 'object' ? (
          <Menu.Item
            leftSection={<Eye {...icon} />}
            rightSection={<Keys keys="Enter" />}
            onClick={() => {
              onOpen(only, false);
            }}
          >
            {t('objects.menu.preview')}
          </Menu.Item>
        ) : null}
        {selected.length === 0 ? null : (
          <>
            <Menu.Item
              leftSection={<Info {...icon} />}
              rightSection={<Keys keys="mod+I" />}
              onClick={props.onDetails}
            >
              {t('objects.menu.details')}
            </Menu.Item>
            <Menu.Item
              leftSection={<SlidersHorizontal {...icon} />}
              rightSection={<Keys keys="alt+Enter" />}
              onClick={about.properties}
            >
              {t('properties.open')}
            </Menu.Item>
            {only?.kind === 'object' ? (
              <>
                <Menu.Item leftSection={<History {...icon} />} onClick={about.versions}>
                  {t('versions.ofObject')}
                </Menu.Item>
                <Menu.Item leftSection={<QrCode {...icon} />} onClick={about.link}>
                  {t('links.open')}
                </Menu.Item>
              </>
            ) : null}
            <Menu.Divider />
            <Menu.Item
              leftSection={<Copy {...icon} />}
              rightSection={<Keys keys="mod+C" />}
              onClick={() => {
                onCopy('key');
              }}
            >
              {many
                ? t('objects.menu.copyKeys', { rows: formatCount(selected.length) })
                : t(only?.kind === 'folder' ? 'objects.menu.copyPrefix' : 'objects.menu.copyKey')}
            </Menu.Item>
          </>
        )}
        {only === undefined ? null : (
          <>
            <Menu.Item
              leftSection={<Copy {...icon} />}
              onClick={() => {
                onCopy('s3Uri');
              }}
            >
              {t('objects.menu.copyS3')}
            </Menu.Item>
            <Menu.Item
              leftSection={<Copy {...icon} />}
              onClick={() => {
                onCopy('httpsUrl');
              }}
            >
              {t('objects.menu.copyHttps')}
            </Menu.Item>
          </>
        )}
        {selected.length === 0 ? null : <Menu.Divider />}
        <Menu.Item
          leftSection={<Download {...icon} />}
          rightSection={<Keys keys="mod+S" />}
          onClick={props.onDownload}
        >
          {t(selected.length === 0 ? 'transfers.downloadFolder' : 'transfers.download')}
        </Menu.Item>
        <Menu.Item
          leftSection={<FileUp {...icon} />}
          rightSection={<Keys keys="mod+U" />}
          onClick={() => {
            props.onUpload('file');
          }}
        >
          {t('transfers.uploadFiles')}
        </Menu.Item>
        <Menu.Item
          leftSection={<FolderUp {...icon} />}
          onClick={() => {
            props.onUpload('folder');
          }}
        >
          {t('transfers.uploadFolder')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<ListChecks {...icon} />}
          rightSection={<Keys keys="mod+A" />}
          onClick={props.onSelectAll}
        >
          {t('objects.menu.selectAll')}
        </Menu.Item>
        <Menu.Item
          leftSection={<RotateCw {...icon} />}
          rightSection={<Keys keys="F5" />}
          onClick={props.onReload}
        >
          {t('objects.menu.reload')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Keys({ keys }: { readonly keys: string }) {
  return <span style={{ color: 'var(--cooper-quiet)', fontSize: 12 }}>{shortcutText(keys)}</span>;
}
