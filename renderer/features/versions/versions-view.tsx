import { Box, Button, Loader, Stack, Text } from '@mantine/core';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { showNotice } from '../../ui/notices/notices.tsx';
import { nameText } from '../../../shared/keys/display.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { VersionEntry, VersionRef } from '../../../shared/models/versions.ts';
import { rpc } from '../../rpc/client.ts';
import { type MenuPoint, PointMenu, MenuEntries } from '../../ui/menus.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { OmittedEntries } from '../../ui/cells/left-out.tsx';
import { formatCount, formatDateToSecond, formatExactDate } from '../../ui/words/format.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { useCopy } from '../../ui/clipboard/copy-button.tsx';
import { openLink } from '../links/index.ts';
import { downloadObject } from '../transfers/index.ts';
import { previewVersion } from './version-preview.tsx';
import { useVersions, type VersionsWhere } from './use-versions.ts';
import { type VersionAction, versionActionsFor, type VersionRow } from './version-rows.ts';
import { VersionsTable } from './versions-table.tsx';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { useLatestMutation } from '../../ui/use-stable.ts';
import classes from './versions.module.css';

interface VersionsViewProps {
  readonly where: VersionsWhere;
  /** The name of the folder or the object. */
  readonly name: string;
  /** Shows the versions of a subfolder. Absent for a single object. */
  readonly onOpenFolder?: (prefix: string) => void;
  /** Returns to the objects in the folder. Absent for a single object. */
  readonly onHide?: () => void;
}

/** Lists the versions and delete markers of a folder or of one object, with their actions. */
export function VersionsView({ where, name, onOpenFolder, onHide }: VersionsViewProps) {
  const { t } = useTranslation();
  const versions = useVersions(where);
  const [active, setActive] = useState(-1);
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  const [removing, setRemoving] = useState<VersionEntry | null>(null);
  const { copy } = useCopy();
  const { rows, error, versioning } = versions;
  // Clears the active row on a reload, since its position may have changed.
  if (rows === null && active !== -1) setActive(-1);
  const row = rows?.[active];

  const { connectionId, bucket } = where;
  const refOf = ({ key, versionId }: VersionEntry): VersionRef => ({ connectionId, bucket, key, versionId });
  const restore = (entry: VersionEntry): void => {
    sayingFailure(async () => {
      const { how } = await rpc.versions.restore(refOf(entry));
      showNotice({ message: (say) => say(`versions.restored.${how}`) });
      // If a job has begun, the end of the job reloads the list instead.
      if (how !== 'begun') versions.reload();
    });
  };
  const actions: Readonly<Record<VersionAction, (entry: VersionEntry) => void>> = {
    preview: (entry) => previewVersion(refOf(entry)),
    download: (entry) => downloadObject(refOf(entry), t),
    link: (entry) => openLink(refOf(entry)),
    restore,
    undelete: restore,
    copyId: (entry) => void copy(entry.versionId),
    remove: setRemoving,
  };
  const act = (action: VersionAction, entry: VersionEntry): void => {
    setMenuAt(null);
    actions[action](entry);
  };
  const open = (opened: VersionRow): void => {
    if (opened.kind === 'folder') onOpenFolder?.(opened.prefix);
    else if (!opened.entry.isDeleteMarker) previewVersion(refOf(opened.entry));
  };

  if (error?.code === 'unsupported' || (rows === null && versioning === 'unsupported')) {
    return (
      <Stack gap={0} flex={1} w="100%" h="100%" mih={0}>
        <EmptyState
          icon={<History size={28} />}
          title={t('versions.unsupported.title')}
          body={t('versions.unsupported.body')}
          actions={
            onHide === undefined ? undefined : (
              <Button onClick={onHide}>{t('versions.unsupported.back')}</Button>
            )
          }
        />
      </Stack>
    );
  }
  const entry = row?.kind === 'version' ? row.entry : null;
  return (
    <Stack gap={0} flex={1} w="100%" h="100%" mih={0}>
      {onHide === undefined ? null : (
        <h1 className="visually-hidden">
          {t('versions.table', { name: nameText(name, t('common.keyText.empty')) })}
        </h1>
      )}
      <div className={joinClasses(common.wrap, common.quiet, common.fixed, classes.note)} role="status">
        <span>{versioning === null ? '' : t(`versions.status.${versioning}`)}</span>
        <span>
          {rows === null
            ? ''
            : versions.hasMore
              ? t('versions.countMore', { shown: formatCount(rows.length) })
              : t('versions.count', { count: countOf(rows), shown: formatCount(countOf(rows)) })}
        </span>
        {onHide === undefined ? null : (
          <Button variant="subtle" size="compact-sm" onClick={onHide}>
            {t('entries.versions.hide')}
          </Button>
        )}
      </div>
      <OmittedEntries unreadable={versions.unreadable} foreign={versions.foreign} />
      {error === null ? null : (
        <Box flex="none" pb="xs" px="md">
          <ErrorNotice error={error} permission="s3:ListBucketVersions" onRetry={versions.retry} isReading />
        </Box>
      )}
      {rows === null && error === null ? (
        <Loader m="md" size={24} role="status" aria-label={t('versions.loading')} />
      ) : null}
      {rows !== null && rows.length === 0 && !versions.hasMore && versions.unreadable.length === 0 ? (
        <EmptyState title={t('versions.empty.title')} body={t('versions.empty.body')} />
      ) : null}
      {rows !== null && (rows.length > 0 || versions.hasMore) ? (
        <VersionsTable
          name={nameText(name, t('common.keyText.empty'))}
          rows={rows}
          active={active}
          onActive={setActive}
          onOpen={open}
          onMenu={(index, at) => {
            setActive(index);
            setMenuAt(at);
          }}
          onNearEnd={versions.fetchAhead}
        />
      ) : null}
      <div
        className={joinClasses(common.wrap, common.fixed, common.lineAbove, classes.bar)}
        role="group"
        aria-label={t('versions.menu')}
      >
        {entry === null ? (
          <span className={joinClasses(common.cut, common.quiet, classes.chosen)}>
            {t(row === undefined ? 'versions.choose' : 'versions.chooseFolder')}
          </span>
        ) : (
          <>
            <span className={joinClasses(common.cut, common.quiet, classes.chosen)}>
              {t('versions.selected', {
                name: nameText(lastSegment(entry.key), t('common.keyText.empty')),
                time:
                  entry.lastModified === null
                    ? t('versions.unknownTime')
                    : formatDateToSecond(entry.lastModified),
              })}
            </span>
            {versionActionsFor(entry)
              .filter((action) => action !== 'copyId')
              .map((action) => (
                <Button
                  key={action}
                  variant="default"
                  size="compact-sm"
                  {...(action === 'remove' ? { c: 'red' } : {})}
                  onClick={() => act(action, entry)}
                >
                  {t(labelOf(action, entry))}
                </Button>
              ))}
          </>
        )}
      </div>
      {menuAt === null || row === undefined ? null : (
        <PointMenu at={menuAt} label={t('versions.menu')} onClose={() => setMenuAt(null)}>
          <MenuEntries
            groups={[
              row.kind === 'folder'
                ? [{ label: t('versions.openFolder'), run: () => open(row) }]
                : versionActionsFor(row.entry).map((action) => ({
                    label: t(labelOf(action, row.entry)),
                    isDanger: action === 'remove',
                    run: () => act(action, row.entry),
                  })),
            ]}
          />
        </PointMenu>
      )}
      {removing === null ? null : (
        <RemoveVersionsDialog
          version={refOf(removing)}
          entry={removing}
          onClose={() => setRemoving(null)}
          onDone={versions.reload}
        />
      )}
    </Stack>
  );
}

function countOf(rows: readonly VersionRow[]): number {
  return rows.filter(({ kind }) => kind === 'version').length;
}

function labelOf(action: VersionAction, entry: VersionEntry) {
  if (action === 'remove')
    return entry.isDeleteMarker ? 'versions.actions.removeMarker' : 'versions.actions.remove';
  return `versions.actions.${action}` as const;
}

interface RemoveDialogProps {
  readonly version: VersionRef;
  readonly entry: VersionEntry;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks for confirmation before one version is permanently deleted. Focus starts on "Keep". */
function RemoveVersionsDialog({ version, entry, onClose, onDone }: RemoveDialogProps) {
  const { t } = useTranslation();
  const isMarker = entry.isDeleteMarker;
  const name = nameText(lastSegment(entry.key), t('common.keyText.empty'));
  const time = entry.lastModified === null ? t('versions.unknownTime') : formatExactDate(entry.lastModified);
  const remove = useLatestMutation({
    mutationFn: async () => await rpc.versions.remove(version),
    onSuccess: () => {
      showNotice({
        message: (say) => say(isMarker ? 'versions.removedMarker' : 'versions.removed'),
        staysMs: 2500,
      });
      onClose();
      onDone();
    },
  });
  return (
    <Dialog onClose={onClose} title={t(isMarker ? 'versions.confirm.titleMarker' : 'versions.confirm.title')}>
      <Stack gap="sm">
        <Text size="sm">
          {t(isMarker ? 'versions.confirm.bodyMarker' : 'versions.confirm.body', { name, time })}
        </Text>
        {entry.isLatest && !isMarker ? <Text size="sm">{t('versions.confirm.bodyLatest')}</Text> : null}
        <FailureNotice error={remove.error} permission="s3:DeleteObjectVersion" />
        <DialogFooter onCancel={onClose} cancel={t('versions.confirm.cancel')} startsOnCancel>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t(isMarker ? 'versions.confirm.removeMarker' : 'versions.confirm.remove')}
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}
