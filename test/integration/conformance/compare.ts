import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Observations } from './observations.ts';

const widest = 44;

/** Returns a table of the observations in which services differ. */
export function differences(all: readonly Observations[]): string {
  const names = [...new Set(all.flatMap(({ seen }) => Object.keys(seen)))];
  const rows = names.map((name) => [name, ...all.map(({ seen }) => seen[name] ?? '–')]);
  const different = rows.filter(([, ...values]) => new Set(values).size > 1);
  const summary = `${names.length} behaviours observed, ${different.length} of them differ.`;
  return different.length === 0
    ? summary
    : `${table([['Behaviour', ...all.map(({ name }) => name)], ...different])}\n${summary}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const cut = rows.map((row) =>
    row.map((cell) => (cell.length > widest ? `${cell.slice(0, widest - 1)}…` : cell)),
  );
  const widths = (cut[0] ?? []).map((_, column) => Math.max(...cut.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head, ...body] = cut;
  return [
    line(head ?? []),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...body.map(line),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = process.argv.slice(2);
  if (files.length < 2) {
    console.error('Usage: compare.ts A.json B.json [...]');
    process.exit(2);
  }
  console.log(differences(files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Observations)));
}
