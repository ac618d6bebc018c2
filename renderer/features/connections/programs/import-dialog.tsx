import { Button, Checkbox, FileButton, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { memo, useCallback, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../../ui/class-names.ts';
import { showNotice } from '../../../ui/notices/notices.tsx';
import type { AppError } from '../../../../shared/errors.ts';
import type { FiledEntry } from '../../../../shared/models/connection.ts';
import { orpc, rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { placedAt, useRenderedRows } from '../../../ui/table/rendered-rows.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import common from '../../../ui/common.module.css';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import { closeConnectionDialog } from '../model/connection-dialog-store.ts';
import classes from '../forms.module.css';

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
  const read = useLatestMutation({
    mutationFn: async (file: File): Promise<ReadFile> => {
      const text = await file.text();
      return { fileName: file.name, text, entries: await rpc.connections.readFile({ text }) };
    },
    onSuccess: ({ entries }) => {
      const fresh = entries.filter(({ problem, duplicateOf }) => problem === null && duplicateOf === null);
      setChosen(new Set(fresh.map(({ index }) => index)));
    },
  });
  const take = useLatestMutation({
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
        <DialogFooter onCancel={closeConnectionDialog}>
          <Button
            disabled={chosen.size === 0 || read.data === undefined || tooLarge}
            loading={take.isPending}
            onClick={() => {
              if (read.data !== undefined) take.mutate(read.data);
            }}
          >
            {t('connections.file.submit', { count: chosen.size })}
          </Button>
        </DialogFooter>
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
  readonly onChosen: Dispatch<SetStateAction<ReadonlySet<number>>>;
}

/** The height of an entry in a long list in pixels, as in forms.module.css. */
const entryPx = 48;

/** Lists the entries. Renders only the visible entries of a long list. */
function Entries({ file: { fileName, entries }, chosen, onChosen }: EntriesProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(-1);
  const rendered = useRenderedRows(list, {
    rowCount: entries.length,
    rowPx: entryPx,
    // With the first and the last entry, Tab enters the list at its ends.
    pinned: [0, focused, entries.length - 1],
  });
  const choose = useCallback(
    (index: number, isChosen: boolean) => {
      onChosen((before) => {
        const next = new Set(before);
        if (isChosen) next.add(index);
        else next.delete(index);
        return next;
      });
    },
    [onChosen],
  );
  if (entries.length === 0) return <Text size="sm">{t('connections.file.none')}</Text>;
  return (
    <fieldset className={joinClasses(common.scroll, classes.importEntries)}>
      <Text component="legend" fw={600} size="sm" pb={6}>
        {t('connections.file.entries', { name: fileName })}
      </Text>
      <Stack ref={list} pos="relative" gap="xs" style={rendered.listStyle}>
        {rendered.indexes.map((at) => {
          const entry = entries[at];
          return entry === undefined ? null : (
            <Entry
              key={entry.index}
              entry={entry}
              at={at}
              topPx={rendered.topOf(at)}
              isChosen={chosen.has(entry.index)}
              onChoose={choose}
              onFocus={setFocused}
            />
          );
        })}
      </Stack>
    </fieldset>
  );
}

interface EntryProps {
  readonly entry: FiledEntry;
  readonly at: number;
  /** The position in a long list. Null in a short list. */
  readonly topPx: number | null;
  readonly isChosen: boolean;
  readonly onChoose: (index: number, isChosen: boolean) => void;
  readonly onFocus: (at: number) => void;
}

/** In a long list, each text of an entry takes one line. */
const lineClasses = {
  labelWrapper: classes.importText ?? '',
  label: common.cut ?? '',
  description: common.cut ?? '',
};

/** Memoized, so that a click renders only its entry again. */
const Entry = memo(function Entry({ entry, at, topPx, isChosen, onChoose, onFocus }: EntryProps) {
  const { t } = useTranslation();
  const { index, name, endpoint, problem, duplicateOf, needsKeys } = entry;
  const note =
    problem !== null
      ? t('connections.file.problem', { problem })
      : duplicateOf !== null
        ? t('connections.file.duplicate')
        : needsKeys
          ? t('connections.file.needsKeys')
          : null;
  const label = name === '' ? t('connections.file.unnamed') : name;
  const description = [endpoint, note].filter((part) => part !== null && part !== '').join(' · ');
  return (
    <div
      className={classes.importEntry}
      {...placedAt(topPx)}
      title={topPx === null ? undefined : `${label}\n${description}`}
    >
      <Checkbox
        label={label}
        description={description}
        {...(topPx === null ? {} : { classNames: lineClasses })}
        disabled={problem !== null}
        checked={isChosen}
        onChange={(event) => onChoose(index, event.currentTarget.checked)}
        onFocus={() => onFocus(at)}
      />
    </div>
  );
});
