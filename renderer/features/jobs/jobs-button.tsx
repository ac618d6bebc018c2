import { ListChecks, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { withKeys } from '../../ui/commands.ts';
import { formatBytes } from '../../ui/format.ts';
import { countOf, totalProgress, totalSpeed } from './job-progress.ts';
import { activeText } from './job-words.ts';
import { useJobsNow } from './jobs-store.ts';
import classes from './jobs-button.module.css';

interface Props {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Tells how many transfers run, how far they are and how fast, and what asks something; a click opens their list. */
export function JobsButton({ isOpen, onToggle }: Props) {
  const { t } = useTranslation();
  const { counts, speeds } = useJobsNow();
  const total = counts === null ? { kind: 'idle' as const } : totalProgress(counts);
  const attention = counts === null ? 0 : countOf(counts, 'attention');
  const speed = totalSpeed(speeds);
  const texts = [
    total.kind === 'idle' ? t('jobs.title') : activeText(total, t),
    total.kind === 'idle' || speed === null ? null : t('jobs.speed', { speed: formatBytes(speed) }),
    attention === 0 ? null : t('jobs.attention', { count: attention }),
  ];
  const percent = total.kind === 'idle' ? null : total.percent;
  const Icon = attention === 0 ? ListChecks : TriangleAlert;
  return (
    <button
      type="button"
      className={classes.pill}
      data-running={total.kind === 'running'}
      data-attention={attention > 0}
      aria-expanded={isOpen}
      title={withKeys(t(isOpen ? 'jobs.hide' : 'jobs.show'), 'toggleTransfers')}
      onClick={onToggle}
    >
      {percent === null ? null : (
        <span className={classes.done} style={{ width: `${String(percent)}%` }} aria-hidden />
      )}
      <Icon size={14} aria-hidden />
      <span className={classes.text}>{texts.filter((text) => text !== null).join(' · ')}</span>
    </button>
  );
}
