import { Button, Group, Loader, Radio, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../shared/models/connection.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { ConnectionFormView } from './form/connection-form.tsx';
import {
  closeConnectionDialog,
  type DialogRequest,
  openConnectionDialog,
} from './model/connection-dialog-store.ts';
import {
  draftFromConnection,
  draftFromProfile,
  newDraft,
  nothingStored,
  storedSecretsOf,
  toInput,
} from './model/connection-form-model.ts';
import { ImportDialog } from './programs/import-dialog.tsx';
import { OpenByNameDialog } from './home/open-by-name.tsx';
import { ProgramsDialog } from './programs/programs-dialog.tsx';
import {
  useConnectionName,
  useConnectionActions,
  useConnections,
  useSaveConnection,
} from './model/connection-queries.ts';
import type { Fix } from './model/explain-test.ts';
import { TestPanel } from './check/test-panel.tsx';
import { useConnectionTest } from './check/use-connection-test.ts';

/** Renders the requested dialog about connections. */
export function ConnectionDialog({ request }: { readonly request: DialogRequest }) {
  switch (request.mode) {
    case 'create':
      return <FormDialog request={request} connection={null} />;
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
    if (request.mode === 'edit') return <FormDialog request={request} connection={connection} />;
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

interface FormDialogProps {
  readonly request: Extract<DialogRequest, { mode: 'create' | 'edit' }>;
  readonly connection: Connection | null;
}

function FormDialog({ request, connection }: FormDialogProps) {
  const { t } = useTranslation();
  const save = useSaveConnection();
  // Reads the connection once, when the dialog opens. A change in another window thus does not overwrite typed text.
  const [initial] = useState(() => initialDraft(request, connection));
  const [stored] = useState(() => (connection === null ? nothingStored : storedSecretsOf(connection)));
  const [dirty, setDirty] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const close = useCallback(() => (dirty ? setLeaving(true) : closeConnectionDialog()), [dirty]);

  const title =
    connection === null
      ? t('connectionForm.form.createTitle')
      : t('connectionForm.form.editTitle', { name: connection.name });

  return (
    <Dialog onClose={close} title={title} size={640} closeOnClickOutside={!dirty}>
      <ConnectionFormView
        connectionId={connection?.id ?? null}
        initial={initial}
        stored={stored}
        {...('fix' in request && request.fix !== undefined ? { fix: request.fix } : {})}
        saving={save.isPending}
        saveError={save.error === null ? null : appErrorOf(save.error)}
        onSave={(input) =>
          save.mutate(
            { connectionId: connection?.id ?? null, input },
            {
              onSuccess(saved) {
                closeConnectionDialog();
                request.onSaved?.(saved);
              },
            },
          )
        }
        leaving={leaving}
        onStay={() => setLeaving(false)}
        onDiscard={closeConnectionDialog}
        onCancel={close}
        onDirty={setDirty}
      />
    </Dialog>
  );
}

function initialDraft(request: FormDialogProps['request'], connection: Connection | null) {
  if (connection !== null) return draftFromConnection(connection);
  if (request.mode === 'create' && request.profile !== undefined) return draftFromProfile(request.profile);
  return newDraft(request.mode === 'create' ? (request.provider ?? 'aws') : 'custom');
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
