import { Loader, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../shared/models/connection.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ConnectionFormView } from './form/connection-form.tsx';
import { ChooseDialog } from './choose-dialog.tsx';
import { closeConnectionDialog, type DialogRequest } from './model/connection-dialog-store.ts';
import {
  draftFromConnection,
  draftFromProfile,
  newDraft,
  nothingStored,
  storedSecretsOf,
} from './model/connection-form-model.ts';
import { ImportDialog } from './programs/import-dialog.tsx';
import { OpenByNameDialog } from './home/open-by-name.tsx';
import { ProgramsDialog } from './programs/programs-dialog.tsx';
import { useConnections, useSaveConnection } from './model/connection-queries.ts';
import { RemoveConnectionDialog } from './remove-connection-dialog.tsx';
import { TestDialog } from './check/test-dialog.tsx';

/** The requested dialog. */
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

type ConnectionRequest = Exclude<
  DialogRequest,
  { mode: 'create' | 'choose' | 'open-by-name' | 'import' | 'programs' }
>;

/** Waits until the dialog's connection has loaded. */
function ForConnection({ request }: { readonly request: ConnectionRequest }) {
  const { t } = useTranslation();
  const connections = useConnections();
  const connection = connections.data?.find((candidate) => candidate.id === request.connectionId) ?? null;
  if (connection !== null) {
    if (request.mode === 'edit') return <FormDialog request={request} connection={connection} />;
    if (request.mode === 'remove') return <RemoveConnectionDialog connection={connection} />;
    return <TestDialog connection={connection} />;
  }
  // Removed already, here or in another window.
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
  // Fixed when the dialog opens: a change in another window must not overwrite what is being typed.
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
