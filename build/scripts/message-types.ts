import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const catalogue = path.join(root, 'shared/messages/en');
const typesFile = path.join(root, 'shared/messages/english.ts');

/**
 * Returns the source of literal types for the English texts, from which i18next infers the values in each text. TypeScript itself
 * types every text in a JSON file as `string` (microsoft/TypeScript#32063).
 */
export async function messageTypes(): Promise<string> {
  const files = (await readdir(catalogue)).filter((name) => name.endsWith('.json')).toSorted();
  const areas = await Promise.all(
    files.map(async (name) => {
      const texts: unknown = JSON.parse(await readFile(path.join(catalogue, name), 'utf8'));
      return { area: path.basename(name, '.json'), texts: JSON.stringify(texts) };
    }),
  );
  const host = areas.find(({ area }) => area === 'host')?.texts ?? '{}';
  const window = areas.filter(({ area }) => area !== 'host').map(({ area, texts }) => `${area}: ${texts}`);
  return `// Generated from shared/messages/en; not in Git. \`npm run types\` writes it.

/** The texts of the window, in English. */
export interface EnglishMessages {${window.join(';')}}

/** The texts of the hosts and of the start command, in English. */
export interface EnglishHostMessages ${host}
`;
}

/** Writes the types if they changed. Otherwise the file keeps its time, so that the compiler does not check everything again. */
export async function writeMessageTypes(): Promise<void> {
  const types = await messageTypes();
  const written = await readFile(typesFile, 'utf8').catch(() => null);
  if (written !== types) await writeFile(typesFile, types);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeMessageTypes();
