import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { shippedDocument } from '../../../build/scripts/release/sbom-document.ts';
import { tempDir } from '../../support/temp-dir.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Sbom {
  readonly metadata: { readonly component: { readonly name: string; readonly type: string } };
  readonly components: readonly { readonly 'bom-ref': string; readonly purl: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

test('the SBOM lists every shipped package and Electron, and no test tools', () => {
  const file = path.join(tempDir(), 'cooper.cdx.json');
  const script = path.join(root, 'build/scripts/sbom.ts');
  const ran = spawnSync(process.execPath, [script, file], { cwd: root, encoding: 'utf8' });
  expect(ran.status).toBe(0);
  const sbom = JSON.parse(readFileSync(file, 'utf8')) as Sbom;
  expect(sbom.metadata.component).toMatchObject({ name: 'cooper', type: 'application' });
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const refs = new Set(sbom.components.map((component) => component['bom-ref']));
  const shipped = Object.entries(manifest.dependencies).map(([name, version]) => `${name}@${version}`);
  expect(shipped.filter((ref) => !refs.has(ref))).toEqual([]);
  // Packages that tools also need are still listed. For example, the updater reads XML with sax.
  const names = sbom.components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));
  expect(names).toEqual(expect.arrayContaining(['pkg:npm/sax', 'pkg:npm/debug', 'pkg:npm/ms']));
  expect(refs.size).toBe(sbom.components.length);
  const { electron = '', vitest = '' } = manifest.devDependencies;
  expect(refs).toContain(`electron@${electron}`);
  expect(refs).not.toContain(`vitest@${vitest}`);
  const depended = sbom.dependencies.find(({ ref }) => ref.startsWith('cooper@'))?.dependsOn ?? [];
  expect(depended).toEqual(expect.arrayContaining([`electron@${electron}`, ...shipped]));
  expect(sbom.components.every(({ purl }) => purl.startsWith('pkg:npm/'))).toBe(true);
});

test('a document that is not an SBOM is refused', () => {
  expect(() => shippedDocument('{}', { name: 'cooper', electronVersion: '1.0.0' })).toThrow(/bomFormat/);
});
