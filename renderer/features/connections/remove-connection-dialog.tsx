import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../shared/models/connection.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useConnectionName } from './model/connection-name.ts';
import { closeConnectionDialog } from './model/connection-dialog-store.ts';
import { useConnectionActions } from './model/connection-queries.ts';

/** Asks before a connection is removed, and says what is kept. */
export function RemoveConnectionDialog({ connection }: { readonly connection: Connection }) {
  const { t } = useTranslation();
  const { remove } = useConnectionActions();
  return (
    <Dialog
      onClose={closeConnectionDialog}
      title={t('connections.remove.title', { name: useConnectionName()(connection) })}
      size="md"
    >
      <Stack>
        <Text size="sm">
          {t(connection.builtIn ? 'connections.remove.bodyBuiltIn' : 'connections.remove.body')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={closeConnectionDialog} data-autofocus>
            {t('connections.remove.cancel')}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(connection.id)}>
            {t('connections.remove.confirm')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
