import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../electron/service/samples/kept-files.json', import.meta.url);

/** Replaces sample files that cannot be generated at start, by their names in kept-files.json. */
export function keepSamples(samples: Readonly<Record<string, Buffer>>): void {
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  for (const [name, bytes] of Object.entries(samples)) kept[name] = bytes.toString('base64');
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}
