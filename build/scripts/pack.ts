/** `npm run pack`: writes a package in the registry's format, release/cooper-VERSION.tgz, for `npm install -g`. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildWhenNeeded } from './build.ts';
import { packageManifest, type SourceManifest } from './release/dist-plan.ts';
import { root, runCommand } from './run-command.ts';

const output = path.resolve(root, process.env['COOPER_DIST_OUTPUT'] ?? 'release');
const stage = path.join(output, 'npm');
const copied = [
  'bin/cooper.mjs',
  'dist/browser',
  'dist/core',
  'dist/desktop',
  'dist/window',
  'docs/cooper.1',
  'LICENSE',
  'README.md',
];

await buildWhenNeeded();
rmSync(stage, { recursive: true, force: true });
for (const name of copied) {
  mkdirSync(path.dirname(path.join(stage, name)), { recursive: true });
  cpSync(path.join(root, name), path.join(stage, name), { recursive: true });
}
const read = (file: string): SourceManifest =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as SourceManifest;
const manifest = packageManifest(read('package.json'), read('build/node/package.json'));
writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const { status } = await runCommand('npm', ['pack', stage, '--pack-destination', output, '--ignore-scripts']);
process.exitCode = status;
