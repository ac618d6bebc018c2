import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../electron/service/samples/kept-files.json', import.meta.url);

/** Stores sample files that cannot be generated at start. Each replaces the file of the same name in kept-files.json. */
export function keepSamples(samples: Readonly<Record<string, Buffer>>): void {
  const base64ByName = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  for (const [name, bytes] of Object.entries(samples)) base64ByName[name] = bytes.toString('base64');
  writeFileSync(file, `${JSON.stringify(base64ByName, null, 2)}\n`);
}
