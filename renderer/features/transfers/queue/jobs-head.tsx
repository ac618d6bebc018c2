import { ActionIcon, Button, NativeSelect, TextInput, Title, VisuallyHidden } from '@mantine/core';
import { Ellipsis, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../../ui/class-names.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { MenuEntries } from '../../../ui/menus.tsx';
import { formatBytes, formatCount } from '../../../ui/words/format.ts';
import {
  activeCount,
  activeText,
  countOf,
  jobGroups,
  spokenProgress,
  totalProgress,
  type JobGroup,
  type TotalProgress,
} from './job-progress.ts';
import { useJobsNow } from './jobs-store.ts';
import { JobSettingsDialog } from './job-settings.tsx';
import type { JobCommands } from './use-job-actions.tsx';
import common from '../../../ui/common.module.css';
import classes from './jobs-panel.module.css';

export type Group = JobGroup | 'all';

interface HeadProps {
  readonly group: Group;
  readonly onGroup: (group: Group) => void;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isTight: boolean;
  readonly commands: JobCommands;
  readonly onClose: () => void;
}

export function Head({ group, onGroup, text, onText, isTight, commands, onClose }: HeadProps) {
  const { t } = useTranslation();
  const { counts } = useJobsNow();
  const [settingsOpen, setSettingsOpen] = useState(false);
  const options = (['all', ...jobGroups] as const).map((name) => {
    const count = counts === null ? 0 : name === 'all' ? counts.total : countOf(counts, name);
    return { value: name, label: `${t(`jobs.filters.${name}`)} (${formatCount(count)})` };
  });
  const closeSettings = useCallback(() => setSettingsOpen(false), []);
  const cannotClear = counts === null || countOf(counts, 'finished') === 0;
  const tools = (
    <>
      <TextInput
        size="xs"
        type="search"
        className={classes.find}
        aria-label={t('jobs.find')}
        placeholder={t('jobs.find')}
        maxLength={1024}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label={t('jobs.filters.label')}
        value={group}
        data={options}
        onChange={(event) => {
          const chosen = options.find(({ value }) => value === event.currentTarget.value);
          if (chosen !== undefined) onGroup(chosen.value);
        }}
      />
    </>
  );
  return (
    <div
      className={joinClasses(common.wrap, common.fixed, common.lineBelow, classes.head)}
      data-tight={isTight || undefined}
    >
      <Title order={2} fz="sm">
        {t('entries.jobs.title')}
      </Title>
      <TotalText />
      {isTight ? null : <span className={common.fill} />}
      {isTight ? null : tools}
      {isTight ? null : (
        <Button variant="default" disabled={cannotClear} onClick={commands.clearFinished}>
          {t('jobs.actions.clearFinished')}
        </Button>
      )}
      <MenuButton
        position="top-end"
        renderButton={(attributes) => (
          <ActionIcon aria-label={t('common.more')} {...attributes}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        )}
      >
        <MenuEntries
          groups={[
            [
              {
                label: t('jobs.actions.pauseAll'),
                isDisabled: counts === null || activeCount(counts) === 0,
                run: commands.pauseAll,
              },
              {
                label: t('jobs.actions.resumeAll'),
                isDisabled: counts === null || countOf(counts, 'resting') === 0,
                run: commands.resumeAll,
              },
              isTight && {
                label: t('jobs.actions.clearFinished'),
                isDisabled: cannotClear,
                run: commands.clearFinished,
              },
              { label: `${t('jobs.settings.title')}…`, run: () => setSettingsOpen(true) },
            ],
          ]}
        />
      </MenuButton>
      <ActionIcon aria-label={t('jobs.actions.close')} onClick={onClose}>
        <X size={16} aria-hidden />
      </ActionIcon>
      {isTight ? <div className={classes.tools}>{tools}</div> : null}
      {settingsOpen ? <JobSettingsDialog onClose={closeSettings} /> : null}
    </div>
  );
}

function TotalText() {
  const { t } = useTranslation();
  const { counts } = useJobsNow();
  if (counts === null) return null;
  const words = (total: TotalProgress): string =>
    total.kind === 'idle' ? t('jobs.idle') : activeText(total, t);
  const attention = countOf(counts, 'attention');
  const asking = attention === 0 ? '' : `; ${t('entries.jobs.attention', { count: attention })}`;
  const total = totalProgress(counts);
  const bytes =
    total.kind === 'idle' || counts.bytesTotal === 0
      ? ''
      : `, ${t('jobs.of', { done: formatBytes(counts.bytesDone), total: formatBytes(counts.bytesTotal) })}`;
  return (
    <>
      <span className={joinClasses(common.cut, common.hint, common.numbers, classes.total)}>
        {words(total)}
        {bytes}
        {asking}
      </span>
      <VisuallyHidden role="status">
        {words(spokenProgress(counts))}
        {asking}
      </VisuallyHidden>
    </>
  );
}
