import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { Download, FileUp, FolderSync, FolderUp, SlidersHorizontal, Upload } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../../ui/menu-button.tsx';
import { MenuKeys } from '../../ui/point-menu.tsx';
import { withKeys } from '../../ui/keyboard/commands.ts';
import type { Commands } from './window-commands.ts';
import classes from '../shell.module.css';

interface TransferMenuProps {
  readonly commands: Commands;
  /** True if the folder could not be opened. */
  readonly isUnusable: boolean;
}

const icon = { size: 16, 'aria-hidden': true } as const;

/** Uploads into the visible folder and downloads from it. */
export const TransferMenu = memo(function TransferMenu({ commands, isUnusable }: TransferMenuProps) {
  const { t } = useTranslation();
  return (
    <>
      <MenuButton
        position="bottom-end"
        width={240}
        renderButton={(attributes) => (
          <Tooltip label={t('transfers.upload')}>
            <ActionIcon
              size={28}
              aria-label={t('transfers.upload')}
              className={classes.tool ?? ''}
              data-word
              disabled={isUnusable}
              {...attributes}
            >
              <Upload {...icon} />
              <span className={classes.word}>{t('transfers.upload')}</span>
            </ActionIcon>
          </Tooltip>
        )}
      >
        <Menu.Item
          leftSection={<FileUp {...icon} />}
          rightSection={<MenuKeys command="uploadFiles" />}
          onClick={commands.uploadFiles}
        >
          {t('transfers.uploadFiles')}
        </Menu.Item>
        <Menu.Item leftSection={<FolderUp {...icon} />} onClick={commands.uploadFolder}>
          {t('transfers.uploadFolder')}
        </Menu.Item>
        <Menu.Item leftSection={<SlidersHorizontal {...icon} />} onClick={commands.uploadWithOptions}>
          {t('transfers.options.menu')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<FolderSync {...icon} />} onClick={commands.syncUp}>
          {t('entries.sync.menu.up')}
        </Menu.Item>
        <Menu.Item leftSection={<FolderSync {...icon} />} onClick={commands.syncDown}>
          {t('entries.sync.menu.down')}
        </Menu.Item>
      </MenuButton>
      <Tooltip label={withKeys(t('transfers.download'), 'download')}>
        <ActionIcon
          size={28}
          aria-label={t('transfers.download')}
          className={classes.tool ?? ''}
          data-word
          disabled={isUnusable}
          onClick={commands.download}
        >
          <Download {...icon} />
          <span className={classes.word}>{t('transfers.download')}</span>
        </ActionIcon>
      </Tooltip>
    </>
  );
});
