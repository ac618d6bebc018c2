import { beforeAll, describe, expect, it } from 'vitest';
import type { TFunction } from 'i18next';
import {
  verdictBadge,
  verdictSentence,
} from '../../../../../renderer/features/stalled/detail/verdict-words.ts';
import { verdicts } from '../../../../../shared/models/stalled.ts';
import { englishWords } from '../../words.ts';
import { partsOf } from '../fixtures.ts';

let t: TFunction;
beforeAll(async () => {
  t = await englishWords();
});

const now = Date.parse('2026-01-01T00:05:00.000Z');

describe('the text of a verdict', () => {
  it('exists for each verdict without missing values', () => {
    for (const verdict of verdicts) {
      const { label, body } = verdictBadge(verdict, partsOf(), t);
      const sentence = verdictSentence(verdict, partsOf({ gapCount: 2, smallCount: 1 }), now, t);
      for (const text of [label, body, sentence]) expect(text).not.toMatch(/\{\{|uploads\.|NaN/u);
    }
  });

  it('never claims that an upload without gaps is complete', () => {
    for (const lastPartIsFull of [true, false]) {
      const sentence = verdictSentence('no-gaps', partsOf({ lastPartIsFull }), now, t);
      expect(sentence).toContain('The service does not know the intended length');
    }
  });

  it('says that a full-sized last part suggests missing parts', () => {
    expect(verdictBadge('no-gaps', { lastPartIsFull: true }, t).body).toContain(
      'more parts were probably to follow',
    );
    expect(verdictBadge('no-gaps', { lastPartIsFull: false }, t).body).not.toContain('more was probably');
  });

  it('includes the age of the last part while it is still being written', () => {
    expect(verdictSentence('still-being-written', partsOf(), now, t)).toContain('5 minutes ago');
  });

  it('counts one gap in the singular', () => {
    expect(verdictSentence('has-gaps', partsOf({ gapCount: 1 }), now, t)).toMatch(
      /^1 part in the middle is/u,
    );
  });
});
