import { utimesSync, writeFileSync } from 'node:fs';
import { headOrNull } from '../../electron/core/s3/conditions/look-at-key.ts';
import { isResting } from '../../electron/core/jobs/job.ts';
import type { Job } from '../../shared/models/jobs.ts';
import { bytesOf, sha256, smallestPart, type Rig } from '../support/core/uploads-rig.ts';
import { Chance } from './chance.ts';
import { chooseConditionQuirks } from './condition-quirks.ts';
import { KillableRun } from './killable-run.ts';
import type { Setup } from './setup.ts';
import { planFaults } from './schedule-faults.ts';
import { ignoringKill, untilResting } from './until-resting.ts';

/** Changes by another client while the job runs. */
const interferences = [
  'none',
  'none',
  'none',
  'original client writes on',
  'original client writes other bytes',
  'another client completes it',
  'another client aborts it',
  'object overwritten',
  'file edited',
] as const;
type Interference = (typeof interferences)[number];

export interface Report {
  readonly seed: number;
  readonly description: string;
  readonly kills: number;
  readonly faults: number;
  readonly end: string;
  /** The violations found, or an empty list. */
  readonly wrong: readonly string[];
}

/** Outcomes accepted besides success, for each interference. */
const excuses: Readonly<Record<Interference, readonly string[]>> = {
  none: [],
  // Parts that arrive late may change what the user confirmed or what the program verified.
  'original client writes on': ['parts-changed', 'parts-rejected', 'cannot-complete'],
  'original client writes other bytes': ['parts-changed', 'parts-rejected', 'cannot-complete'],
  // Swift still lists the parts, and the key has an object unknown to the job.
  'another client completes it': [
    'upload-gone',
    'overwritten',
    'target-changed',
    // Swift lists parts that it no longer accepts, and the job reports this.
    'upload-contradicted',
  ],
  'another client aborts it': ['upload-gone', 'lost'],
  'object overwritten': ['overwritten', 'target-changed'],
  'file edited': ['file-changed'],
};

/** Runs one job that finishes a stalled upload, with random kills and faults, until it rests. Reports violations. */
export async function playStalledUpload(setup: Setup, seed: number): Promise<Report> {
  const quirkName = chooseConditionQuirks(setup, seed);
  const { stalled: rig, proxy, proxied } = setup;
  const chance = new Chance(seed);
  const key = `t/${seed}`;
  const kind = chance.oneOf(['resume', 'resume', 'complete'] as const);
  const partCount = chance.integer(1, 6);
  const bytes = bytesOf(smallestPart * (partCount - 1) + chance.integer(1, smallestPart), seed);
  const all = Array.from({ length: partCount }, (_, index) => index + 1);
  const present = kind === 'complete' ? all : all.filter(() => chance.happens(0.5));
  const interference = chance.oneOf(interferences);
  const plannedKills = chance.oneOf([0, 1, 2, 5, 9, 14]);
  const file = rig.file(`file-${seed}.bin`, bytes);
  const existing = chance.happens(0.3) ? bytesOf(50, seed + 1) : null;
  if (existing !== null)
    await rig.client.putObject({
      bucket: rig.bucket,
      key,
      body: { sizeBytes: existing.byteLength, open: () => existing },
    });
  const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: present });

  const wrong: string[] = [];
  let completesInFlight = 0;
  const onRequest = (name: string, when: 'begins' | 'ends'): void => {
    if (name === 'abortMultipartUpload')
      wrong.push('the core aborted an upload that it was not asked to abort');
    if (name !== 'completeMultipartUpload') return;
    completesInFlight += when === 'begins' ? 1 : -1;
    if (completesInFlight > 1) wrong.push('two Completes in flight');
  };
  const startRun = (points: number | null): KillableRun => {
    const run = new KillableRun(points);
    rig.storeHooks = run.storeHooks;
    rig.wrapClient = () => run.wrap(proxied.stalled, onRequest);
    return run;
  };

  startRun(null);
  const plan = planFaults(proxy, chance);
  const jobId = kind === 'resume' ? await rig.resume(ref, file) : await rig.complete(ref);
  plan.begin();
  let retriesLeft = 20;
  const { job, kills } = await untilResting({
    jobId,
    core: rig,
    plan,
    run: startRun(plannedKills > 0 ? chance.integer(1, 40) : null),
    kills: plannedKills,
    restart: async (killsLeft) => {
      let next = startRun(null);
      await rig.restart(() => {
        next = startRun(killsLeft > 0 ? chance.integer(1, 60) : null);
      });
      return next;
    },
    events: [
      {
        atMs: Date.now() + chance.integer(0, 40),
        needsProcess: false,
        act: () => interfere(rig, interference, { key, bytes, file, ref, present, seed }),
      },
    ],
    // An error that exhausted its retries, or was not a valid S3 response, waits for the user's "Try again now". This simulates
    // a patient user.
    react: ({ error }) => {
      if (error === null || error.retry === 'never' || retriesLeft === 0) return false;
      retriesLeft -= 1;
      if (retriesLeft === 10) plan.end();
      ignoringKill(() => rig.uploads.jobs.send(jobId, { kind: 'retry-now' }));
      return true;
    },
    wrong,
  });
  startRun(null);
  plan.end();
  const object = await rig.object(key);
  const isSpoiltLater = object === null && interference === 'original client writes other bytes';
  if (!isSpoiltLater || !(await isDescribed(rig, key, bytes.length)))
    wrong.push(...judgeEnd(job, object, bytes, interference, seed));
  // These are the program's own requests: interference does not pass the proxy.
  if (proxy.faults.count('AbortMultipartUpload') > 0) wrong.push('the upload was aborted unasked');
  const untouched = interference === 'none' || interference === 'object overwritten';
  if (untouched && sentParts(setup).some((part) => present.includes(part)))
    wrong.push('a verified part was sent');
  if (job !== null && !isResting(job.state)) rig.uploads.jobs.send(jobId, { kind: 'cancel' });
  await rig.uploads.jobs.clear([jobId]);
  const description = `${kind} of ${partCount} parts (${present.length} there), ${interference}${quirkName}; ${plan.words}`;
  return {
    seed,
    description,
    kills,
    faults: plan.played(),
    end: job === null ? 'lost' : `${job.state} ${job.outcome ?? job.reason ?? ''}`.trim(),
    wrong,
  };
}

function sentParts({ proxy }: Setup): readonly number[] {
  return proxy.faults.journal
    .filter(({ operation }) => operation === 'UploadPart')
    .map(({ partNumber }) => partNumber ?? 0);
}

/**
 * Returns true if the service describes the object with this size. Swift returns no object whose part was overwritten after its
 * Complete, but still describes it; no job can detect that.
 */
async function isDescribed({ client, bucket }: Rig, key: string, sizeBytes: number): Promise<boolean> {
  const seen = await headOrNull(client, { bucket, key });
  return seen?.sizeBytes === sizeBytes;
}

function judgeEnd(
  job: Job | null,
  object: Buffer | null,
  bytes: Buffer,
  interference: Interference,
  seed: number,
): string[] {
  if (job === null) return ['the job is lost'];
  const isRight = object !== null && sha256(object) === sha256(bytes);
  const end = `${job.state} ${job.outcome ?? ''} ${job.reason ?? ''} ${JSON.stringify(job.error)}`;
  if (job.state === 'done') {
    if (isRight) return [];
    // Another client overwrote the object after its completion had been verified, so the job's report was correct.
    if (interference === 'object overwritten' && object?.equals(overwriting(seed)) === true) return [];
    return [`done, and the object's bytes are not the file's: ${end}`];
  }
  if (excuses[interference].includes(job.reason ?? '')) return [];
  return [`an end without a reason (${interference}): ${end}`];
}

/** Returns the bytes another client overwrites the object with. */
function overwriting(seed: number): Buffer {
  return bytesOf(99, seed + 3);
}

interface Scene {
  readonly key: string;
  readonly bytes: Buffer;
  readonly file: string;
  readonly ref: {
    readonly connectionId: string;
    readonly bucket: string;
    readonly key: string;
    readonly uploadId: string;
  };
  readonly present: readonly number[];
  readonly seed: number;
}

/** Performs the interference. Its request may fail if the upload has already ended. */
async function interfere(rig: Rig, interference: Interference, scene: Scene): Promise<void> {
  const { bucket } = rig;
  const { key, ref, bytes, seed } = scene;
  try {
    switch (interference) {
      case 'none':
        return;
      case 'original client writes on': {
        const missing = Math.max(1, ...scene.present);
        await rig.put(ref, missing, bytes.subarray((missing - 1) * smallestPart, missing * smallestPart));
        return;
      }
      case 'original client writes other bytes':
        await rig.put(ref, 1, bytesOf(smallestPart, seed + 7));
        return;
      case 'another client completes it': {
        const { parts } = await rig.client.listParts({ bucket, key, uploadId: ref.uploadId });
        await rig.client.completeMultipartUpload({ bucket, key, uploadId: ref.uploadId, parts });
        return;
      }
      case 'another client aborts it':
        await rig.client.abortMultipartUpload({ bucket, key, uploadId: ref.uploadId }, { maxTries: 1 });
        return;
      case 'object overwritten': {
        const other = overwriting(seed);
        await rig.client.putObject({ bucket, key, body: { sizeBytes: other.byteLength, open: () => other } });
        return;
      }
      case 'file edited': {
        const changed = Buffer.from(bytes);
        changed[0] = (changed[0] ?? 0) ^ 1;
        writeFileSync(scene.file, changed);
        utimesSync(scene.file, new Date(), new Date(Date.now() + 5000));
        return;
      }
      default:
        interference satisfies never;
    }
  } catch {
    // The upload had already been completed.
  }
}
