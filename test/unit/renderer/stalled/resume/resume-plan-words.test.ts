import { beforeAll, describe, expect, it } from 'vitest';
import type { TFunction } from 'i18next';
import {
  beyondWords,
  bytesToSend,
  parseParallel,
  planLines,
  refusalWords,
  sendingSentence,
} from '../../../../../renderer/features/stalled/resume/resume-plan-words.ts';
import { planRefusals } from '../../../../../shared/models/resume-plan.ts';
import { englishWords } from '../../words.ts';
import { planOf } from '../fixtures.ts';

let t: TFunction;
beforeAll(async () => {
  t = await englishWords();
});

const mixed = planOf({
  partsVerified: 5,
  partsMissing: 3,
  partsDiffer: 1,
  partsUnverifiable: 2,
  partsSurplus: 1,
  bytesToSend: 20 * 1024 ** 2,
  bytesToSendWithUnverifiable: 30 * 1024 ** 2,
  recentBytesPerSecond: 1024 ** 2,
});

describe('the text of a resume plan', () => {
  it('has a sentence for each kind of part that occurs', () => {
    expect(planLines(mixed, false, t).map(({ kind }) => kind)).toEqual([
      'verified',
      'missing',
      'differs',
      'unverifiable',
      'surplus',
    ]);
    expect(planLines(planOf(), false, t)).toHaveLength(1);
  });

  it('says that unverifiable parts are sent again unless the user keeps them', () => {
    const textOf = (accept: boolean) =>
      planLines(mixed, accept, t).find(({ kind }) => kind === 'unverifiable')?.text;
    expect(textOf(false)).toContain('sends them again');
    expect(textOf(true)).toContain('as you chose');
    expect(bytesToSend(mixed, false)).toBe(30 * 1024 ** 2);
    expect(bytesToSend(mixed, true)).toBe(20 * 1024 ** 2);
  });

  it('gives bytes and time at the current speed', () => {
    expect(sendingSentence(mixed, true, t)).toBe(
      'To send: 20\u00A0MiB of 50\u00A0MiB. That takes about 20 sec at the current speed.',
    );
  });

  it('gives no time before a speed is known', () => {
    const plan = planOf({ partsMissing: 1, bytesToSend: 5, bytesToSendWithUnverifiable: 5 });
    expect(sendingSentence(plan, false, t)).toContain('once it has started');
  });

  it('says that nothing is sent if every part is verified', () => {
    expect(sendingSentence(planOf(), false, t)).toContain('only has to complete the upload');
  });

  it('says what each option sends if parts are beyond the end of the file', () => {
    const plan = planOf({ partsSurplus: 2, partsBeyond: [{ from: 4, to: 6 }] });
    expect(sendingSentence(plan, false, t)).toBe(
      'Uploading the file again sends 50\u00A0MiB. Leaving the parts out sends nothing.',
    );
    expect(sendingSentence({ ...plan, bytesToSendWithUnverifiable: 7 * 1024 ** 2 }, false, t)).toBe(
      'Uploading the file again sends 50\u00A0MiB. Leaving the parts out sends 7\u00A0MiB.',
    );
    const refused = { ...plan, mayLeaveOut: false };
    expect(sendingSentence(refused, false, t)).toBe('Uploading the file again sends 50\u00A0MiB.');
    expect(planLines(refused, false, t).map(({ kind }) => kind)).not.toContain('surplus');
  });

  it('explains parts beyond the end of the file and offers only what the service allows', () => {
    const plan = planOf({ partsSurplus: 2, partsBeyond: [{ from: 4, to: 6 }], partReplaced: 4 });
    const words = beyondWords(plan, t);
    expect(words?.title).toBe('Parts 4–6 belong to a longer file');
    expect(words?.sentences.join(' ')).toContain('Part 4 starts inside your file');
    expect(words?.sentences.join(' ')).toContain('the service deletes the rest');
    const refused = beyondWords({ ...plan, mayLeaveOut: false }, t);
    expect(refused?.sentences.join(' ')).not.toContain('deletes');
    expect(refused?.sentences.join(' ')).toContain(
      'does not complete an upload when stored parts are left out',
    );
    expect(beyondWords(planOf({ partsSurplus: 2 }), t)).toBeNull();
    expect(beyondWords(planOf({ partsSurplus: 2, mayLeaveOut: false }), t)?.title).toContain(
      '2 parts lie beyond',
    );
  });

  it('exists for every refusal, with a choice only if all parts differ', () => {
    for (const refusal of planRefusals) {
      const words = refusalWords(planOf({ refusal, partsTotal: 12_000 }), t);
      expect(words?.title).not.toContain('uploads.');
      expect(words?.body).not.toMatch(/\{\{|uploads\./u);
      expect(words?.choice === null).toBe(refusal !== 'all-differ');
    }
    expect(refusalWords(planOf(), t)).toBeNull();
  });
});

describe('typed resume options', () => {
  it('parse the number of parallel parts', () => {
    expect(parseParallel('')).toBeNull();
    expect(parseParallel(' 4 ')).toBe(4);
    for (const wrong of ['0', '65', '1.5', 'x', '-1']) expect(parseParallel(wrong)).toBe('invalid');
  });
});
