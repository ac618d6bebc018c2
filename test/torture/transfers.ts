import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isResting } from '../../electron/core/jobs/job.ts';
import type { Job } from '../../shared/models/jobs.ts';
import type { ConflictPolicy } from '../../shared/models/transfers.ts';
import { AppFailure } from '../../shared/errors.ts';
import { pieceBytes, type TransferRig } from '../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../support/core/uploads-rig.ts';
import { Chance } from './chance.ts';
import { chooseConditionQuirks } from './condition-quirks.ts';
import { answersOf, randomDisturbances, runJob } from './run-job.ts';
import type { Report } from './stalled-uploads.ts';
import type { Setup } from './setup.ts';

const mtimeSeconds = 1_600_000_000.25;
const policies = ['ask', 'rename', 'skip', 'overwrite'] as const satisfies readonly ConflictPolicy[];

/** Changes by another client to one of the files during the transfer. */
const interferences = {
  upload: ['none', 'none', 'file edited', 'file deleted', 'target written', 'uploads aborted'],
  download: ['none', 'none', 'object overwritten', 'object deleted', 'target written', 'half file deleted'],
} as const;
type Kind = keyof typeof interferences;
type Interference = (typeof interferences)[Kind][number];

interface Tree {
  /** The contents of the chosen files by their names within the tree. */
  readonly chosen: ReadonlyMap<string, Buffer>;
  /** The object that already exists at the target of the first file, or null. */
  readonly existing: { readonly name: string; readonly bytes: Buffer } | null;
  /** The name that the interference changes. */
  readonly name: string;
  readonly fresh: Buffer;
}

/**
 * Uploads or downloads one tree, with random kills, faults, a cancel, answers and changes by other clients, until the job rests.
 * Reports violations: bytes that no version of a name ever had, lost objects, and leftovers.
 */
export async function playTransfer(setup: Setup, seed: number): Promise<Report> {
  const rig = setup.transfers;
  const chance = new Chance(seed);
  await rig.reset();
  const kind = chance.oneOf(['upload', 'download'] as const);
  const tree = await makeTree(rig, chance, kind, seed);
  const quirkName = chooseConditionQuirks(setup, seed);
  const interference = chance.oneOf(interferences[kind]);
  const onConflict = chance.oneOf(policies);
  const disturbances = randomDisturbances(chance);
  let wasWritten = false;
  const { job, kills, faults, isFaultless, damagesUploads, faultWords, hasCancelled, wrong } = await runJob(
    setup,
    chance,
    async () =>
      kind === 'upload'
        ? await rig.upload([path.join(rig.sendDir, 'tree')], { onConflict })
        : await rig.download([{ kind: 'prefix', prefix: 'tree/' }], onConflict),
    {
      ...disturbances,
      interfere:
        interference === 'none'
          ? null
          : async () => {
              const isDone = await interfere(rig, kind, interference, tree);
              wasWritten = isDone && interference === 'target written';
            },
      answer: answersOf(rig, chance, ['rename', 'skip']),
    },
  );
  const scene = { kind, tree, interference, onConflict, wasWritten, isFaultless, damagesUploads };
  const judged = job === null ? ['the job is lost'] : await judge(rig, job, scene);
  if (job !== null) {
    if (!isResting(job.state)) rig.uploads.jobs.send(job.id, { kind: 'cancel' });
    await rig.uploads.jobs.idle();
    await rig.uploads.jobs.clear([job.id]);
  }
  const existing = tree.existing === null ? '' : ', something there';
  return {
    seed,
    description: `${kind} of ${tree.chosen.size}, ${onConflict}${existing}, ${interference}${hasCancelled ? ', cancelled' : ''}${quirkName}; ${faultWords}`,
    kills,
    faults,
    end: job === null ? 'lost' : `${kind} ${job.state} ${job.outcome ?? job.reason ?? ''}`.trim(),
    wrong: [...wrong, ...judged],
  };
}

async function makeTree(rig: TransferRig, chance: Chance, kind: Kind, seed: number): Promise<Tree> {
  const chosen = new Map<string, Buffer>();
  const count = chance.integer(1, 7);
  for (let index = 0; index < count; index += 1) {
    const name = chance.oneOf(['', 'x/', 'ü ', 'x/y/']) + String(index);
    const large = kind === 'upload' ? 2 * smallestPart : pieceBytes;
    const size = chance.happens(0.3) ? large + chance.integer(1, 3 * large) : chance.integer(0, 900);
    chosen.set(name, bytesOf(size, seed * 31 + index));
  }
  const [first] = chosen.keys();
  const existing =
    first !== undefined && chance.happens(0.3) ? { name: first, bytes: bytesOf(33, seed + 5) } : null;
  for (const [name, bytes] of chosen) {
    if (kind === 'upload') rig.file(`tree/${name}`, bytes, mtimeSeconds);
    else await putObject(rig, chance, `tree/${name}`, bytes);
  }
  if (existing !== null) {
    if (kind === 'upload') await rig.put(`tree/${existing.name}`, existing.bytes);
    else writeLocal(rig, existing.name, existing.bytes);
  }
  return { chosen, existing, name: chance.oneOf([...chosen.keys()]), fresh: bytesOf(77, seed + 99) };
}

/** Stores the object in one request or in parts, which gives it another kind of ETag. */
async function putObject(rig: TransferRig, chance: Chance, key: string, bytes: Buffer): Promise<void> {
  const metadata = { mtime: String(mtimeSeconds) };
  if (bytes.byteLength <= smallestPart || chance.happens(0.5)) {
    await rig.put(key, bytes, metadata);
    return;
  }
  const ref = { bucket: rig.bucket, key };
  const { uploadId } = await rig.client.createMultipartUpload({ ...ref, metadata });
  for (let at = 0; at < bytes.byteLength; at += smallestPart) {
    const part = bytes.subarray(at, at + smallestPart);
    const body = { sizeBytes: part.byteLength, open: () => part };
    await rig.client.uploadPart({ ...ref, uploadId, partNumber: at / smallestPart + 1, body });
  }
  // Lists the parts, because the ETags in the responses may have been weakened on the way.
  const { parts } = await rig.client.listParts({ ...ref, uploadId });
  await rig.client.completeMultipartUpload({ ...ref, uploadId, parts });
}

function localPath(rig: TransferRig, name: string): string {
  return path.join(rig.fetchDir, 'tree', ...name.split('/'));
}

function writeLocal(rig: TransferRig, name: string, bytes: Buffer): void {
  const file = localPath(rig, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

/** Performs the interference. Returns false if a fault hit it too, so that its effect is unknown. */
async function interfere(
  rig: TransferRig,
  kind: Kind,
  interference: Interference,
  { name, fresh }: Tree,
): Promise<boolean> {
  const { bucket } = rig;
  const key = `tree/${name}`;
  const file = path.join(rig.sendDir, 'tree', ...name.split('/'));
  try {
    switch (interference) {
      case 'none':
        return true;
      case 'file edited':
        writeFileSync(file, fresh);
        utimesSync(file, mtimeSeconds + 9, mtimeSeconds + 9);
        return true;
      case 'file deleted':
        rmSync(file);
        return true;
      case 'target written':
        if (kind === 'upload') await rig.put(key, fresh);
        else writeLocal(rig, name, fresh);
        return true;
      case 'uploads aborted': {
        const { uploads } = await rig.client.listMultipartUploads({ bucket });
        for (const upload of uploads) await rig.client.abortMultipartUpload({ bucket, ...upload });
        return true;
      }
      case 'object overwritten':
        await rig.put(key, fresh, { mtime: String(mtimeSeconds) });
        return true;
      case 'object deleted':
        await rig.client.deleteObject({ bucket, key });
        return true;
      case 'half file deleted':
        for (const half of halfFiles(rig)) rmSync(path.join(rig.fetchDir, half), { force: true });
        return true;
      default:
        return interference satisfies never;
    }
  } catch (thrown) {
    if (!(thrown instanceof AppFailure)) throw thrown;
    return false;
  }
}

function filesBelow(rig: TransferRig): readonly string[] {
  return readdirSync(rig.fetchDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(path.join(rig.fetchDir, name), { throwIfNoEntry: false })?.isFile() === true,
  );
}

function halfFiles(rig: TransferRig): readonly string[] {
  return filesBelow(rig).filter((name) => path.basename(name).startsWith('.cooper-'));
}

interface Scene {
  readonly kind: Kind;
  readonly tree: Tree;
  readonly interference: Interference;
  readonly onConflict: ConflictPolicy;
  readonly wasWritten: boolean;
  readonly isFaultless: boolean;
  readonly damagesUploads: boolean;
}

async function judge(rig: TransferRig, job: Job, scene: Scene): Promise<string[]> {
  const { kind, tree, interference } = scene;
  const end = `${job.state} ${job.outcome ?? job.reason ?? ''}`;
  const there = kind === 'upload' ? await objectsBelow(rig) : localFiles(rig);
  const done = new Set(
    rig.items(job.id).flatMap(({ state, key }) => (state === 'done' ? [key.replace(/^tree\//, '')] : [])),
  );
  // If an upload did not end, its object may stay damaged, but is never reported as done.
  const mayBeDamaged = (key: string): boolean => scene.damagesUploads && kind === 'upload' && !done.has(key);
  const wrong = judgeBytes(there, scene, mayBeDamaged).map((line) => `${line}: ${end}`);
  const isUntouched = interference === 'none' && scene.isFaultless;
  const mayAsk = scene.onConflict === 'ask' && (tree.existing !== null || scene.wasWritten);
  const hasEnded = job.state === 'done' || job.state === 'cancelled';
  if (isUntouched && !hasEnded && !(mayAsk && job.reason === 'conflicts'))
    wrong.push(`an end without a reason: ${end} ${JSON.stringify(job.error)}`);
  if (job.state === 'done') wrong.push(...judgeItems(rig, job, there, scene));
  if (!hasEnded) return wrong;
  if (kind === 'download')
    return [...wrong, ...halfFiles(rig).map((name) => `a half file is left: ${name}, ${end}`)];
  // The parts of a changed file, or of a cancelled job, stay as a stalled upload.
  if (job.state === 'cancelled' || interference === 'file edited' || interference === 'file deleted')
    return wrong;
  const { uploads } = await rig.client.listMultipartUploads({ bucket: rig.bucket });
  for (const { key, uploadId } of uploads) {
    const { parts } = await rig.client.listParts({ bucket: rig.bucket, key, uploadId });
    if (parts.length > 0) wrong.push(`an unfinished upload of ${JSON.stringify(key)} is left: ${end}`);
  }
  return wrong;
}

/** Checks that every object is complete, and that objects of other clients are unchanged. */
function judgeBytes(
  there: ReadonlyMap<string, Found>,
  { tree, interference, onConflict, wasWritten }: Scene,
  mayBeDamaged: (key: string) => boolean,
): string[] {
  const wrong: string[] = [];
  const { existing, fresh, name } = tree;
  const known = [...tree.chosen.values(), fresh, ...(existing === null ? [] : [existing.bytes])];
  for (const [key, { bytes }] of there)
    if (!known.some((copy) => copy.equals(bytes)) && !mayBeDamaged(key))
      wrong.push(`${JSON.stringify(key)} has bytes that no version of it ever had`);
  if (onConflict === 'overwrite') return wrong;
  if (wasWritten && there.get(name)?.bytes.equals(fresh) !== true)
    wrong.push(`what another client wrote to ${JSON.stringify(name)} is gone`);
  const isTouched = interference === 'target written' && existing?.name === name;
  if (existing !== null && !isTouched && there.get(existing.name)?.bytes.equals(existing.bytes) !== true)
    wrong.push(`what existed at ${JSON.stringify(existing.name)} is gone`);
  return wrong;
}

/** Checks each file against what the job reports. */
function judgeItems(
  rig: TransferRig,
  job: Job,
  there: ReadonlyMap<string, Found>,
  { kind, tree, interference, isFaultless }: Scene,
): string[] {
  const wrong: string[] = [];
  const names = new Set(tree.chosen.keys());
  for (const item of rig.items(job.id)) {
    // Skips the item for the folder `tree` itself, which exists if a file is in a subfolder.
    if (item.kind === 'folder') continue;
    const isUpload = kind === 'upload';
    const at = (isUpload ? item.key : item.localName).replace(/^tree\//, '');
    const name = isUpload ? nameOf(at, tree) : item.key.replace(/^tree\//, '');
    names.delete(name);
    if (interference !== 'none' && name === tree.name) continue;
    const bytes = tree.chosen.get(name);
    if (bytes === undefined) wrong.push(`${JSON.stringify(name)} was not chosen`);
    else if (item.state === 'done') {
      const found = there.get(at);
      if (found?.bytes.equals(bytes) !== true) wrong.push(`${JSON.stringify(at)} is not what was sent`);
      else if (found.mtimeSeconds !== mtimeSeconds)
        wrong.push(`${JSON.stringify(at)} has another time: ${found.mtimeSeconds}`);
    } else if (item.state !== 'skipped' || (tree.existing?.name !== name && isFaultless))
      wrong.push(`${JSON.stringify(name)} is ${item.state}, and the job is done`);
  }
  names.delete(interference === 'none' ? '' : tree.name);
  return [...wrong, ...[...names].map((name) => `${JSON.stringify(name)} was forgotten`)];
}

/** Returns the original name of a renamed copy: `x/a` for `x/a (2)`. */
function nameOf(at: string, { chosen }: Tree): string {
  return chosen.has(at) ? at : at.replace(/( \(\d+\))+$/, '');
}

interface Found {
  readonly bytes: Buffer;
  readonly mtimeSeconds: number | null;
}

async function objectsBelow(rig: TransferRig): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const key of await rig.keys()) {
    if (key.endsWith('/')) continue;
    const { metadata } = await rig.client.headObject({ bucket: rig.bucket, key });
    found.set(key.replace(/^tree\//, ''), {
      bytes: (await rig.object(key)) ?? Buffer.alloc(0),
      mtimeSeconds: metadata['mtime'] === undefined ? null : Number(metadata['mtime']),
    });
  }
  return found;
}

function localFiles(rig: TransferRig): ReadonlyMap<string, Found> {
  const halves = new Set(halfFiles(rig));
  return new Map(
    filesBelow(rig)
      .filter((name) => !halves.has(name))
      .map((name) => {
        const file = path.join(rig.fetchDir, name);
        const { mtimeMs } = statSync(file);
        return [name.replace(/^tree\//, ''), { bytes: readFileSync(file), mtimeSeconds: mtimeMs / 1000 }];
      }),
  );
}
