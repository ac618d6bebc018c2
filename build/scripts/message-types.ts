import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const root = fileURLToPath(new URL('../..', import.meta.url));
const catalogue = path.join(root, 'shared/messages/en');
const typesFile = path.join(root, 'shared/messages/english.ts');

/**
 * Returns the source of literal types for the English texts: i18next infers the values that a text needs from its type.
 * TypeScript types every text of a JSON file as `string`, so the types are generated (microsoft/TypeScript#32063).
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
  const source = `// Written by \`npm run messages\` from shared/messages/en. Change the texts there.

/** The texts of the window, in English. */
export interface EnglishMessages {${window.join(';')}}

/** The texts of the hosts and of the start command, in English. */
export interface EnglishHostMessages ${host}
`;
  return format(source, { ...(await resolveConfig(typesFile)), filepath: typesFile });
}

/** The file that holds the types `messageTypes` generates. */
export const messageTypesFile = typesFile;

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(typesFile, await messageTypes());
