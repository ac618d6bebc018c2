import { Button } from '@mantine/core';
import { ListChecks, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { activeText, countOf, totalProgress } from './job-progress.ts';
import { useJobsNow } from './jobs-store.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The button that opens the transfers. It summarizes them while they are closed. */
export function JobsButton({ isOpen, onToggle }: Props) {
  const { t } = useTranslation();
  const { counts } = useJobsNow();
  const total = counts === null ? { kind: 'idle' as const } : totalProgress(counts);
  const attention = counts === null ? 0 : countOf(counts, 'attention');
  const text = total.kind === 'idle' ? t('entries.jobs.title') : activeText(total, t);
  return (
    <Button
      size="compact-xs"
      variant={isOpen ? 'light' : 'subtle'}
      color="gray"
      aria-expanded={isOpen}
      title={t(isOpen ? 'entries.jobs.hide' : 'entries.jobs.show')}
      leftSection={
        attention === 0 ? <ListChecks size={14} aria-hidden /> : <TriangleAlert size={14} aria-hidden />
      }
      onClick={onToggle}
    >
      {text}
      {attention === 0 ? null : `; ${t('entries.jobs.attention', { count: attention })}`}
    </Button>
  );
}
