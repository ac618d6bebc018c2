// Reads every file of a folder of public corpora with the readers of the viewers, and prints a table: the kind of each file and the
// result. Run by hand, with Node 24: node test/corpora/read-corpora.ts FOLDER [part of a name]
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import './named-xz-export.ts';
import { readCorpusFile } from './readers.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [folder, part = ''] = positionals;
if (folder === undefined) {
  console.error('Usage: node test/corpora/read-corpora.ts FOLDER [part of a name]');
  process.exit(1);
}
const counts = new Map<string, number>();
for (const name of globSync('**/*', { cwd: folder }).toSorted()) {
  const file = path.join(folder, name);
  if (!name.includes(part) || !statSync(file).isFile()) continue;
  const { kind, outcome, detail } = await readCorpusFile(file, new Uint8Array(readFileSync(file)));
  counts.set(`${kind}\t${outcome}`, (counts.get(`${kind}\t${outcome}`) ?? 0) + 1);
  console.log([kind.padEnd(8), outcome.padEnd(8), name, detail].join('\t'));
}
console.log('');
for (const [key, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${key}\t${String(count)}`);
