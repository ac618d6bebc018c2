import { ActionIcon, Button, Progress } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { TFunction } from 'i18next';
import { workOf } from '../../../../shared/models/job-kinds.ts';
import { hasDoneNothing } from '../../../../shared/models/job-results.ts';
import type { Job } from '../../../../shared/models/jobs.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { MenuEntries, menuEntry } from '../../../ui/menus.tsx';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { formatSpan, formatBytes, formatCount } from '../../../ui/words/format.ts';
import { isQuestion, jobActionsFor, remedyFor } from './job-actions.ts';
import { actionIcons, remedyFacts } from './job-icons.ts';
import { groupOf, jobPercent } from './job-progress.ts';
import { batchOperationText, jobSentence, jobTitle, nameOfJob } from './job-words.ts';
import type { JobCommands } from './use-job-actions.tsx';
import { countedIn } from './result-words.ts';
import classes from './jobs-panel.module.css';

interface JobNameProps {
  readonly job: Job;
  readonly nowMs: number;
  readonly t: TFunction;
  /** True if the progress is shown below the name instead of in a column. */
  readonly hasProgress: boolean;
  /** Starts dragging the files of a finished download out of the window. Null if this is not possible. */
  readonly onDragOut: (() => void) | null;
}

/** Shows the subject of a job and its state. */
export function JobName({ job, nowMs, t, hasProgress, onDragOut }: JobNameProps) {
  return (
    <div
      draggable={onDragOut !== null}
      title={onDragOut === null ? undefined : t('jobs.dragOut')}
      onDragStart={(event) => {
        // Replaces the browser's drag with a drag by the operating system.
        event.preventDefault();
        onDragOut?.();
      }}
    >
      <div className={classes.name} title={`${job.bucket}/${job.key}`}>
        <span className={joinClasses(common.quiet, common.fixed)}>{t(`jobs.kinds.${workOf(job)}`)}</span>
        <strong>
          {job.isOfSearch === true ? (
            t('jobs.ofSearch', { name: nameOfJob(job) })
          ) : (
            <KeyText name={nameOfJob(job)} isCut />
          )}
          {job.moreChosen === undefined ? '' : ` ${t('common.andMore', { count: job.moreChosen })}`}
        </strong>
        <span className={classes.path}>{whereText(job, t)}</span>
        {job.target === undefined ? null : (
          <span className={classes.path}>
            {t('jobs.to', { place: `${job.target.bucket}/${job.target.prefix}` })}
          </span>
        )}
      </div>
      <div
        className={joinClasses(common.hint, common.clip, classes.sentence)}
        data-group={isQuestion(job) ? 'question' : groupOf(job.state)}
        data-done={job.state === 'done' && !hasDoneNothing(job)}
        data-retry={job.state === 'retry-scheduled'}
        title={jobSentence(job, nowMs, t)}
      >
        {jobSentence(job, nowMs, t)}
      </div>
      {hasProgress ? <JobProgress job={job} t={t} /> : null}
    </div>
  );
}

/** Returns the location on which a job works, or the operation of a job that AWS runs. */
function whereText({ batch, bucket, key }: Job, t: TFunction): string {
  if (batch !== undefined) return batchOperationText(batch.operation, t);
  return bucket === '' ? t('jobs.severalBuckets') : `${bucket}/${key}`;
}

/** Shows the progress by bytes and parts, the speed, and the remaining time. */
export function JobProgress({ job, t }: { readonly job: Job; readonly t: TFunction }) {
  const percent = jobPercent(job);
  if (percent === null || job.kind === 'abort') return null;
  // Hides the empty bar of a job that stopped with a question or an error before its first byte.
  if (percent === 0 && groupOf(job.state) === 'attention') return null;
  const busy = job.state === 'completing' || job.state === 'verifying-outcome';
  const group = groupOf(job.state);
  const isWaiting = group === 'resting' || isQuestion(job);
  const color = isWaiting ? 'yellow' : group === 'attention' ? 'red' : 'teal';
  const right = [
    job.speedBytesPerSecond === null
      ? null
      : t('jobs.speed', { speed: formatBytes(job.speedBytesPerSecond) }),
    job.remainingMs === null ? null : t('jobs.left', { span: formatSpan(job.remainingMs) }),
  ].filter((text) => text !== null);
  return (
    <>
      <Progress
        value={percent}
        color={color}
        size={6}
        animated={busy}
        aria-label={t('jobs.progress', { name: jobTitle(job, t) })}
      />
      <div className={joinClasses(common.hint, common.numbers, classes.numbers)}>
        <span className={common.cut}>{amountText(job, t)}</span>
        <span className={common.fixed}>
          {right.length > 0 ? right.join(', ') : t('jobs.percent', { percent })}
        </span>
      </div>
    </>
  );
}

function amountText(job: Job, t: TFunction): string {
  const parts =
    job.partsTotal === 0
      ? null
      : t(`jobs.${countedIn(job)}`, {
          count: job.partsTotal,
          done: formatCount(job.partsDone),
          total: formatCount(job.partsTotal),
        });
  const bytes =
    job.bytesTotal === 0
      ? null
      : job.kind === 'abort-many'
        ? t('jobs.freed', { bytes: formatBytes(job.bytesDone) })
        : job.bytesDone >= job.bytesTotal
          ? formatBytes(job.bytesTotal)
          : t('jobs.of', { done: formatBytes(job.bytesDone), total: formatBytes(job.bytesTotal) });
  return [bytes, parts].filter((text) => text !== null).join(', ');
}

interface JobButtonsProps {
  readonly job: Job;
  readonly commands: JobCommands;
  /** True if there is room only for the remedy and a menu with the other actions. */
  readonly isTight: boolean;
  readonly t: TFunction;
}

export function JobButtons({ job, commands, isTight, t }: JobButtonsProps) {
  const remedy = remedyFor(job);
  const actions = jobActionsFor(job);
  const name = jobTitle(job, t);
  const named = (action: string): string => t('jobs.actions.named', { action, name });
  const remedyLabel = remedy === null ? '' : t(`jobs.actions.${remedyFacts[remedy].messageKey}`);
  return (
    <div className={classes.buttons} role="group" aria-label={t('jobs.actions.label', { name })}>
      {remedy === null ? null : (
        <Button
          variant="default"
          size="compact-xs"
          tabIndex={-1}
          flex="0 1 auto"
          miw={0}
          aria-label={named(remedyLabel)}
          title={remedyLabel}
          onClick={() => commands.remedy(remedy, job)}
        >
          {remedyLabel}
        </Button>
      )}
      {isTight && actions.length > 1 ? (
        <MenuButton
          position="bottom-end"
          renderButton={(attributes) => (
            <ActionIcon tabIndex={-1} aria-label={named(t('common.more'))} {...attributes}>
              <Ellipsis size={16} aria-hidden />
            </ActionIcon>
          )}
        >
          <MenuEntries
            groups={[
              actions.map((action) =>
                menuEntry(t(`jobs.actions.${action}`), actionIcons[action], () => commands.run(action, job)),
              ),
            ]}
          />
        </MenuButton>
      ) : (
        actions.map((action) => (
          <IconButton
            key={action}
            tabIndex={-1}
            label={named(t(`jobs.actions.${action}`))}
            tip={t(`jobs.actions.${action}`)}
            icon={actionIcons[action]}
            onClick={() => commands.run(action, job)}
          />
        ))
      )}
    </div>
  );
}
