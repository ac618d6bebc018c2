import { beforeAll, describe, expect, it } from 'vitest';
import type { TFunction } from 'i18next';
import {
  adviceFor,
  jobSentence,
  jobTitle,
  nameOfJob,
  requestName,
  shortWhy,
  replaceSentence,
} from '../../../../../renderer/features/transfers/queue/job-words.ts';
import { errorCodes } from '../../../../../shared/error-schema.ts';
import { failure } from '../../../../../shared/errors.ts';
import { jobKinds, transferKinds } from '../../../../../shared/models/job-kinds.ts';
import { jobOutcomes, jobReasons, jobStates, jobWaits, type Job } from '../../../../../shared/models/jobs.ts';
import { formatTimeOfDay } from '../../../../../renderer/ui/words/format.ts';
import { englishWords, russianWords } from '../../words.ts';
import { jobOf, nowMs } from './fixtures.ts';

let t: TFunction;
beforeAll(async () => {
  t = await englishWords();
});

const at = (ms: number): string => new Date(nowMs + ms).toISOString();

describe('the status text of a job', () => {
  it('says what an open outcome waits for and until when or for how long', () => {
    const sentences = jobWaits.map((waitsFor) =>
      jobSentence(
        jobOf({
          state: waitsFor === 'complete-answer' ? 'completing' : 'verifying-outcome',
          stateSince: at(-120_000),
          retryAt: at(20_000),
          waitsFor,
          waitsUntil: at(480_000),
        }),
        nowMs,
        t,
      ),
    );
    expect(new Set(sentences).size).toBe(jobWaits.length);
    const time = formatTimeOfDay(at(480_000));
    expect(sentences[jobWaits.indexOf('assembling')]).toContain(
      `Cooper checks until ${time}, then completes it again`,
    );
    expect(sentences[jobWaits.indexOf('reading')]).toContain('in 20 sec');
    expect(sentences[jobWaits.indexOf('complete-answer')]).toContain('has not answered for 2 min');
    for (const waitsFor of jobWaits)
      expect(adviceFor(jobOf({ state: 'verifying-outcome', waitsFor }), t)).toMatch(/^[A-Z].*\.$/u);
  });

  it.each([
    ['English', englishWords],
    ['Russian', russianWords],
  ])('fits the row of a 1440-pixel-wide window for every wait in %s', async (_, words) => {
    const say = await words();
    const longest = 100;
    const jobs = [
      ...jobWaits.flatMap((waitsFor) =>
        (['completing', 'verifying-outcome', 'transferring'] as const).map((state) =>
          jobOf({
            state,
            waitsFor,
            stateSince: at(-3_540_000),
            retryAt: at(3_540_000),
            waitsUntil: at(480_000),
          }),
        ),
      ),
      jobOf({ state: 'completing', pauseRequested: true, stateSince: at(-3_540_000) }),
      ...jobReasons.flatMap((reason) =>
        (['paused', 'needs-attention'] as const).map((state) => jobOf({ state, reason })),
      ),
      ...errorCodes.map((code) =>
        jobOf({ state: 'retry-scheduled', retryAt: at(3_540_000), error: failure(code, 'x').error }),
      ),
    ];
    const sentences = jobs.map((job) => jobSentence(job, nowMs, say));
    expect([...new Set(sentences.filter((sentence) => sentence.length > longest))]).toEqual([]);
  });

  it('says that an object was not read back for lack of permission', () => {
    const done = jobOf({ state: 'done', outcome: 'completed', notReadBack: true });
    expect(jobSentence(done, nowMs, t)).toContain('no permission to read it back');
  });

  it('lists what a sync did on both sides, omitting zeros', () => {
    const items = { total: 9, done: 9, skipped: 0, failed: 0, asking: 0 };
    const of = (
      kind: 'upload' | 'download' | 'delete',
      removed: number,
      unchanged: number,
      skipped: number,
    ) => jobSentence(jobOf({ kind, state: 'done', items, sync: { removed, unchanged, skipped } }), nowMs, t);
    expect(of('upload', 2, 1200, 1)).toBe('Done. 7 uploaded, 2 deleted, 1,200 unchanged, 1 skipped');
    expect(of('download', 0, 0, 0)).toBe('Done. 9 downloaded');
    expect(of('delete', 9, 3, 0)).toBe('Done. 9 deleted, 3 unchanged');
  });

  it('names the failed action on the items', () => {
    const items = { total: 3, done: 1, skipped: 0, failed: 2, asking: 0 };
    const of = (kind: 'upload' | 'copy' | 'move' | 'delete' | 'change'): string =>
      jobSentence(jobOf({ kind, state: 'needs-attention', reason: 'items-failed', items }), nowMs, t);
    expect(of('upload')).toContain('could not be transferred');
    expect(of('copy')).toContain('could not be copied');
    expect(of('move')).toContain('could not be moved');
    expect(of('delete')).toContain('could not be deleted');
    expect(of('change')).toContain('could not be changed');
    const renamed = jobOf({
      kind: 'move',
      isRename: true,
      state: 'done',
      outcome: 'renamed',
      items: { ...items, failed: 0 },
    });
    expect(jobSentence(renamed, nowMs, t)).toBe('Done. Renamed 1 object');
    const failed = jobOf({ ...renamed, state: 'needs-attention', reason: 'items-failed', items });
    expect(jobSentence(failed, nowMs, t)).toContain('could not be renamed');
  });

  it.each([
    [
      'English',
      englishWords,
      {
        one: 'Not renamed. An object with this name already exists',
        many: 'Nothing copied. 1,200 objects with these names already exist',
        files: 'Nothing downloaded. 2 files with these names already exist',
        noted: 'Nothing changed, 2 skipped. 2 notes',
        none: 'Nothing deleted. There were no objects',
        undone: 'Nothing taken back, 1 skipped. 1 note',
        some: 'Done. Copied and verified 1 object, 2 skipped',
      },
    ],
    [
      'Russian',
      russianWords,
      {
        one: 'Не переименовано. Объект с таким именем уже есть',
        many: 'Ничего не скопировано. Уже есть 1\u00a0200 объектов с такими именами',
        files: 'Ничего не скачано. Уже есть 2 файла с такими именами',
        noted: 'Ничего не изменено, пропущено 2. 2 примечания',
        none: 'Ничего не удалено. Объектов не было',
        undone: 'Ничего не возвращено, пропущено 1. 1 примечание',
        some: 'Готово. Скопирован и проверен 1 объект, пропущено 2',
      },
    ],
  ] as const)('says in %s that nothing was done and why', async (_, words, expected) => {
    const say = await words();
    const of = (
      kind: Job['kind'],
      outcome: NonNullable<Job['outcome']>,
      [done, skipped, noted]: readonly [number, number, number],
      changes: Partial<Job> = {},
    ): string => {
      const items = { total: done + skipped, done, skipped, failed: 0, asking: 0, noted };
      return jobSentence(jobOf({ kind, state: 'done', outcome, items, ...changes }), nowMs, say);
    };
    expect(of('move', 'renamed', [0, 1, 0])).toBe(expected.one);
    expect(of('copy', 'copied', [0, 1200, 0])).toBe(expected.many);
    expect(of('download', 'downloaded', [0, 2, 0])).toBe(expected.files);
    expect(of('change', 'changed', [0, 2, 2])).toBe(expected.noted);
    expect(of('delete', 'deleted', [0, 0, 0])).toBe(expected.none);
    const undoes = { kind: 'move', isRedo: false } as const;
    expect(of('move', 'moved', [0, 1, 1], { undoes })).toBe(expected.undone);
    expect(of('copy', 'copied', [1, 2, 0])).toBe(expected.some);
  });

  it.each([
    ['English', englishWords],
    ['Russian', russianWords],
  ])('never counts zero as done in %s, whatever the kind and the number skipped', async (_, words) => {
    const say = await words();
    const outcomeOf = {
      upload: 'uploaded',
      download: 'downloaded',
      copy: 'copied',
      move: 'moved',
      delete: 'deleted',
      change: 'changed',
      'abort-many': 'aborted-many',
      'complete-many': 'completed-many',
      'resume-many': 'resumed-many',
    } as const satisfies Record<(typeof transferKinds)[number], Job['outcome']>;
    for (const kind of transferKinds)
      for (const undoes of [
        undefined,
        { kind: 'copy', isRedo: false },
        { kind: 'copy', isRedo: true },
      ] as const)
        for (const skipped of [0, 1, 2, 5, 21])
          for (const noted of [0, skipped]) {
            const items = { total: skipped, done: 0, skipped, failed: 0, asking: 0, noted };
            const undoFields = undoes === undefined ? {} : { undoes };
            const job = jobOf({ kind, state: 'done', outcome: outcomeOf[kind], items, ...undoFields });
            expect(jobSentence(job, nowMs, say)).not.toMatch(/(?<!\d)0 |Done|Готово|\{\{|jobs\./u);
          }
  });

  it('says if files are transferred while the list is still read', () => {
    const [none, some] = [0, 7].map((partsDone) =>
      jobOf({ kind: 'download', state: 'preparing', partsDone }),
    );
    expect(none && jobSentence(none, nowMs, t)).toBe('Listing what to transfer');
    expect(some && jobSentence(some, nowMs, t)).toBe('Transferring while the list is being read');
  });

  it('counts the notes of a finished job', () => {
    const items = { total: 9, done: 9, skipped: 0, failed: 0, asking: 0 };
    const of = (noted: number) =>
      jobSentence(
        jobOf({ kind: 'download', state: 'done', outcome: 'downloaded', items: { ...items, noted } }),
        nowMs,
        t,
      );
    expect(of(1200)).toBe('Done. Downloaded 9 files. 1,200 notes');
    expect(of(0)).toBe('Done. Downloaded 9 files');
  });

  it('exists for every state, kind and reason without missing values', () => {
    for (const kind of jobKinds)
      for (const state of jobStates)
        for (const reason of [null, ...jobReasons])
          for (const pauseRequested of [true, false]) {
            const job = jobOf({ kind, state, reason, pauseRequested, partNumbers: [3] });
            expect(jobSentence(job, nowMs, t)).not.toMatch(/\{\{|jobs\.|NaN/u);
            expect(adviceFor(job, t) ?? '').not.toMatch(/\{\{|jobs\.|NaN/u);
          }
  });

  it('exists for every outcome and every error', () => {
    const ends = jobOutcomes.map((outcome) => jobSentence(jobOf({ state: 'done', outcome }), nowMs, t));
    expect(new Set(ends).size).toBe(jobOutcomes.length);
    for (const code of errorCodes) expect(shortWhy(failure(code, 'x').error, t)).not.toContain('jobs.');
  });

  it('counts how long the service has been assembling', () => {
    expect(jobSentence(jobOf({ state: 'completing' }), nowMs, t)).toBe(
      'The service is assembling the object, 3 min so far',
    );
  });

  it('says that the service asked a running job to wait, and until when', () => {
    const error = failure('rate-limited', 'SlowDown').error;
    const job = jobOf({
      state: 'sending-parts',
      wait: { until: new Date(nowMs + 12_000).toISOString(), error },
    });
    expect(jobSentence(job, nowMs, t)).toBe(
      'The service asked Cooper to wait. Continuing in 12 sec: the service is busy',
    );
  });

  it('counts down to the next retry with its reason', () => {
    const job = jobOf({
      state: 'retry-scheduled',
      retryAt: new Date(nowMs + 12_000).toISOString(),
      error: failure('rate-limited', 'SlowDown').error,
    });
    expect(jobSentence(job, nowMs, t)).toBe('Retrying in 12 sec: the service is busy');
    expect(jobSentence(job, nowMs + 13_000, t)).toMatch(/^Retrying now/u);
  });

  it('shows a throttled CompleteMultipartUpload as retrying, and a lost one as unanswered', () => {
    const job = jobOf({
      state: 'verifying-outcome',
      retryAt: new Date(nowMs + 12_000).toISOString(),
      error: failure('rate-limited', 'SlowDown').error,
    });
    expect(jobSentence(job, nowMs, t)).toMatch(/^Retrying in 12 sec/u);
    const lost = { ...job, error: failure('network', 'reset').error };
    expect(jobSentence(lost, nowMs, t)).toMatch(/^The service did not answer/u);
  });

  it('asks for new keys', () => {
    const job = jobOf({ state: 'paused', reason: 'needs-new-keys' });
    expect(jobSentence(job, nowMs, t)).toBe('Paused: new keys are needed');
    expect(adviceFor(job, t)).toContain('The parts already sent are safe');
  });

  it('never calls an unclear or lost outcome done', () => {
    for (const reason of ['outcome-unclear', 'lost', 'overwritten', 'target-changed'] as const)
      expect(jobSentence(jobOf({ state: 'needs-attention', reason }), nowMs, t)).toMatch(/^Needs attention/u);
  });

  it('says what would be replaced', () => {
    const present = {
      kind: 'present',
      sizeBytes: 14,
      etag: '"e"',
      lastModified: null,
      versionId: null,
    } as const;
    expect(replaceSentence({ inTheWay: present }, t)).toMatch(/^An object of 14 bytes is at this key now\./u);
    expect(replaceSentence({ inTheWay: { kind: 'absent' } }, t)).toContain('kept changing');
    expect(replaceSentence({}, t)).toContain('no permission to check this key');
  });

  it('says that a pause waits for the response while the service assembles', () => {
    expect(jobSentence(jobOf({ state: 'completing', pauseRequested: true }), nowMs, t)).toContain(
      'pauses afterwards',
    );
  });

  it('names the first few parts a reason is about', () => {
    const partNumbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const job = jobOf({ state: 'needs-attention', reason: 'parts-rejected', partNumbers });
    expect(adviceFor(job, t)).toContain('Parts 1, 2, 3, 4, 5, 6, 7, 8 ….');
  });

  it('has no advice for what the user did or what goes well', () => {
    expect(adviceFor(jobOf(), t)).toBeNull();
    expect(adviceFor(jobOf({ state: 'done' }), t)).toBeNull();
  });

  it('names requests, and unknown ones by their id', () => {
    expect(requestName('upload-part', t)).toBe('Send a part');
    expect(requestName('toString', t)).toBe('toString');
    expect(requestName('other', t)).toBe('other');
  });

  it("uses the last segment of the key as the job's name", () => {
    expect(nameOfJob({ bucket: 'photos', key: 'a/b.bin' })).toBe('b.bin');
    expect(nameOfJob({ bucket: 'photos', key: 'a/b/' })).toBe('b/');
    expect(nameOfJob({ bucket: 'photos', key: '/' })).toBe('/');
  });

  it('uses the bucket as the name of a job for a whole bucket', () => {
    expect(nameOfJob({ bucket: 'photos', key: '' })).toBe('photos');
  });

  it("counts in the job's title the other items that were chosen", () => {
    const job = { bucket: 'photos', key: 'a/b.bin' };
    expect(jobTitle(job, t)).toBe('b.bin');
    expect(jobTitle({ ...job, moreChosen: 2 }, t)).toBe('b.bin and 2 more');
    // Not the bucket itself, as the title of a deletion would say.
    expect(jobTitle({ ...job, key: '', bucket: 'photos', isOfSearch: true }, t)).toBe(
      'search results in photos',
    );
  });
});
