import { isReady, refusalWords } from './resume-plan-words.ts';
import type { TFunction } from 'i18next';
import type { FileMatch, UploadPlan } from '../../../../shared/models/resume-plan.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import type { Tone } from '../dialogs/upload-dialog-parts.tsx';
import type { FilePlan, FilePlans } from './use-folder-plans.ts';

export interface MatchLine {
  readonly text: string;
  readonly tone: Tone;
}

/** Returns the text and tone for the file matched to one upload. */
export function matchLine(match: FileMatch, plan: FilePlan | undefined, t: TFunction): MatchLine {
  if (match.problem !== null) {
    const tone = match.problem === 'none-found' ? 'quiet' : 'warning';
    return { text: t(`stalled.folder.problems.${match.problem}`), tone };
  }
  const state = stateText(plan, t);
  return {
    text: match.fileName === null ? state.text : `${match.fileName}: ${state.text}`,
    tone: state.tone,
  };
}

function stateText(plan: FilePlan | undefined, t: TFunction): MatchLine {
  if (plan === undefined) return { text: t('stalled.folder.fits'), tone: 'quiet' };
  switch (plan.kind) {
    case 'comparing':
      return { text: t('stalled.folder.comparingOf', { percent: plan.percent }), tone: 'quiet' };
    case 'failed':
      return { text: t('stalled.folder.failed'), tone: 'danger' };
    case 'started':
      return { text: t('stalled.folder.started'), tone: 'ok' };
    default:
      return plannedText(plan.plan, t);
  }
}

function plannedText(plan: UploadPlan, t: TFunction): MatchLine {
  if (plan.partsBeyond.length > 0) return { text: t('stalled.folder.beyond'), tone: 'warning' };
  const refusal = refusalWords(plan, t);
  if (refusal !== null) return { text: t('stalled.folder.refused', { why: refusal.title }), tone: 'danger' };
  const readyLine = readyText(plan, t);
  return plan.stillBeingWritten
    ? { text: `${readyLine.text}; ${t('stalled.folder.writing')}`, tone: 'warning' }
    : readyLine;
}

function readyText(plan: UploadPlan, t: TFunction): MatchLine {
  const bytes = formatBytes(plan.bytesToSendWithUnverifiable);
  const replaces =
    plan.standing.kind === 'present'
      ? `; ${t('stalled.folder.replaces', { bytes: formatBytes(plan.standing.sizeBytes) })}`
      : '';
  if (plan.partsUnverifiable > 0) {
    const text = t('stalled.folder.unproved', { count: plan.partsUnverifiable, bytes });
    return { text: text + replaces, tone: 'warning' };
  }
  const text =
    plan.bytesToSend === 0
      ? t('stalled.folder.provedNothing')
      : t('stalled.folder.proved', { verified: plan.partsVerified, bytes });
  return { text: text + replaces, tone: 'ok' };
}

/** Returns the files that fit, the plans that may start, and the number of uploads whose plans have started. */
export function summaryOf(matches: readonly FileMatch[], plans: FilePlans) {
  const known = [...plans.values()];
  const ready = known.flatMap((file) => (file.kind === 'planned' && isReady(file.plan) ? [file.plan] : []));
  return {
    fitting: matches.filter((match) => match.problem === null && match.handle !== null),
    readyCount: ready.length,
    readyBytes: ready.reduce((sum, plan) => sum + plan.bytesToSendWithUnverifiable, 0),
    startedCount: known.filter((file) => file.kind === 'started').length,
  };
}
