import { Box, Button, Checkbox, Flex, Group, Loader, Stack, TextInput } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SyncFilter, SyncStatus } from '../../../shared/models/sync.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { Warning } from '../../ui/dialog/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatBytes, formatCount } from '../../ui/words/format.ts';
import { OmittedEntries } from '../../ui/cells/left-out.tsx';
import {
  syncAmountsOf,
  syncButtonText,
  filtersOf,
  filterText,
  changesNothing,
  shownFilter,
} from './sync-plan-words.ts';
import { SyncTable } from './sync-table.tsx';
import { usePlanStatus } from './use-sync-plan.ts';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';

interface Props {
  readonly planId: string;
  readonly onBack: () => void;
  readonly onStarted: (jobIds: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Shows the plan of a sync, with the button that starts it. */
export function SyncPlan({ planId, onBack, onStarted, onClose }: Props) {
  const { t } = useTranslation();
  const { status, error } = usePlanStatus(planId);
  const [withDeletions, setWithDeletions] = useState(false);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<SyncFilter | null>(null);
  const run = useLatestMutation({
    mutationFn: async (deleted: number) =>
      await rpc.sync.run({ planId, withDeletions, confirmCount: deleted }),
    onSuccess: ({ jobIds }) => onStarted(jobIds),
  });
  const failed = error ?? (run.error === null ? null : appErrorOf(run.error));
  if (status === null)
    return failed === null ? (
      <p className={common.quiet}>{t('common.loading')}</p>
    ) : (
      <ErrorNotice error={failed} onRetry={onBack} />
    );
  const doing = syncAmountsOf(status, withDeletions);
  const { state, direction, counts } = status;
  const filter = shownFilter(chosen, status, withDeletions);
  const isDone = state === 'done';
  const isAlike = isDone && counts.copy.items + counts.overwrite.items + counts.delete.items === 0;
  const isAgreed = !withDeletions || doing.deleted === 0 || typed.trim() === String(doing.deleted);
  return (
    <form
      className={common.column}
      style={{ gap: 12 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isDone && isAgreed && !changesNothing(doing)) run.mutate(doing.deleted);
      }}
    >
      <Progress status={status} />
      <OmittedEntries foreign={status.foreign} />
      {failed === null ? null : <ErrorNotice error={failed} onRetry={onBack} />}
      {isAlike && filter === 'changes' ? (
        <Alike status={status} onShow={() => setChosen('skipped')} />
      ) : (
        <>
          <Filters status={status} withDeletions={withDeletions} filter={filter} onFilter={setChosen} />
          <SyncTable status={status} filter={filter} withDeletions={withDeletions} />
        </>
      )}
      {status.byTime > 0 ? <Warning>{t('sync.byTime', { count: status.byTime })}</Warning> : null}
      {isDone && status.needDeletion.items > 0 && !withDeletions ? (
        <Warning>{t('sync.blocked', { count: status.needDeletion.items })}</Warning>
      ) : null}
      {isDone && counts.delete.items > 0 ? (
        <Deletions
          status={status}
          isOn={withDeletions}
          typed={typed}
          onToggle={(on) => {
            setWithDeletions(on);
            setTyped('');
          }}
          onType={setTyped}
        />
      ) : null}
      <Group justify="space-between" gap="sm">
        <Button variant="default" onClick={onBack} disabled={run.isPending}>
          {t('sync.back')}
        </Button>
        <Group gap="sm" justify="flex-end" flex={1}>
          {isDone && doing.sizeBytes > 0 ? (
            <span className={common.quiet}>
              {t('sync.run.bytes', { size: formatBytes(doing.sizeBytes) })}
            </span>
          ) : null}
          {isAlike ? (
            <Button onClick={onClose}>{t('sync.close')}</Button>
          ) : (
            <Button
              type="submit"
              {...(doing.deleted > 0 ? { color: 'red' } : {})}
              disabled={!isDone || !isAgreed || changesNothing(doing)}
              loading={run.isPending}
            >
              {syncButtonText(doing, direction, t)}
            </Button>
          )}
        </Group>
      </Group>
    </form>
  );
}

function Progress({ status }: { readonly status: SyncStatus }) {
  const { t } = useTranslation();
  const { planId, state, phase, localFiles, remoteKeys, compared } = status;
  if (state === 'running')
    return (
      <Group gap={10} fz="sm">
        <Loader size={14} aria-hidden />
        <span>
          {phase === 'listing'
            ? t('sync.planning.listing', { here: formatCount(localFiles), there: formatCount(remoteKeys) })
            : t('sync.planning.comparing', { compared: formatCount(compared) })}
        </span>
        <span role="status" className={common.quiet}>
          {t('sync.planning.unchanged')}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            // The call fails if the plan has just been completed, which needs no handling.
            rpc.sync.stop({ planId }).catch(() => undefined);
          }}
        >
          {t('sync.planning.stop')}
        </Button>
      </Group>
    );
  if (state === 'stopped') return <Warning>{t('sync.planning.stopped')}</Warning>;
  return (
    <span role="status" className="visually-hidden">
      {state === 'done' ? t('sync.planning.done') : null}
    </span>
  );
}

function Alike({ status, onShow }: { readonly status: SyncStatus; readonly onShow: () => void }) {
  const { t } = useTranslation();
  const { same, skipped } = status.counts;
  return (
    <Box mih={200}>
      <EmptyState
        icon={<CircleCheck size={32} />}
        title={t('sync.nothing.title')}
        body={
          <>
            {t('sync.nothing.body', { count: same.items })}{' '}
            {skipped.items === 0 ? null : t('sync.nothing.skipped', { count: skipped.items })}
          </>
        }
        actions={
          skipped.items === 0 ? undefined : (
            <Button variant="default" onClick={onShow}>
              {t('sync.nothing.show')}
            </Button>
          )
        }
      />
    </Box>
  );
}

interface FiltersProps {
  readonly status: SyncStatus;
  readonly withDeletions: boolean;
  readonly filter: SyncFilter;
  readonly onFilter: (filter: SyncFilter) => void;
}

function Filters({ status, withDeletions, filter, onFilter }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <Flex wrap="wrap" gap={6} role="group" aria-label={t('sync.filters.label')}>
      {filtersOf(status, withDeletions).map(({ filter: offered, count }) => (
        <Button
          key={offered}
          size="compact-sm"
          variant={offered === filter ? 'light' : 'default'}
          aria-pressed={offered === filter}
          onClick={() => onFilter(offered)}
        >
          {filterText(offered, status.direction, t)} {formatCount(count)}
        </Button>
      ))}
    </Flex>
  );
}

interface DeletionsProps {
  readonly status: SyncStatus;
  readonly isOn: boolean;
  readonly typed: string;
  readonly onToggle: (on: boolean) => void;
  readonly onType: (typed: string) => void;
}

function Deletions({ status, isOn, typed, onToggle, onType }: DeletionsProps) {
  const { t } = useTranslation();
  const { direction, removal, counts } = status;
  const count = counts.delete.items;
  return (
    <Stack gap={10}>
      <Checkbox
        checked={isOn}
        color="red"
        label={t(direction === 'up' ? 'sync.deletions.up' : 'sync.deletions.down', { count })}
        {...(isOn ? {} : { description: t('sync.deletions.off') })}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      {isOn ? (
        <>
          <Warning>{t(`sync.deletions.warning.${direction === 'up' ? 'up' : removal}`)}</Warning>
          <TextInput
            label={t('sync.deletions.type', { number: String(count) })}
            value={typed}
            inputMode="numeric"
            autoComplete="off"
            maw={320}
            onChange={(event) => onType(event.currentTarget.value)}
          />
        </>
      ) : null}
    </Stack>
  );
}
