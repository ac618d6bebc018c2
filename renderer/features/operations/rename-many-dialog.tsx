import { Button, Checkbox, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import { showStartedNotice } from '../../ui/notices/notices.tsx';
import { formatCount } from '../../ui/words/format.ts';
import common from '../../ui/common.module.css';
import { askOnce } from '../../ui/asked-worker.ts';
import { useLatestMutation } from '../../ui/use-stable.ts';
import { showStartedJob } from '../transfers/index.ts';
import { type Chosen, nameOf, objectsText } from './chosen.ts';
import { nameProblemText } from './names.ts';
import {
  changedRows,
  expressionOf,
  patternedNames,
  type RenamedRow,
  renamedRows,
  type RenamePattern,
} from './name-pattern.ts';
import type { OperationDialogProps } from './operation-dialog-store.ts';
import classes from './operations.module.css';
import type { RenameRequest } from './rename-worker.ts';

/** Maximum number of rows in the preview. */
const maxPreviewed = 200;
const firstPattern: RenamePattern = { find: '', isRegex: false, replacement: '', start: 1 };

/** Asks for a pattern to rename several objects, with a preview. Renames all in one job, so that one undo reverts it. */
export function RenameManyDialog({ request, services, onClose }: OperationDialogProps<'rename-many'>) {
  const { place, rows } = request;
  const { t } = useTranslation();
  const [pattern, setPattern] = useState(firstPattern);
  const shown = useDeferredValue(pattern);
  const newNames = useNewNames(rows, shown);
  const renamed = useMemo(
    () =>
      newNames === null || typeof newNames === 'string'
        ? []
        : renamedRows(rows, place.folder, newNames, (kind, key) => services.has(place, kind, key)),
    [rows, place, newNames, services],
  );
  const changed = useMemo(() => changedRows(renamed), [renamed]);
  const wrong = changed.filter(({ problem }) => problem !== null);
  const canRun = shown === pattern && changed.length > 0 && wrong.length === 0;
  const run = useLatestMutation({
    mutationFn: async () => {
      const { connectionId, bucket, folder } = place;
      const names = changed.map(({ row, newName }) => ({ key: row.key, newName }));
      const { jobId } = await rpc.operations.renameMany({ connectionId, bucket, folder, names });
      showStartedNotice((say) => say('operations.started.rename', { name: objectsText(names.length, say) }));
      if (jobId !== null) showStartedJob(jobId);
    },
    onSuccess: onClose,
  });
  const change = (changes: Partial<RenamePattern>): void => setPattern({ ...pattern, ...changes });
  return (
    <Dialog
      onClose={onClose}
      title={t('operations.renameMany.title', { things: objectsText(rows.length, t) })}
      size={640}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (canRun) run.mutate();
        }}
      >
        <Stack gap="sm">
          <Group gap="sm" align="flex-start" grow>
            <TextInput
              data-autofocus
              label={t('operations.renameMany.find')}
              description={t('operations.renameMany.findAll')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={pattern.find}
              error={typeof newNames === 'string' ? t(`operations.renameMany.${newNames}`) : null}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => change({ find: event.currentTarget.value })}
            />
            <TextInput
              label={t('operations.renameMany.replacement')}
              description={t('operations.renameMany.tokens', { n: '{n}', name: '{name}' })}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={pattern.replacement}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => change({ replacement: event.currentTarget.value })}
            />
          </Group>
          <Checkbox
            label={t('operations.renameMany.regex')}
            checked={pattern.isRegex}
            onChange={(event) => change({ isRegex: event.currentTarget.checked })}
          />
          {pattern.replacement.includes('{n}') ? (
            <NumberInput
              label={t('operations.renameMany.start')}
              min={0}
              max={1_000_000}
              allowDecimal={false}
              w={140}
              value={pattern.start}
              onChange={(value) => change({ start: typeof value === 'number' ? value : 1 })}
            />
          ) : null}
          <Preview changed={changed} />
          <p className={classes.changes} role="status">
            {newNames === null
              ? t('operations.renameMany.applying')
              : wrong.length > 0
                ? t('operations.renameMany.wrong', { count: wrong.length })
                : t('operations.renameMany.changes', {
                    count: changed.length,
                    all: formatCount(rows.length),
                  })}
          </p>
          <FailureNotice error={run.error} />
          <DialogFooter onCancel={onClose}>
            <Button type="submit" disabled={!canRun} loading={run.isPending}>
              {t('operations.rename.confirm')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}

function Preview({ changed }: { readonly changed: readonly RenamedRow[] }) {
  const { t } = useTranslation();
  if (changed.length === 0) return null;
  // Puts invalid names first, since a single one prevents the whole operation.
  const ordered = [
    ...changed.filter(({ problem }) => problem !== null),
    ...changed.filter(({ problem }) => problem === null),
  ];
  const hidden = ordered.length - maxPreviewed;
  return (
    <ul
      className={joinClasses(common.framed, common.scroll, classes.preview)}
      aria-label={t('operations.renameMany.preview')}
      // A scrollable list must be focusable for keyboard users.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {ordered.slice(0, maxPreviewed).map(({ row, oldName, newName, problem }) => (
        <li key={row.key} className={classes.renamed}>
          <span className={common.quiet}>
            <KeyText name={oldName} />
          </span>
          <span aria-hidden>→</span>
          <KeyText name={newName} />
          {problem === null ? null : (
            <span className={common.bad}>
              {problem.kind === 'twice' ? t('operations.renameMany.twice') : nameProblemText(problem, t)}
            </span>
          )}
        </li>
      ))}
      {hidden > 0 ? <li>{t('common.andMore', { count: hidden })}</li> : null}
    </ul>
  );
}

/** The new names. Null while a regular expression is applied, `too-slow` if it exceeded the time limit. */
type NewNames = readonly string[] | 'bad-regex' | 'too-slow' | null;

/** Limit in milliseconds on the time for applying a regular expression to all selected objects. */
const maxRegexMs = 2000;

/** Returns the new names of objects, in the order of the rows. */
function useNewNames(rows: readonly Chosen[], pattern: RenamePattern): NewNames {
  const names = useMemo(() => rows.map(nameOf), [rows]);
  const isRegex = pattern.isRegex && pattern.find !== '';
  const isBad = isRegex && expressionOf(pattern.find) === null;
  const plain = useMemo(() => (isRegex ? null : patternedNames(names, pattern)), [isRegex, names, pattern]);
  const byRegex = useQuery({
    queryKey: ['new-names', useId(), pattern],
    queryFn: async ({ signal }) =>
      (await askOnce<RenameRequest, readonly string[]>(
        new Worker(new URL('./rename-worker.ts', import.meta.url), { type: 'module' }),
        { names, pattern },
        { signal, silentMs: maxRegexMs },
      )) ?? 'too-slow',
    enabled: isRegex && !isBad,
    networkMode: 'always',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  if (isBad) return 'bad-regex';
  return isRegex ? (byRegex.data ?? null) : plain;
}
