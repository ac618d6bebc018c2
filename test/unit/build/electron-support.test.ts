import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { electronSupport } from '../../../build/scripts/electron-support.ts';

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

test('Electron is one of the three newest majors, by its exact version; a release ends where it is not', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
  expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/);
  expect(electronSupport('45.4.1', '45.9.0')).toBe('supported');
  expect(electronSupport('45.4.1', '47.0.0\n')).toBe('supported');
  expect(electronSupport('45.4.1', '48.0.0')).toBe('out-of-support');
  expect(electronSupport('45.4.1', '')).toBe('unanswered');
  expect(electronSupport('45.4.1', '{"error":1}')).toBe('unanswered');
  expect(read('.github/workflows/release.yml')).toContain('run: node build/scripts/audit.ts');
});
