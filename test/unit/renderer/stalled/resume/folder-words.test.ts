import { beforeAll, describe, expect, it } from 'vitest';
import type { TFunction } from 'i18next';
import { matchLine, summaryOf } from '../../../../../renderer/features/stalled/resume/folder-words.ts';
import { isReady } from '../../../../../renderer/features/stalled/resume/resume-plan-words.ts';
import { refId } from '../../../../../renderer/features/stalled/model/list-query.ts';
import { failure } from '../../../../../shared/errors.ts';
import type { FileMatch } from '../../../../../shared/models/resume-plan.ts';
import { englishWords } from '../../words.ts';
import { planOf, refOf } from '../fixtures.ts';

let t: TFunction;
beforeAll(async () => {
  t = await englishWords();
});

const matchOf = (key: string, changes: Partial<FileMatch> = {}): FileMatch => ({
  ref: refOf(key),
  handle: `h-${key}`,
  fileName: key,
  sizeBytes: 5,
  problem: null,
  ...changes,
});

const line = (plan: Parameters<typeof matchLine>[1]) => matchLine(matchOf('a'), plan, t);

describe('resuming several uploads from a folder', () => {
  it('explains for each upload why no file matches', () => {
    const texts = (['none-found', 'several-found', 'too-short'] as const).map(
      (problem) => matchLine(matchOf('a', { handle: null, problem }), undefined, t).text,
    );
    expect(new Set(texts).size).toBe(3);
  });

  it('distinguishes proved, unproved, refused and failed files', () => {
    expect(line({ kind: 'planned', plan: planOf() })).toMatchObject({ tone: 'ok' });
    expect(line({ kind: 'planned', plan: planOf({ partsUnverifiable: 2 }) }).tone).toBe('warning');
    const refused = line({ kind: 'planned', plan: planOf({ refusal: 'all-differ' }) });
    expect(refused.tone).toBe('danger');
    expect(refused.text).toContain('not the right file');
    expect(line({ kind: 'failed', error: failure('network', 'x').error }).tone).toBe('danger');
  });

  it('does not start files that would drop stored parts, and warns of active uploads', () => {
    const beyond = planOf({ refusal: 'too-short', partsBeyond: [{ from: 4, to: 6 }] });
    expect(isReady(beyond)).toBe(false);
    expect(line({ kind: 'planned', plan: beyond })).toMatchObject({ tone: 'warning' });
    const written = line({ kind: 'planned', plan: planOf({ stillBeingWritten: true }) });
    expect(written.tone).toBe('warning');
    expect(written.text).toContain('leave it alone');
  });

  it('counts as ready only files that were compared and not refused', () => {
    const matches = [matchOf('a'), matchOf('b'), matchOf('c', { handle: null, problem: 'none-found' })];
    const plans = new Map([
      [refId(refOf('a')), { kind: 'planned', plan: planOf({ bytesToSendWithUnverifiable: 7 }) } as const],
      [refId(refOf('b')), { kind: 'planned', plan: planOf({ refusal: 'too-short' }) } as const],
    ]);
    expect(summaryOf(matches, plans)).toMatchObject({ readyCount: 1, readyBytes: 7, startedCount: 0 });
    expect(summaryOf(matches, plans).fitting).toHaveLength(2);
  });
});
