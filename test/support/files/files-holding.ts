import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns every file below a folder that contains a text, whether plain, URL-encoded, JSON-escaped or in Base64. */
export function filesHolding(dir: string, text: string): string[] {
  const forms = new Set([
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ]);
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return [...forms].some((form) => bytes.includes(form));
    });
}
