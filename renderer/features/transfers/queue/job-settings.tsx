import { Box, Button, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobSettings } from '../../../../shared/models/jobs.ts';
import { orpc, rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { parseCount, shownSpeed, speedFrom } from '../../../ui/words/typed-numbers.ts';
import { useLatestMutation } from '../../../ui/use-stable.ts';

/** The dialog for the number of parallel parts and jobs, and for the bandwidth. */
export function JobSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const settings = useQuery(orpc.jobs.settings.queryOptions({ staleTime: 0 }));
  return (
    <Dialog onClose={onClose} title={t('jobs.settings.title')} size={440}>
      {settings.data === undefined ? (
        settings.error === null ? (
          <Loader />
        ) : (
          <FailureNotice error={settings.error} onRetry={() => void settings.refetch()} />
        )
      ) : (
        <JobSettingsForm settings={settings.data} onSaved={onClose} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly settings: JobSettings;
  readonly onSaved: () => void;
  /** Closes the dialog. Absent in the settings, which show the same fields. */
  readonly onCancel?: () => void;
}

/** The fields for transfers, in a dialog or in the settings. */
export function JobSettingsForm({ settings, onSaved, onCancel }: FormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [parallel, setParallel] = useState(String(settings.parallelParts));
  const [jobsAtOnce, setJobsAtOnce] = useState(String(settings.jobsAtOnce));
  const [bandwidth, setBandwidth] = useState(shownSpeed(settings.bandwidthBytesPerSecond));
  const save = useLatestMutation({
    mutationFn: (next: JobSettings) => rpc.jobs.updateSettings(next),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: orpc.jobs.settings.key() });
      onSaved();
    },
  });
  const parallelParts = parseCount(parallel);
  const atOnce = parseCount(jobsAtOnce);
  const bandwidthBytesPerSecond = speedFrom(bandwidth);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (parallelParts === null || atOnce === null || bandwidthBytesPerSecond === 'invalid') return;
    save.mutate({ parallelParts, jobsAtOnce: atOnce, bandwidthBytesPerSecond });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          {...(onCancel === undefined ? {} : { 'data-autofocus': true })}
          label={t('jobs.settings.jobsAtOnce')}
          inputMode="numeric"
          value={jobsAtOnce}
          error={atOnce === null ? t('jobs.settings.parallelInvalid') : null}
          onChange={(event) => setJobsAtOnce(event.currentTarget.value)}
        />
        <TextInput
          label={t('jobs.settings.parallel')}
          description={t('jobs.settings.memory')}
          inputMode="numeric"
          value={parallel}
          error={parallelParts === null ? t('jobs.settings.parallelInvalid') : null}
          onChange={(event) => setParallel(event.currentTarget.value)}
        />
        <TextInput
          label={t('jobs.settings.bandwidth')}
          description={t('jobs.settings.bandwidthHint')}
          inputMode="decimal"
          value={bandwidth}
          error={bandwidthBytesPerSecond === 'invalid' ? t('jobs.settings.bandwidthInvalid') : null}
          onChange={(event) => setBandwidth(event.currentTarget.value)}
        />
        <FailureNotice error={save.error} />
        <DialogFooter onCancel={onCancel} cancel={t('jobs.settings.cancel')}>
          <Button type="submit" loading={save.isPending}>
            {t('jobs.settings.save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

/** The settings for parallel transfers and bandwidth, as a section of all settings. */
export function JobSettingsSection() {
  const { t } = useTranslation();
  const settings = useQuery(orpc.jobs.settings.queryOptions({ staleTime: 0 }));
  const [isSaved, setSaved] = useState(false);
  if (settings.error !== null)
    return <FailureNotice error={settings.error} onRetry={() => void settings.refetch()} />;
  if (settings.data === undefined) return <Loader size="sm" />;
  return (
    <>
      <Box maw={280}>
        <JobSettingsForm settings={settings.data} onSaved={() => setSaved(true)} />
      </Box>
      <Text size="sm" c="dimmed" role="status">
        {isSaved ? t('settings.saved') : ''}
      </Text>
    </>
  );
}
