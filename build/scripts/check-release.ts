/**
 * Checks that FOLDER contains exactly the files of this version's release. Usage: `node build/scripts/check-release.ts FOLDER`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { releaseProblem } from './release/dist-plan.ts';
import { root } from './run-command.ts';

const folder = process.argv[2] ?? 'release';
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const tag = process.env['GITHUB_REF_NAME'];
const problem =
  tag === undefined || tag === `v${version}`
    ? releaseProblem(version, readdirSync(folder))
    : `The tag is ${tag}, but package.json says ${version}.`;
console.log(problem ?? `The release of ${version} is complete.`);
process.exitCode = problem === null ? 0 : 1;
