import { beforeAll, describe, expect, it } from 'vitest';
import type { TFunction } from 'i18next';
import {
  gapsSentence,
  keepsVersions,
  overwriteSentence,
  problemSentence,
  readinessOf,
  sortChecks,
} from '../../../../../renderer/features/stalled/dialogs/completion-words.ts';
import { failure } from '../../../../../shared/errors.ts';
import { completionProblems } from '../../../../../shared/models/stalled.ts';
import { englishWords } from '../../words.ts';
import { checkOf } from '../fixtures.ts';

let t: TFunction;
beforeAll(async () => {
  t = await englishWords();
});

const standing = (versionId: string | null) =>
  ({
    kind: 'present',
    sizeBytes: 2 * 1024 ** 2,
    etag: 'e',
    lastModified: '2025-03-04T10:00:00Z',
    versionId,
  }) as const;

describe('completing an upload with the parts it has', () => {
  it('needs a second confirmation for gaps, and none if it cannot succeed', () => {
    const gaps = [{ from: 3, to: 3 }];
    expect(readinessOf(checkOf())).toBe('ready');
    expect(readinessOf(checkOf({ gaps }))).toBe('incomplete');
    expect(readinessOf(checkOf({ gaps, problem: 'part-too-small' }))).toBe('cannot');
  });

  it('has a different sentence for each problem', () => {
    const sentences = completionProblems.map((problem) =>
      problemSentence(checkOf({ problem, partNumbers: [2, 3, 4, 9], gaps: [{ from: 5, to: 6 }] }), t),
    );
    expect(new Set(sentences).size).toBe(completionProblems.length);
    for (const sentence of sentences) expect(sentence).not.toMatch(/\{\{|uploads\./u);
    expect(problemSentence(checkOf(), t)).toBeNull();
  });

  it('names the parts that are too small', () => {
    const check = checkOf({ problem: 'part-too-small', partNumbers: [7] });
    expect(problemSentence(check, t)).toMatch(/^Part 7 is smaller than 5 MiB/u);
    const several = checkOf({ problem: 'part-too-small', partNumbers: [2, 3, 4, 9] });
    expect(problemSentence(several, t)).toMatch(/^Parts 2–4, 9 are smaller/u);
  });

  it('names exactly the missing parts', () => {
    expect(gapsSentence(checkOf({ gaps: [{ from: 6, to: 6 }] }), t)).toMatch(/^Part 6 is missing/u);
    expect(
      gapsSentence(
        checkOf({
          gaps: [
            { from: 6, to: 6 },
            { from: 9, to: 12 },
          ],
        }),
        t,
      ),
    ).toMatch(/^Parts 6, 9–12 are missing/u);
    expect(gapsSentence(checkOf(), t)).toBeNull();
  });

  it('counts the parts it does not name', () => {
    const gaps = Array.from({ length: 20 }, (_, index) => ({ from: index * 3 + 2, to: index * 3 + 2 }));
    expect(gapsSentence(checkOf({ gaps }), t)).toContain('and 12 more parts');
  });

  it('says what it overwrites, also if the key could not be checked', () => {
    expect(overwriteSentence(standing(null), t)).toContain('2\u00A0MiB');
    expect(overwriteSentence({ kind: 'absent' }, t)).toContain('No object exists');
    expect(
      overwriteSentence({ kind: 'unreadable', error: failure('access-denied', 'x').error }, t),
    ).toContain('could not check');
    expect(keepsVersions(standing('null'))).toBe(false);
    expect(keepsVersions(standing(null))).toBe(false);
    expect(keepsVersions(standing('v1'))).toBe(true);
  });
});

describe('completing several uploads', () => {
  const checks = [
    checkOf({ sizeBytes: 10 }),
    checkOf({ sizeBytes: 100, gaps: [{ from: 1, to: 1 }], standing: standing(null) }),
    checkOf({ sizeBytes: 1000, problem: 'no-parts' }),
  ];

  it('skips those with gaps until the user accepts gaps', () => {
    expect(sortChecks(checks, false)).toMatchObject({ readyBytes: 10, replaces: 0 });
    expect(sortChecks(checks, true)).toMatchObject({ readyBytes: 110, replaces: 1 });
    expect(sortChecks(checks, true).cannot).toHaveLength(1);
  });
});
