import { readFileSync } from 'node:fs';

/** A line of docs/object-storage-service.md that states a fact about the service. */
export interface Claim {
  /** As written at the end of the line: `4.1-5`. */
  readonly id: string;
  readonly text: string;
}

/** The case for each claim, by id: it calls a service over HTTP and throws if the claim does not hold. */
export type Cases = Readonly<Record<string, () => Promise<void>>>;

export const documentText = readFileSync(
  new URL('../../../../docs/object-storage-service.md', import.meta.url),
  'utf8',
);

const mark = /\[(\d+(?:\.\d+)?-\d+)\]/g;

/** All claims of the document, in its order. */
export function claimsOf(text: string): readonly Claim[] {
  return text.split('\n').flatMap((line) =>
    [...line.matchAll(mark)].map(([, id = '']) => ({
      id,
      text: line
        .replaceAll(mark, '')
        .replaceAll(/^\s*(?:- |\d+\. )|^\| | \|$/g, '')
        .trim(),
    })),
  );
}

/** Returns the lines that state facts (list items, table rows) but have no id, except for those that only say "not shown". */
export function unmarkedLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.filter((line, index) => {
    const isItem = /^\s*(?:- |\d+\. )/.test(line) && !line.endsWith('Behavior:');
    const isRow = line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? '');
    return (isItem || isRow) && !line.includes('not shown') && !/\[\d+(?:\.\d+)?-\d+\]/.test(line);
  });
}

/** Returns true for the line between a table's head and its rows. */
function isRule(line: string): boolean {
  return /^\|[-| ]+\|$/.test(line);
}
