import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (file: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8'));
const lock = read('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };
const manifest = read('package.json') as Readonly<
  Record<'dependencies' | 'devDependencies', Record<string, string>>
>;
const fetched = Object.entries(lock.packages).filter(
  ([place, { link }]) => place.startsWith('node_modules/') && link !== true,
);

test('no install script is needed except that of an unused package', () => {
  const scripted = fetched.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(scripted.map(([place]) => place)).toEqual(['node_modules/electron-winstaller']);
});

test('each package is pinned by exact version and digest, without a registry address', () => {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
  expect(Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))).toEqual([]);
  expect(fetched.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
  expect(fetched.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test("the updater's imports are direct dependencies", () => {
  expect(manifest.dependencies).toHaveProperty('builder-util-runtime');
});
