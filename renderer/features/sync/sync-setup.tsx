import { Button, Checkbox, Group, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { FolderOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { FileEntry } from '../../../shared/models/files.ts';
import {
  syncComparisons,
  syncDirections,
  type SyncComparison,
  type SyncDirection,
} from '../../../shared/models/sync.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { pickLocal } from '../files/index.ts';
import { DialogFooter } from '../../ui/dialog/dialog.tsx';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';

export interface SyncOptions {
  readonly direction: SyncDirection;
  readonly folder: FileEntry | null;
  readonly comparison: SyncComparison;
  readonly takesLinksOut: boolean;
}

export function defaultSyncOptions(direction: SyncDirection): SyncOptions {
  return { direction, folder: null, comparison: 'size-time', takesLinksOut: false };
}

interface Props {
  readonly name: string;
  readonly options: SyncOptions;
  readonly onChange: (options: SyncOptions) => void;
  readonly onMake: () => Promise<void>;
  readonly onClose: () => void;
}

/** The form for the folder, the direction, and the comparison that decides which files have changed. */
export function SyncSetup({ name, options, onChange, onMake, onClose }: Props) {
  const { t } = useTranslation();
  const { direction, folder, comparison, takesLinksOut } = options;
  const made = useLatestMutation({ mutationFn: onMake });
  const choose = (): void => {
    sayingFailure(async () => {
      const picked = await pickLocal('folder', t(`sync.setup.pick.${direction}`));
      if (picked !== null) onChange({ ...options, folder: picked });
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (folder !== null) made.mutate();
      }}
    >
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          aria-label={t('sync.setup.direction')}
          value={direction}
          onChange={(value) => onChange({ ...options, direction: value === 'up' ? 'up' : 'down' })}
          data={syncDirections.map((value) => ({ value, label: t(`sync.setup.directions.${value}`) }))}
        />
        <Text size="sm">{t(`sync.setup.intro.${direction}`, { name })}</Text>
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('sync.setup.folder')}
          </Text>
          <Group gap="sm" wrap="nowrap">
            <Button
              variant="default"
              data-autofocus
              leftSection={<FolderOpen size={16} aria-hidden />}
              onClick={choose}
            >
              {t('sync.setup.choose')}
            </Button>
            <Text size="sm" className={common.breaks ?? ''} {...(folder === null ? { c: 'dimmed' } : {})}>
              {folder === null ? t('sync.setup.noFolder') : folder.name}
            </Text>
          </Group>
        </div>
        <Radio.Group
          label={t('sync.setup.comparison')}
          value={comparison}
          onChange={(value) => onChange({ ...options, comparison: value === 'hash' ? 'hash' : 'size-time' })}
        >
          <Stack gap={8} mt={6}>
            {syncComparisons.map((value) => (
              <Radio
                key={value}
                value={value}
                label={t(`sync.setup.comparisons.${value}`)}
                description={t(`sync.setup.comparisonBodies.${value}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {direction === 'up' ? (
          <Checkbox
            checked={takesLinksOut}
            label={t('sync.setup.takesLinksOut')}
            description={t('sync.setup.takesLinksOutHint')}
            onChange={(event) => onChange({ ...options, takesLinksOut: event.currentTarget.checked })}
          />
        ) : null}
        <FailureNotice error={made.error} />
        <DialogFooter onCancel={onClose} cancel={t('sync.setup.cancel')}>
          <Button type="submit" disabled={folder === null} loading={made.isPending}>
            {t('sync.setup.go')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
