import { ActionIcon, Menu } from '@mantine/core';
import { Download, Ellipsis, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { openConnectionDialog } from '../model/connection-dialog-store.ts';
import { exportConnections } from '../programs/export-file.ts';

const icon = { size: 15, 'aria-hidden': true } as const;

/** Actions on all connections. */
export function ConnectionsMenu() {
  const { t } = useTranslation();
  return (
    <MenuButton
      position="bottom-end"
      width={220}
      renderButton={(attributes) => (
        <ActionIcon size="sm" aria-label={t('connections.menu.actions')} {...attributes}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      )}
    >
      <Menu.Item leftSection={<Upload {...icon} />} onClick={() => openConnectionDialog({ mode: 'import' })}>
        {t('connections.menu.importFile')}
      </Menu.Item>
      <Menu.Item leftSection={<Download {...icon} />} onClick={() => exportConnections()}>
        {t('connections.menu.exportFile')}
      </Menu.Item>
    </MenuButton>
  );
}
