import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOfSegments, segmentsOfKey } from '../../../electron/core/transfers/items/item-names.ts';
import { makePlan, runPlan } from '../../support/core/sync-rig.ts';
import { TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import { runs } from '../../support/sample.ts';

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.start();
});
afterAll(async () => {
  await rig.close();
});

const prefix = 'p/';
const outside = ['p', 'p0', 'q/x', 'pp/a'];
const content = fc.constantFrom('', 'x', 'y', 'longer');
const name = fc.constantFrom('a', 'b', 'A', 'a b', 'é', 'a‛2E', '‛', '‛~', '-', 'a.txt');
/** Names in keys, including some that only a service can have, because a disk needs them escaped. */
const keyName = fc.oneof(name, fc.constantFrom('..', '.', '', '‛2E'));
const localPath = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const remoteKey = fc
  .tuple(fc.array(keyName, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([parts, isFolder]) => parts.join('/') + (isFolder ? '/' : ''))
  .filter((key) => key !== '' && key !== '/');
const locals = fc.dictionary(localPath, content, { maxKeys: 6, noNullPrototype: true });
const remotes = fc.dictionary(remoteKey, content, { maxKeys: 6, noNullPrototype: true });
type Trees = [Record<string, string>, Record<string, string>];
/** Counterexamples that the properties below found earlier. */
const examples: Trees[] = [
  // The file `.` and the folder of the other key have the same local name.
  [{}, { '.': 'y', '‛2E/a‛2E/-': 'x' }],
  [{ '‛2E': 'x' }, { '‛2E/a‛2E/-': 'x', './': '' }],
  [{ '‛2E/a‛2E/-': 'x' }, { './': '', '.': 'y' }],
  [{ '‛~': 'x' }, { 'a‛2E/': 'y', 'A/.': 'x', '.': 'y', '‛2E/a‛2E/-': 'x', '‛~/‛2E/': 'y', '../b/‛2E': 'y' }],
];
const tries = { numRuns: runs(25) + examples.length, endOnFailure: true, examples };

/** Writes these files, except for those whose name is also that of a folder. */
function writeTree(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [local, text] of Object.entries(files)) {
    const names = Object.keys(files);
    const isBlocked = names.some((other) => other.startsWith(`${local}/`));
    if (isBlocked) continue;
    const file = path.join(dir, ...local.split('/'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

async function fill(
  local: string,
  files: Record<string, string>,
  objects: Record<string, string>,
): Promise<void> {
  await rig.reset();
  writeTree(local, files);
  for (const [key, text] of Object.entries(objects)) await rig.put(prefix + key, Buffer.from(text));
  for (const key of outside) await rig.put(key, Buffer.from('outside'));
}

async function objectsBelow(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const key of await rig.keys())
    if (key.startsWith(prefix) && key !== prefix)
      found[key.slice(prefix.length)] = (await rig.object(key))?.toString() ?? '';
  return found;
}

/** Returns the keys for a local folder's contents, with a placeholder for each empty folder. */
function asKeys(dir: string): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const [local, { bytes }] of treeOf(dir)) {
    const key = keyOfSegments(local.split('/'), 'posix');
    keys[bytes === null ? `${key}/` : key] = bytes?.toString() ?? '';
  }
  return keys;
}

/** Removes markers of folders with content: they carry no information. Content is compared by path, not by key. */
function withoutFullFolders(keys: Record<string, string>): Record<string, string> {
  const paths = Object.entries(keys).map(([key, text]) => pathOf(key, text));
  return Object.fromEntries(
    Object.entries(keys).filter(([key, text]) => {
      const localPath = pathOf(key, text);
      return !(
        localPath.endsWith('/') && paths.some((other) => other !== localPath && other.startsWith(localPath))
      );
    }),
  );
}

/** Returns the path of a key on this computer; a marker ends in `/`. */
function pathOf(key: string, text: string): string {
  const isMarker = key.endsWith('/') && text === '';
  const segments = segmentsOfKey(isMarker ? key.slice(0, -1) : key, 'posix');
  return segments.join('/') + (isMarker ? '/' : '');
}

async function restIsUntouched(): Promise<void> {
  for (const key of outside) expect((await rig.object(key))?.toString()).toBe('outside');
}

test('syncing any two trees up makes them equal, a second plan is empty and nothing else changes', async () => {
  await fc.assert(
    fc.asyncProperty(locals, remotes, async (files, objects) => {
      await fill(rig.sendDir, files, objects);
      const before = treeOf(rig.sendDir);
      await runPlan(rig, await makePlan(rig, 'up', rig.sendDir, prefix, 'hash'), true);
      expect(withoutFullFolders(await objectsBelow())).toEqual(asKeys(rig.sendDir));
      expect((await makePlan(rig, 'up', rig.sendDir, prefix, 'hash')).changes).toEqual([]);
      expect(treeOf(rig.sendDir)).toEqual(before);
      await restIsUntouched();
    }),
    tries,
  );
}, 240_000);

test('syncing any two trees down makes them equal as far as the disk allows, and a second plan is empty', async () => {
  await fc.assert(
    fc.asyncProperty(locals, remotes, async (files, objects) => {
      await fill(rig.fetchDir, files, objects);
      const before = await objectsBelow();
      const had = asKeys(rig.fetchDir);
      const plan = await makePlan(rig, 'down', rig.fetchDir, prefix, 'hash');
      const impossible = plan.rows.filter(({ reason }) => reason === 'file-and-folder').map(({ key }) => key);
      const jobId = await runPlan(rig, plan, true);
      expect(jobId === null ? 'done' : rig.uploads.jobs.job(jobId)?.state).toBe('done');
      // Local files that block it are not changed either.
      const kept = Object.entries(had).filter(([key]) => impossible.includes(key));
      const possible = Object.entries(before).filter(([key]) => !impossible.includes(key));
      const wanted = Object.fromEntries([...possible, ...kept]);
      // Two local folder names can mean one key (`‛` and its escape), so the empty one of them is ignored.
      expect(withoutFullFolders(asKeys(rig.fetchDir))).toEqual(withoutFullFolders(wanted));
      const again = await makePlan(rig, 'down', rig.fetchDir, prefix, 'hash');
      expect(again.changes).toEqual(impossible.map((key) => `skipped ${key} file-and-folder`));
      expect(await objectsBelow()).toEqual(before);
      await restIsUntouched();
    }),
    tries,
  );
}, 240_000);

test('escaping a key for a local name is reversible', () => {
  fc.assert(
    fc.property(remoteKey, (key) => {
      expect(keyOfSegments(segmentsOfKey(key, 'posix'), 'posix')).toBe(key);
    }),
  );
});
