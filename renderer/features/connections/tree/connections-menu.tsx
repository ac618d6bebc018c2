import { ActionIcon } from '@mantine/core';
import { Download, Ellipsis, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { MenuEntries } from '../../../ui/menu-entries.tsx';
import { openConnectionDialog } from '../model/connection-dialog-store.ts';
import { exportConnections } from '../programs/export-file.ts';

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
      <MenuEntries
        groups={[
          [
            {
              label: t('connections.menu.importFile'),
              icon: Upload,
              run: () => openConnectionDialog({ mode: 'import' }),
            },
            { label: t('connections.menu.exportFile'), icon: Download, run: exportConnections },
          ],
        ]}
      />
    </MenuButton>
  );
}
