import type { TFunction } from 'i18next';
import { hasSpaceAtEdge, type NameProblem } from './names.ts';

export function nameProblemText(problem: NameProblem, t: TFunction): string {
  return problem.kind === 'tooLong'
    ? t('operations.name.tooLong', { limit: problem.limit, bytes: problem.bytes })
    : t(`operations.name.${problem.kind}`);
}

/** Returns hints about a valid name: spaces at its ends, or signs that replace line breaks. Null without hints. */
export function nameNotes(name: string, hasStandIns: boolean, t: TFunction): string | null {
  const notes = [
    name !== '' && hasSpaceAtEdge(name) ? t('operations.name.edges') : null,
    hasStandIns ? t('operations.name.lineBreaks') : null,
  ].filter((text) => text !== null);
  return notes.length === 0 ? null : notes.join(' ');
}
