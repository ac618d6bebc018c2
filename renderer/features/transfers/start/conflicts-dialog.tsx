import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ConflictAction,
  conflictActions,
  type Side,
  type TransferItem,
} from '../../../../shared/models/transfers.ts';
import { newerSide } from '../../../../shared/newer-side.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { formatBytes, formatCount, formatExactDate } from '../../../ui/words/format.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import common from '../../../ui/common.module.css';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import classes from './start.module.css';

/** Maximum number of files listed and decided at a time. */
const shownHiddenFiles = 50;

interface HiddenFilesProps {
  readonly files: readonly TransferItem[];
  /** The decision that is being sent to the core, or null. */
  readonly pending: ConflictAction | null;
  readonly onAnswer: (action: ConflictAction) => void;
  readonly onClose: () => void;
}

/** Lists hidden files that would be written to the home folder, and asks to confirm exactly these files. */
function HiddenFiles({ files, pending, onAnswer, onClose }: HiddenFilesProps) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm">{t('jobs.hiddenFiles.intro', { count: files.length })}</Text>
      <ul
        className={joinClasses(common.breaks, common.scroll, classes.hiddenItems)}
        aria-label={t('jobs.hiddenFiles.list')}
      >
        {files.map(({ seq, localName, target }) => (
          <li key={seq}>
            <KeyText name={localName} />
            {target === null ? null : (
              <Text size="xs" c="dimmed" component="p" m={0}>
                {t('jobs.hiddenFiles.isThere')}
              </Text>
            )}
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="md">
        <Button variant="subtle" onClick={onClose}>
          {t('jobs.hiddenFiles.later')}
        </Button>
        <Button
          variant="default"
          color="red"
          loading={pending === 'overwrite'}
          disabled={pending !== null}
          onClick={() => onAnswer('overwrite')}
        >
          {t('jobs.hiddenFiles.save')}
        </Button>
        <Button loading={pending === 'skip'} disabled={pending !== null} onClick={() => onAnswer('skip')}>
          {t('jobs.hiddenFiles.skip')}
        </Button>
      </Group>
    </>
  );
}

interface ConflictsProps {
  /** The id of the transfer's job. */
  readonly request: string;
  readonly onClose: () => void;
}

/** Asks what to do with items that already exist, one by one with both sides shown, or for all at once. */
export function Conflicts({ request: jobId, onClose }: ConflictsProps) {
  const { t } = useTranslation();
  const [forAll, setForAll] = useState(false);
  const asking = useQuery({
    queryKey: ['transfers.asking', jobId],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      rpc.transfers.items({ jobId, filter: 'asking', offset: 0, limit: shownHiddenFiles }, { signal }),
  });
  const response = useLatestMutation({
    mutationFn: async (action: ConflictAction) => {
      const decided = isHidden ? hidden.map(({ seq }) => seq) : [forAll ? null : (item?.seq ?? null)];
      await rpc.transfers.answer({ jobId, decisions: decided.map((seq) => ({ seq, action })) });
      const rest = await asking.refetch();
      if ((rest.data?.total ?? 0) === 0) onClose();
    },
  });
  const item = asking.data?.items[0];
  const total = asking.data?.total ?? 0;
  const hidden = (asking.data?.items ?? []).filter(({ note }) => note === 'hidden-in-home');
  const isHidden = item?.note === 'hidden-in-home';
  const error = asking.error ?? response.error;
  const newer = newerSide(item?.source ?? null, item?.target ?? null);
  const title = t(isHidden ? 'jobs.hiddenFiles.title' : 'jobs.conflicts.title');
  return (
    <Dialog size="lg" title={title} onClose={onClose}>
      <FailureNotice error={error} onRetry={() => void asking.refetch()} />
      {asking.isPending ? <Text size="sm">{t('jobs.conflicts.loading')}</Text> : null}
      {asking.isSuccess && item === undefined ? <Text size="sm">{t('jobs.conflicts.none')}</Text> : null}
      {isHidden ? (
        <HiddenFiles
          files={hidden}
          pending={response.isPending ? response.variables : null}
          onAnswer={(action) => response.mutate(action)}
          onClose={onClose}
        />
      ) : null}
      {item === undefined || isHidden ? null : (
        <>
          {/* Focus starts on the text, so that a key cannot press a button. The dialog may open while the user types. */}
          <Text size="sm" tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
            {t('jobs.conflicts.intro', { count: total })} {t('jobs.conflicts.noUndo')}
          </Text>
          <div className={classes.sides}>
            <div className={joinClasses(common.strong, common.breaks)} style={{ gridColumn: '1 / -1' }}>
              <KeyText name={item.key} />
              {total > 1 ? (
                <Text size="xs" c="dimmed" component="p" m={0}>
                  {t('jobs.conflicts.progress', { total: formatCount(total) })}
                </Text>
              ) : null}
            </div>
            <SideView label={t('jobs.conflicts.source')} side={item.source} isNewer={newer === 'source'} />
            <SideView label={t('jobs.conflicts.target')} side={item.target} isNewer={newer === 'target'} />
          </div>
          <Compare key={`${jobId}/${item.seq}`} jobId={jobId} seq={item.seq} />
          {total > 1 ? (
            <Checkbox
              checked={forAll}
              label={t('jobs.conflicts.forAll')}
              onChange={(event) => setForAll(event.currentTarget.checked)}
            />
          ) : null}
          <Group justify="flex-end" gap="xs" mt="md">
            <Button variant="subtle" mr="auto" onClick={onClose}>
              {t('jobs.conflicts.later')}
            </Button>
            {conflictActions.map((action) => (
              <Button
                key={action}
                variant={action === 'rename' ? 'filled' : 'default'}
                {...(action === 'newer' ? { title: t('jobs.conflicts.newerHint') } : {})}
                loading={response.isPending && response.variables === action}
                disabled={response.isPending || (action === 'newer' && total === 1 && newer !== 'source')}
                onClick={() => response.mutate(action)}
              >
                {t(action === 'newer' ? 'jobs.conflicts.replaceOlder' : `jobs.conflicts.${action}`)}
              </Button>
            ))}
          </Group>
        </>
      )}
    </Dialog>
  );
}

/** Compares both sides only when the user clicks, since this reads the whole file, which may be large. */
function Compare({ jobId, seq }: { readonly jobId: string; readonly seq: number }) {
  const { t } = useTranslation();
  const compare = useLatestMutation({ mutationFn: () => rpc.transfers.compare({ jobId, seq }) });
  return (
    <Group gap="sm" mb="md">
      <Button variant="default" size="xs" loading={compare.isPending} onClick={() => compare.mutate()}>
        {t('jobs.conflicts.compare')}
      </Button>
      <Text size="sm" role="status">
        {compare.isPending ? t('jobs.conflicts.comparing') : null}
        {compare.isSuccess ? t(`jobs.conflicts.comparisons.${compare.data}`) : null}
      </Text>
      <FailureNotice error={compare.error} />
    </Group>
  );
}

interface SideProps {
  readonly label: string;
  readonly side: Side | null;
  readonly isNewer: boolean;
}

function SideView({ label, side, isNewer }: SideProps) {
  const { t } = useTranslation();
  const { sizeBytes = null, modifiedAt = null, etag = null } = side ?? {};
  const time = modifiedAt === null ? t('jobs.conflicts.timeUnknown') : formatExactDate(modifiedAt);
  return (
    <section className={classes.side} aria-label={label}>
      <h3>{label}</h3>
      <p>{sizeBytes === null ? t('jobs.conflicts.sizeUnknown') : formatBytes(sizeBytes)}</p>
      <p>{isNewer ? `${time} (${t('jobs.conflicts.newer')})` : time}</p>
      {etag === null ? null : <p className={common.cut}>{t('jobs.conflicts.etag', { etag })}</p>}
    </section>
  );
}
