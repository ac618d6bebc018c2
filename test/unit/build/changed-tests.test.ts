import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderOfSpecs, testsOfChange, testsReaching } from '../../../build/scripts/check/changed-tests.ts';
import type { ImportGraph } from '../../../build/scripts/layers/import-layers.ts';

const graph: ImportGraph = new Map([
  ['electron/core/buckets/forms.ts', []],
  ['electron/core/core.ts', ['electron/core/buckets/forms.ts']],
  ['renderer/features/objects/rows.ts', []],
  ['test/support/core/core-under-test.ts', ['electron/core/core.ts']],
  ['test/support/sample.ts', []],
  ['test/support/core/kill-at.ts', ['test/support/sample.ts']],
  ['test/unit/core/buckets/forms.test.ts', ['electron/core/buckets/forms.ts']],
  ['test/unit/renderer/objects/rows.test.tsx', ['renderer/features/objects/rows.ts']],
  ['test/integration/buckets/manage.test.ts', ['test/support/core/core-under-test.ts']],
  ['test/integration/sync/crash.test.ts', ['test/support/core/kill-at.ts']],
  ['test/e2e/buckets/buckets.spec.ts', []],
  ['test/e2e/browse/folder.spec.ts', []],
  ['test/e2e-desktop/window.spec.ts', []],
]);
const seconds = (each: number, ofEachRunner: number) => ({
  budget: { vitestSeconds: ofEachRunner, specSeconds: ofEachRunner },
  secondsOf: () => each,
});

test('the tests that import a change come first, then the e2e tests of its folder', () => {
  expect(testsOfChange(['electron/core/buckets/forms.ts'], graph, seconds(1, 60))).toEqual({
    vitest: ['test/unit/core/buckets/forms.test.ts', 'test/integration/buckets/manage.test.ts'],
    specs: ['test/e2e/buckets/buckets.spec.ts'],
    omittedCount: 0,
  });
});

test('a change in the window selects e2e tests, also from a folder with another name', () => {
  expect(testsOfChange(['renderer/features/objects/rows.ts'], graph, seconds(1, 60))).toEqual({
    vitest: ['test/unit/renderer/objects/rows.test.tsx'],
    specs: ['test/e2e/browse/folder.spec.ts'],
    omittedCount: 0,
  });
});

test('each folder that stands for the e2e tests of another one exists', () => {
  const specs = path.join(import.meta.dirname, '../../e2e');
  const missing = Object.values(folderOfSpecs).filter((folder) => !existsSync(path.join(specs, folder)));
  expect(missing).toEqual([]);
});

test('tests named after a change are selected too, for viewers and texts', () => {
  const named: ImportGraph = new Map([
    ['renderer/features/viewers/csv/csv-viewer.ts', []],
    ['shared/messages/en/viewers.json', []],
    ['test/unit/renderer/viewers/csv.test.ts', []],
    ['test/unit/renderer/viewers/pdf.test.ts', []],
    ['test/unit/shared/messages/plurals.test.ts', []],
    ['test/e2e/viewers/tables.spec.ts', []],
  ]);
  expect(testsOfChange(['renderer/features/viewers/csv/csv-viewer.ts'], named, seconds(1, 60))).toEqual({
    vitest: ['test/unit/renderer/viewers/csv.test.ts'],
    specs: ['test/e2e/viewers/tables.spec.ts'],
    omittedCount: 0,
  });
  expect(testsOfChange(['shared/messages/en/viewers.json'], named, seconds(1, 60)).vitest).toEqual([
    'test/unit/shared/messages/plurals.test.ts',
  ]);
});

test('tests beyond the time budget are left out, farthest first, and counted', () => {
  expect(testsOfChange(['electron/core/buckets/forms.ts'], graph, seconds(25, 45))).toEqual({
    vitest: ['test/unit/core/buckets/forms.test.ts'],
    specs: ['test/e2e/buckets/buckets.spec.ts'],
    omittedCount: 1,
  });
});

test('e2e tests have a separate time budget', () => {
  const budget = { vitestSeconds: 100, specSeconds: 10 };
  expect(testsOfChange(['electron/core/buckets/forms.ts'], graph, { budget, secondsOf: () => 20 })).toEqual({
    vitest: ['test/unit/core/buckets/forms.test.ts', 'test/integration/buckets/manage.test.ts'],
    specs: [],
    omittedCount: 1,
  });
});

test('a changed test is selected whatever it takes', () => {
  const changed = ['test/e2e/browse/folder.spec.ts', 'test/integration/sync/crash.test.ts'];
  expect(testsOfChange(changed, graph, seconds(500, 60))).toEqual({
    vitest: ['test/integration/sync/crash.test.ts'],
    specs: ['test/e2e/browse/folder.spec.ts'],
    omittedCount: 0,
  });
});

test('a change that no test reaches selects none', () => {
  expect(testsOfChange(['README.md'], graph, seconds(1, 60))).toEqual({
    vitest: [],
    specs: [],
    omittedCount: 0,
  });
});

test('tests that use a sampler are found, also through another helper', () => {
  expect(testsReaching(['test/support/sample.ts'], graph)).toEqual(['test/integration/sync/crash.test.ts']);
});

test('e2e tests that use a sampler are found, except those of a real Electron', () => {
  const sampling: ImportGraph = new Map([
    ['test/support/sample.ts', []],
    ['test/e2e/viewers/hostile.spec.ts', ['test/support/sample.ts']],
    ['test/e2e/viewers/pdf.spec.ts', []],
    ['test/e2e-desktop/window.spec.ts', ['test/support/sample.ts']],
  ]);
  expect(testsReaching(['test/support/sample.ts'], sampling)).toEqual(['test/e2e/viewers/hostile.spec.ts']);
});
