import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { VersionMode } from '../../../shared/models/operations.ts';
import { orpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter, Warning } from '../../ui/dialog/dialog.tsx';
import { useLatestMutation } from '../../ui/use-stable.ts';
import { itemChunks, nameOf, objectsText, placeText, countText } from './chosen.ts';
import { ChosenList, CountLine } from './operation-dialog-parts.tsx';
import type { OperationDialogProps } from './operation-dialog-store.ts';
import { runDelete } from './start-operation.ts';
import { useCount } from './use-count.ts';

/** Number of objects above which a deletion needs a typed confirmation. */
const manyObjects = 1000;

/** Asks for confirmation before deleting, and shows what and how much is deleted. */
export function DeleteDialog({ request, onClose }: OperationDialogProps<'delete'>) {
  const { place, rows, found = null, allVersions } = request;
  const { t } = useTranslation();
  const { connectionId, bucket } = place;
  const counted = useCount(place, rows);
  const { stop } = counted;
  // The results of a search are already counted.
  const count =
    found === null ? counted.count : { ...counted.count, keys: found.keys, sizeBytes: found.sizeBytes };
  const status = useQuery(
    orpc.versions.status.queryOptions({ input: { connectionId, bucket }, staleTime: 0, retry: false }),
  );
  const versioning = status.data?.versioning ?? (status.isPending ? null : 'unknown');
  const keepsVersions = versioning === 'enabled' || versioning === 'suspended';
  const [chosen, setChosen] = useState<VersionMode>(allVersions ? 'all-versions' : 'markers');
  const [word, setWord] = useState('');
  const mode: VersionMode = keepsVersions ? chosen : 'markers';
  const hasFolder = rows.some(({ kind }) => kind === 'folder');
  const isMany = count.keys > manyObjects;
  // Enabled only when the bucket's versioning is known, so that the user sees what happens to versions before agreeing.
  const isReady =
    versioning !== null && (!isMany || word.trim().toLowerCase() === t('operations.delete.word'));
  const run = useLatestMutation({
    mutationFn: () =>
      runDelete(place, found === null ? itemChunks(rows) : [[{ kind: 'walk', walkId: found.walkId }]], mode),
    onSuccess: onClose,
  });
  const [only] = rows.length === 1 ? rows : [];
  const title =
    only === undefined
      ? t('operations.delete.title', {
          things: found === null ? countText(rows, t) : objectsText(found.keys, t),
        })
      : t(only.kind === 'folder' ? 'operations.delete.titleOneFolder' : 'operations.delete.titleOne', {
          name: nameText(nameOf(only), t('common.keyText.empty')),
        });
  const keepsThem = keepsVersions && mode === 'markers';
  return (
    <Dialog onClose={onClose} title={title} size={540}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) run.mutate();
        }}
      >
        <Stack gap="sm">
          <p>
            {t(`operations.delete.${fromWords(versioning, keepsThem)}`, { place: placeText(place) })}{' '}
            {hasFolder ? t('operations.delete.withFolder') : null}
          </p>
          {found === null ? (
            <ChosenList rows={rows} label={t('operations.delete.list')} />
          ) : (
            <p>{t('operations.delete.found')}</p>
          )}
          <CountLine count={count} onStop={stop} />
          {count.state === 'done' ? null : <Warning>{t('operations.delete.notCounted')}</Warning>}
          {keepsVersions ? <VersionChoice mode={chosen} onChange={setChosen} /> : null}
          {versioning === 'unknown' ? <p>{t('operations.delete.versions.unknown')}</p> : null}
          {isMany ? (
            <TextInput
              label={t('operations.delete.type', { word: t('operations.delete.word') })}
              value={word}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setWord(event.currentTarget.value)}
            />
          ) : null}
          <FailureNotice error={run.error} />
          <DialogFooter onCancel={onClose} cancel={t('operations.delete.cancel')} startsOnCancel>
            <Button type="submit" color="red" disabled={!isReady} loading={run.isPending}>
              {t(mode === 'all-versions' ? 'operations.delete.confirmAll' : 'operations.delete.confirm')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Returns the words that state whether the deletion can be undone. */
function fromWords(
  versioning: string | null,
  keepsThem: boolean,
): 'from' | 'fromUnversioned' | 'fromMarkers' | 'fromSuspended' {
  if (keepsThem) return versioning === 'suspended' ? 'fromSuspended' : 'fromMarkers';
  return versioning === 'off' || versioning === 'unsupported' ? 'fromUnversioned' : 'from';
}

interface VersionChoiceProps {
  readonly mode: VersionMode;
  readonly onChange: (mode: VersionMode) => void;
}

function VersionChoice({ mode, onChange }: VersionChoiceProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('operations.delete.versions.label')}
      value={mode}
      onChange={(value) => onChange(value === 'all-versions' ? 'all-versions' : 'markers')}
    >
      <Stack gap={8} mt={6}>
        <Radio
          value="markers"
          label={t('operations.delete.versions.markers')}
          description={t('operations.delete.versions.markersBody')}
        />
        <Radio
          value="all-versions"
          color="red"
          label={t('operations.delete.versions.all')}
          description={t('operations.delete.versions.allBody')}
        />
      </Stack>
    </Radio.Group>
  );
}
