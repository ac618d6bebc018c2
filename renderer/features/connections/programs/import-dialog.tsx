import { Button, Checkbox, FileButton, Group, Stack, Text } from '@mantine/core';
import { showNotice } from '../../../ui/notices/notices.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import type { FiledEntry } from '../../../../shared/models/connection-file.ts';
import { orpc, rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { closeConnectionDialog } from '../model/connection-dialog-store.ts';

/** The core's limit on a file, in bytes. Even a thousand connections with certificates are smaller. */
const maxBytes = 4_000_000;

interface ReadFile {
  readonly fileName: string;
  readonly text: string;
  readonly entries: readonly FiledEntry[];
}

/** Imports connections from a file. Lists them first, and preselects those that do not exist yet. */
export function ImportDialog() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [tooLarge, setTooLarge] = useState(false);
  const read = useMutation({
    mutationFn: async (file: File): Promise<ReadFile> => {
      const text = await file.text();
      return { fileName: file.name, text, entries: await rpc.connections.readFile({ text }) };
    },
    onSuccess: ({ entries }) => {
      const fresh = entries.filter(({ problem, duplicateOf }) => problem === null && duplicateOf === null);
      setChosen(new Set(fresh.map(({ index }) => index)));
    },
  });
  const take = useMutation({
    mutationFn: async (file: ReadFile) =>
      await rpc.connections.importFile({ text: file.text, indexes: [...chosen] }),
    async onSuccess(added) {
      closeConnectionDialog();
      await queries.invalidateQueries({ queryKey: orpc.connections.list.key() });
      showNotice({
        title: (say) => say('connections.file.done', { count: added.length }),
        ...(added.some(({ auth }) => auth.kind === 'keys')
          ? { message: (say) => say('connections.file.doneKeys') }
          : {}),
      });
    },
  });
  const pick = (file: File | null): void => {
    if (file === null) return;
    setTooLarge(file.size > maxBytes);
    take.reset();
    if (file.size <= maxBytes) read.mutate(file);
    else read.reset();
  };
  const error = read.error ?? take.error;
  return (
    <Dialog onClose={closeConnectionDialog} title={t('connections.file.title')} size={560}>
      <Stack gap="sm">
        <Text size="sm">{t('connections.file.body')}</Text>
        <FileButton onChange={pick} accept="application/json,.json">
          {(props) => (
            <Button
              {...props}
              data-autofocus
              variant="default"
              style={{ alignSelf: 'flex-start' }}
              leftSection={<FileUp size={14} aria-hidden />}
              loading={read.isPending}
            >
              {t('connections.file.choose')}
            </Button>
          )}
        </FileButton>
        {tooLarge ? (
          <Text size="sm" role="alert">
            {t('connections.file.tooLarge')}
          </Text>
        ) : null}
        {error === null ? null : <Refusal error={appErrorOf(error)} />}
        {read.data === undefined || tooLarge ? null : (
          <Entries file={read.data} chosen={chosen} onChosen={setChosen} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={closeConnectionDialog}>
            {t('common.cancel')}
          </Button>
          <Button
            disabled={chosen.size === 0 || read.data === undefined || tooLarge}
            loading={take.isPending}
            onClick={() => {
              if (read.data !== undefined) take.mutate(read.data);
            }}
          >
            {t('connections.file.submit', { count: chosen.size })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Refusal({ error }: { readonly error: AppError }) {
  const { t } = useTranslation();
  const isInvalid = error.reason === 'file-invalid';
  if (!isInvalid && error.reason !== 'file-newer') return <ErrorNotice error={error} />;
  return (
    <Text size="sm" role="alert">
      {t(isInvalid ? 'connections.file.invalid' : 'connections.file.newer')}
    </Text>
  );
}

interface EntriesProps {
  readonly file: ReadFile;
  readonly chosen: ReadonlySet<number>;
  readonly onChosen: (chosen: ReadonlySet<number>) => void;
}

function Entries({ file, chosen, onChosen }: EntriesProps) {
  const { t } = useTranslation();
  if (file.entries.length === 0) return <Text size="sm">{t('connections.file.none')}</Text>;
  const note = ({ problem, duplicateOf, needsKeys }: FiledEntry): string | null => {
    if (problem !== null) return t('connections.file.problem', { problem });
    if (duplicateOf !== null) return t('connections.file.duplicate');
    return needsKeys ? t('connections.file.needsKeys') : null;
  };
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, maxHeight: '40dvh', overflow: 'auto' }}>
      <Text component="legend" fw={600} size="sm" pb={6}>
        {t('connections.file.entries', { name: file.fileName })}
      </Text>
      <Stack gap={8}>
        {file.entries.map((entry) => (
          <Checkbox
            key={entry.index}
            label={entry.name === '' ? t('connections.file.unnamed') : entry.name}
            description={[entry.endpoint, note(entry)]
              .filter((part) => part !== null && part !== '')
              .join(' · ')}
            disabled={entry.problem !== null}
            checked={chosen.has(entry.index)}
            onChange={(event) => {
              const next = new Set(chosen);
              if (event.currentTarget.checked) next.add(entry.index);
              else next.delete(entry.index);
              onChosen(next);
            }}
          />
        ))}
      </Stack>
    </fieldset>
  );
}
