import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { finishedTextsIn } from '../../finished-texts.ts';

const renderer = fileURLToPath(new URL('../../../../../renderer/', import.meta.url));
const sources = globSync('**/*.{ts,tsx}', { cwd: renderer }).map(
  (file) => [file, readFileSync(path.join(renderer, file), 'utf8')] as const,
);

test('every text of a notice is translated when it is rendered', () => {
  expect(sources.filter(([, source]) => source.includes('showNotice(')).length).toBeGreaterThan(20);
  const found = sources.flatMap(([file, source]) =>
    finishedTextsIn(file, source).map((text) => `${file}:${text}`),
  );
  expect(found).toEqual([]);
});

test('notices are shown only through notices.tsx', () => {
  const users = sources.filter(([, source]) => /\bnotifications\.|\{ notifications \}/u.test(source));
  expect(users.map(([file]) => file)).toEqual(['ui/notices/notices.tsx']);
});

test.each([
  ['showNotice({ message: () => said })', 'is no function of say'],
  ["showNotice({ message: (say) => t('a') })", 'has the finished text t'],
  ["const things = thingsOf(rows, t); showNotice({ message: (say) => say('a', { things }) })", 'things'],
  ["const said = t('a'); showStartedNotice(() => said)", 'said'],
  ["const { what } = wordsOf(t); sayFailure(thrown, (say) => say('a', { what }))", 'what'],
  ["showNotice({ title: (say) => say('a'), actions: [{ label: () => word, onClick }] })", 'no function'],
  ['const text: Say = () => word;', 'is no function of say'],
])('the search for finished notice texts finds %s', (source, problem) => {
  expect(finishedTextsIn('a.tsx', source).join('; ')).toContain(problem);
});

test.each([
  "showNotice({ message: (say) => say('a', { name, count: rows.length }), staysMs: 5000 })",
  "showNotice({ title: (say) => titleOf(job, say), actions: [{ label: (say) => say('b'), onClick: () => go() }] })",
  "const title = t('a'); ask({ title }); showNotice({ message: (say) => say('b', { title: say('a') }) })",
])('the search for finished notice texts ignores %s', (source) => {
  expect(finishedTextsIn('a.tsx', source)).toEqual([]);
});
