import { Button, Group, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { closeConnectionDialog, openConnectionDialog } from '../model/connection-dialog-store.ts';
import type { Fix } from '../model/explain-test.ts';
import { draftFromConnection, toInput } from '../model/connection-form-model.ts';
import { TestPanel } from './test-panel.tsx';
import { useConnectionTest } from './use-connection-test.ts';

/** Tests a stored connection without changes. Its remedies open the form. */
export function TestDialog({ connection }: { readonly connection: Connection }) {
  const { t } = useTranslation();
  const test = useConnectionTest();
  const { start } = test;
  // The list of connections may be fetched again meanwhile; the test keeps the connection it started with.
  const tried = useRef(connection);
  useEffect(() => {
    start(tried.current.id, toInput(draftFromConnection(tried.current)));
  }, [start]);

  const edit = (fix?: Fix) =>
    openConnectionDialog({
      mode: 'edit',
      connectionId: connection.id,
      ...(fix === undefined ? {} : { fix }),
    });

  return (
    <Dialog
      onClose={closeConnectionDialog}
      title={t('connectionForm.test.title', { name: connection.name })}
      size="lg"
    >
      <Stack>
        <TestPanel test={test} onFix={edit} />
        <Group justify="flex-end">
          {connection.builtIn ? null : (
            <Button variant="default" onClick={() => edit()}>
              {t('connectionForm.test.edit')}
            </Button>
          )}
          <Button onClick={closeConnectionDialog}>{t('connectionForm.test.close')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
