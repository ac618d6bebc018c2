/** `node build/scripts/sbom.ts FILE`: writes the SBOM of a release as CycloneDX. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runCommand } from './run-command.ts';
import { installedPackages, shippedDocument } from './release/sbom-document.ts';

const file = process.argv[2];
if (file === undefined) throw new Error('Name the file to write: node build/scripts/sbom.ts FILE');
const flags = ['--package-lock-only', '--sbom-format=cyclonedx', '--omit=dev'];
const { status, text } = await runCommand('npm', ['sbom', ...flags], { keep: true });
if (status !== 0) throw new Error(`npm sbom ended with status ${String(status)}.`);
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<'electron', string>>;
};
const shipped = {
  name: manifest.name,
  electronVersion: manifest.devDependencies.electron,
  installed: installedPackages(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')),
  direct: Object.keys(manifest.dependencies),
};
writeFileSync(file, `${shippedDocument(text, shipped)}\n`);
