import { isResting } from '../../electron/core/jobs/job.ts';
import type { Job } from '../../shared/models/jobs.ts';
import { AppFailure } from '../../shared/errors.ts';
import { copyBytes, type TransferRig } from '../support/core/transfers-rig.ts';
import { bytesOf } from '../support/core/uploads-rig.ts';
import { Chance } from './chance.ts';
import { mayHaveRaced } from './write-races.ts';
import { chooseConditionQuirks } from './condition-quirks.ts';
import { answersOf, randomDisturbances, runJob } from './run-job.ts';
import type { Report } from './stalled-uploads.ts';
import type { Setup } from './setup.ts';

const interferences = [
  'none',
  'none',
  'source overwritten',
  'source deleted',
  'target written',
  'target deleted',
  'unfinished uploads aborted',
] as const;
type Interference = (typeof interferences)[number];

const kinds = ['move', 'move', 'move', 'copy', 'delete', 'relay'] as const;

/** Every version of the bytes under a name, to find what was lost. */
interface Objects {
  /** The objects that the job may remove: the name below the folder, and its content at the start. */
  readonly chosen: ReadonlyMap<string, Buffer>;
  /** Objects that the job must leave unchanged. */
  readonly others: ReadonlyMap<string, Buffer>;
}

/**
 * Runs one copy, move or deletion of a tree, with random kills, faults, a cancel and changes by other clients, until the job
 * rests. Reports violations: a chosen object that no longer exists anywhere, or an object that is gone without being chosen.
 */
export async function playOperation(setup: Setup, seed: number): Promise<Report> {
  const rig = setup.transfers;
  const chance = new Chance(seed);
  await rig.reset();
  const quirkName = chooseConditionQuirks(setup, seed);
  const kind = chance.oneOf(kinds);
  const objects = await makeObjects(setup, chance, seed);
  const interference = chance.oneOf(interferences);
  const onConflict = chance.oneOf(['ask', 'rename', 'skip'] as const);
  // Runs few objects together as many would be: by listings, joint writes and joint deletions.
  const isTogether = chance.happens(0.6);
  rig.togetherFrom = isTogether ? 1 : 20;
  let interfered: Interfered = { lost: [], written: new Map() };
  let meanwhile: readonly [number, number] = [0, 0];
  const disturbances = randomDisturbances(chance);
  const played = await runJob(setup, chance, () => begin(rig, kind, onConflict), {
    ...disturbances,
    interfere:
      interference === 'none'
        ? null
        : async () => {
            const from = setup.proxy.faults.journal.length;
            interfered = await interfere(rig, interference, objects, chance, seed);
            meanwhile = [from, setup.proxy.faults.journal.length];
          },
    answer: answersOf(rig, chance, ['rename', 'skip']),
  });
  const { job, kills, faults, hasCancelled, wrong } = played;
  const isWithoutConditions = quirkName !== '' || /weak ETags|conditions refused/.test(played.faultWords);
  const [gone] = interfered.written.keys();
  if (isWithoutConditions && gone !== undefined && mayHaveRaced(setup.proxy, gone, ...meanwhile))
    interfered = { ...interfered, written: new Map() };
  const report = {
    seed,
    description: `${kind} of ${objects.chosen.size}${isTogether ? ' together' : ''}, ${onConflict}, ${interference}${hasCancelled ? ', cancelled' : ''}${quirkName}; ${played.faultWords}`,
    kills,
    faults,
    end: job === null ? 'lost' : `${kind} ${job.state} ${job.outcome ?? job.reason ?? ''}`.trim(),
    wrong: [...wrong, ...(await judge(rig, kind, job, objects, interfered))],
  };
  if (job !== null) {
    if (!isResting(job.state)) rig.uploads.jobs.send(job.id, { kind: 'cancel' });
    await rig.uploads.jobs.clear([job.id]);
  }
  return report;
}

async function makeObjects(setup: Setup, chance: Chance, seed: number): Promise<Objects> {
  const rig = setup.transfers;
  // A key that XML cannot contain cannot be listed without encoding-type.
  const odd = setup.plan?.refused?.['encoding-type'] === undefined ? '\u0001' : '\u007f';
  const chosen = new Map<string, Buffer>();
  const others = new Map<string, Buffer>();
  const count = chance.integer(1, 7);
  for (let index = 0; index < count; index += 1) {
    const name = chance.oneOf(['', 'x/', 'ü ', odd, '/']) + String(index);
    const size = chance.happens(0.2) ? copyBytes + chance.integer(1, 3 * copyBytes) : chance.integer(0, 900);
    chosen.set(name, bytesOf(size, seed * 31 + index));
  }
  for (const name of ['a', 'ab/1', 'a-', 'b']) others.set(name, bytesOf(20, seed + name.length));
  // Another object already exists at one of the targets.
  const [first] = chosen.keys();
  if (first !== undefined && chance.happens(0.3)) others.set(`b/${first}`, bytesOf(33, seed + 5));
  for (const [name, bytes] of chosen) await rig.put(`a/${name}`, bytes);
  for (const [name, bytes] of others) await rig.put(name, bytes);
  return { chosen, others };
}

function begin(
  rig: TransferRig,
  kind: (typeof kinds)[number],
  onConflict: 'ask' | 'rename' | 'skip',
): string {
  const place = { connectionId: 'c', bucket: rig.bucket };
  const items = [{ kind: 'prefix', prefix: 'a/' }] as const;
  if (kind === 'delete') return rig.operations.delete(place, items, 'markers').jobId;
  const { jobId } = rig.operations.copy({
    from: { ...place, basePrefix: 'a/' },
    items,
    to: { ...place, connectionId: kind === 'relay' ? 'other' : 'c', prefix: 'b/' },
    options: { onConflict, isMove: kind !== 'copy' },
  });
  if (jobId === null) throw new Error('There was nothing to do.');
  return jobId;
}

/** Whole keys that other clients deleted, and those they wrote. */
interface Interfered {
  readonly lost: readonly string[];
  readonly written: ReadonlyMap<string, Buffer>;
}

async function interfere(
  rig: TransferRig,
  interference: Interference,
  objects: Objects,
  chance: Chance,
  seed: number,
): Promise<Interfered> {
  const name = chance.oneOf([...objects.chosen.keys()]);
  const fresh = bytesOf(77, seed + 99);
  const { bucket } = rig;
  const written = new Map<string, Buffer>();
  // A fault may also affect the interference. Its effect is then unknown, so it is not checked.
  try {
    switch (interference) {
      case 'none':
        return { lost: [], written };
      case 'source overwritten':
        await rig.put(`a/${name}`, fresh);
        written.set(`a/${name}`, fresh);
        break;
      case 'source deleted':
        await rig.client.deleteObject({ bucket, key: `a/${name}` });
        break;
      case 'target written':
        await rig.put(`b/${name}`, fresh);
        written.set(`b/${name}`, fresh);
        break;
      case 'target deleted':
        await rig.client.deleteObject({ bucket, key: `b/${name}` });
        break;
      case 'unfinished uploads aborted': {
        const { uploads } = await rig.client.listMultipartUploads({ bucket });
        for (const { key, uploadId } of uploads)
          await rig.client.abortMultipartUpload({ bucket, key, uploadId });
        return { lost: [], written };
      }
      default:
        interference satisfies never;
    }
  } catch (thrown) {
    if (!(thrown instanceof AppFailure)) throw thrown;
  }
  return { lost: [name], written };
}

async function judge(
  rig: TransferRig,
  kind: (typeof kinds)[number],
  job: Job | null,
  objects: Objects,
  interfered: Interfered,
): Promise<string[]> {
  if (job === null) return ['the job is lost'];
  const wrong: string[] = [];
  const there = new Map<string, Buffer>();
  for (const key of await rig.keys()) there.set(key, (await rig.object(key)) ?? Buffer.alloc(0));
  const exists = (bytes: Buffer): boolean => [...there.values()].some((other) => other.equals(bytes));
  for (const [key, bytes] of objects.others) {
    if (interfered.written.has(key) || interfered.lost.some((name) => key === `b/${name}`)) continue;
    if (there.get(key)?.equals(bytes) !== true)
      wrong.push(`${JSON.stringify(key)} was not chosen and is not what it was`);
  }
  // An object written while the job ran may have been selected or not; a copy or a move must not lose it.
  if (kind !== 'delete')
    for (const [key, bytes] of interfered.written)
      if (!exists(bytes)) wrong.push(`what another client wrote to ${JSON.stringify(key)} is gone`);
  const end = `${job.state} ${job.outcome ?? job.reason ?? ''}`;
  const isMoved = job.outcome === 'moved' || job.outcome === 'renamed';
  // Some services respond 200 but delete nothing. Then the item must report that its source is still listed.
  const reported = new Set(
    rig.items(job.id).flatMap(({ key, note }) => (note === 'still-listed' ? [key] : [])),
  );
  for (const [name, bytes] of objects.chosen) {
    if (interfered.lost.includes(name)) continue;
    const atSource = there.get(`a/${name}`)?.equals(bytes) === true;
    const isSomewhere = exists(bytes);
    switch (kind) {
      case 'delete':
        if (job.state === 'done' && there.has(`a/${name}`))
          wrong.push(`${JSON.stringify(name)} is there after ${end}`);
        break;
      case 'copy':
        if (!atSource) wrong.push(`a copy lost its source ${JSON.stringify(name)}: ${end}`);
        break;
      case 'move':
      case 'relay':
        if (!isSomewhere) wrong.push(`${JSON.stringify(name)} is nowhere: ${end}`);
        if (job.outcome === 'undone' && !atSource) wrong.push(`${JSON.stringify(name)} is not back: ${end}`);
        if (isMoved && job.items?.skipped === 0 && atSource && !reported.has(`a/${name}`))
          wrong.push(`${JSON.stringify(name)} is still at its source: ${end}`);
        break;
      default:
        kind satisfies never;
    }
  }
  if (job.state === 'cancelled' || job.state === 'done') {
    const { uploads } = await rig.client.listMultipartUploads({ bucket: rig.bucket });
    // If the response to CreateMultipartUpload was lost, no client knows the upload.
    for (const { key, uploadId } of uploads) {
      const { parts } = await rig.client.listParts({ bucket: rig.bucket, key, uploadId });
      if (parts.length > 0) wrong.push(`an unfinished upload of ${JSON.stringify(key)} is left: ${end}`);
    }
  }
  return wrong;
}
