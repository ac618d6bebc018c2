import { Button, Group, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useConnectionName } from './model/connection-name.ts';
import { closeConnectionDialog } from './model/connection-dialog-store.ts';
import { useConnections } from './model/connection-queries.ts';

interface Props {
  readonly bucket: string;
  /** The connections that list the bucket; none: no list has it. */
  readonly having: readonly string[];
  readonly onChosen: (connectionId: string) => void;
}

/** Asks with which connection to open a bucket if its name alone is ambiguous. */
export function ChooseDialog({ bucket, having, onChosen }: Props) {
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
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={closeConnectionDialog}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" disabled={connectionId === null}>
              {t('connections.choose.open')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
