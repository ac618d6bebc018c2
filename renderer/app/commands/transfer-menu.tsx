import { ActionIcon, Tooltip } from '@mantine/core';
import { Download, FileUp, FolderSync, FolderUp, SlidersHorizontal, Upload } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../../ui/menu-button.tsx';
import { MenuEntries } from '../../ui/menu-entries.tsx';
import { withKeys } from '../../ui/keyboard/commands.ts';
import type { Commands } from './define-command.ts';
import classes from '../shell.module.css';

interface TransferMenuProps {
  readonly commands: Commands;
  /** True if the folder could not be opened. */
  readonly isDisabled: boolean;
}

/** The menus to upload into the visible folder and to download from it. */
export const TransferMenu = memo(function TransferMenu({ commands, isDisabled }: TransferMenuProps) {
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
              disabled={isDisabled}
              {...attributes}
            >
              <Upload size={16} aria-hidden />
              <span className={classes.word}>{t('transfers.upload')}</span>
            </ActionIcon>
          </Tooltip>
        )}
      >
        <MenuEntries
          groups={[
            [
              {
                label: t('transfers.uploadFiles'),
                icon: FileUp,
                command: 'uploadFiles',
                run: commands.uploadFiles,
              },
              { label: t('transfers.uploadFolder'), icon: FolderUp, run: commands.uploadFolder },
              {
                label: t('transfers.options.menu'),
                icon: SlidersHorizontal,
                run: commands.uploadWithOptions,
              },
            ],
            [
              { label: t('entries.sync.menu.up'), icon: FolderSync, run: commands.syncUp },
              { label: t('entries.sync.menu.down'), icon: FolderSync, run: commands.syncDown },
            ],
          ]}
        />
      </MenuButton>
      <Tooltip label={withKeys(t('transfers.download'), 'download')}>
        <ActionIcon
          size={28}
          aria-label={t('transfers.download')}
          className={classes.tool ?? ''}
          data-word
          disabled={isDisabled}
          onClick={commands.download}
        >
          <Download size={16} aria-hidden />
          <span className={classes.word}>{t('transfers.download')}</span>
        </ActionIcon>
      </Tooltip>
    </>
  );
});
