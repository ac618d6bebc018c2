import { Button, Group, Loader, Radio, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../shared/models/connection.ts';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { ConnectionFormDialog } from './form/connection-form.tsx';
import {
  closeConnectionDialog,
  type DialogRequest,
  openConnectionDialog,
} from './model/connection-dialog-store.ts';
import { draftFromConnection, toInput } from './model/connection-form-model.ts';
import { ImportDialog } from './programs/import-dialog.tsx';
import { OpenByNameDialog } from './home/open-by-name.tsx';
import { ProgramsDialog } from './programs/programs-dialog.tsx';
import { useConnectionName, useConnectionActions, useConnections } from './model/connection-queries.ts';
import type { Fix } from './model/explain-test.ts';
import { TestPanel } from './check/test-panel.tsx';
import { useConnectionTest } from './check/use-connection-test.ts';

/** Renders the requested dialog about connections. */
export function ConnectionDialog({ request }: { readonly request: DialogRequest }) {
  switch (request.mode) {
    case 'create':
      return <ConnectionFormDialog request={request} connection={null} />;
    case 'open-by-name':
      return <OpenByNameDialog connectionId={request.connectionId} onOpen={request.onOpen} />;
    case 'choose':
      return <ChooseDialog bucket={request.bucket} having={request.having} onChosen={request.onChosen} />;
    case 'import':
      return <ImportDialog />;
    case 'programs':
      return <ProgramsDialog />;
    default:
      return <ForConnection request={request} />;
  }
}

type ConnectionRequest = Extract<DialogRequest, { mode: 'edit' | 'remove' | 'test' }>;

/** Renders a dialog about one connection once the connection has loaded. */
function ForConnection({ request }: { readonly request: ConnectionRequest }) {
  const { t } = useTranslation();
  const connections = useConnections();
  const connection = connections.data?.find((candidate) => candidate.id === request.connectionId) ?? null;
  if (connection !== null) {
    if (request.mode === 'edit') return <ConnectionFormDialog request={request} connection={connection} />;
    if (request.mode === 'remove') return <RemoveConnectionDialog connection={connection} />;
    return <TestDialog connection={connection} />;
  }
  // The connection was already removed, here or in another window.
  if (request.mode === 'remove' && !connections.isPending) return null;
  return (
    <Dialog onClose={closeConnectionDialog} title={t('connections.sidebar.title')}>
      {connections.isPending ? <Loader /> : <Text size="sm">{t('connections.home.gone.body')}</Text>}
    </Dialog>
  );
}

/** Asks for confirmation before a connection is removed, and says what is kept. */
function RemoveConnectionDialog({ connection }: { readonly connection: Connection }) {
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
        <DialogFooter onCancel={closeConnectionDialog} cancel={t('connections.remove.cancel')} startsOnCancel>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(connection.id)}>
            {t('connections.remove.confirm')}
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}

interface Props {
  readonly bucket: string;
  /** The ids of connections that list the bucket. May be empty. */
  readonly having: readonly string[];
  readonly onChosen: (connectionId: string) => void;
}

/** Asks with which connection to open a bucket, unless exactly one connection lists it. */
function ChooseDialog({ bucket, having, onChosen }: Props) {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  const connections = useConnections().data ?? [];
  const offered = having.length > 0 ? connections.filter(({ id }) => having.includes(id)) : connections;
  const [chosen, setChosen] = useState<string | null>(null);
  const connectionId = chosen ?? offered[0]?.id ?? null;
  return (
    <Dialog onClose={closeConnectionDialog} title={t('connections.choose.title', { name: bucket })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (connectionId === null) return;
          closeConnectionDialog();
          onChosen(connectionId);
        }}
      >
        <Stack gap="md">
          <Radio.Group
            label={t('connections.choose.label')}
            description={t(having.length > 0 ? 'connections.choose.several' : 'connections.choose.none')}
            value={connectionId}
            onChange={setChosen}
          >
            <Stack gap={8} mt={8}>
              {offered.map((connection, at) => (
                <Radio
                  key={connection.id}
                  value={connection.id}
                  label={nameOf(connection)}
                  {...(at === 0 ? { 'data-autofocus': true } : {})}
                />
              ))}
            </Stack>
          </Radio.Group>
          <DialogFooter onCancel={closeConnectionDialog}>
            <Button type="submit" disabled={connectionId === null}>
              {t('connections.choose.open')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Tests a stored connection with its saved settings. The offered remedies open the form. */
function TestDialog({ connection }: { readonly connection: Connection }) {
  const { t } = useTranslation();
  const test = useConnectionTest();
  const { start } = test;
  // Keeps the connection with which the test started, since the list may be fetched again in the meantime.
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
