import { nameOf, type Chosen } from './chosen.ts';
import { newNameProblem, stemLength, type RowExists, type NameProblem } from './names.ts';

/** A rule by which several objects are renamed. */
export interface RenamePattern {
  /** The text to replace. With '', the whole name before its extension is replaced. */
  readonly find: string;
  readonly isRegex: boolean;
  /** The new text. It may contain `{n}` for a number and `{name}` for the old name before its extension. */
  readonly replacement: string;
  /** The number of the first object. */
  readonly start: number;
}

export interface RenamedRow {
  readonly row: Chosen;
  readonly oldName: string;
  readonly newName: string;
  /** The reason why the row cannot be renamed, or null. `twice` means that another object gets the same name. */
  readonly problem: NameProblem | { readonly kind: 'twice' } | null;
}

/**
 * Returns the new names in the order of the old ones, or null if the regular expression is invalid. Apply a regular expression
 * only in a worker, since it may run for very long.
 */
export function patternedNames(names: readonly string[], pattern: RenamePattern): readonly string[] | null {
  const replace = replacerOf(pattern);
  if (replace === null) return null;
  const digits = String(pattern.start + names.length - 1).length;
  return names.map((name, at) => replace(name, String(pattern.start + at).padStart(digits, '0')));
}

/** Joins rows with their new names, which are in the same order, and adds the problem with each new name. */
export function renamedRows(
  rows: readonly Chosen[],
  folder: string,
  newNames: readonly string[],
  has: RowExists,
): readonly RenamedRow[] {
  const renamed = rows.map((row, at) => {
    const oldName = nameOf(row);
    return { row, oldName, newName: newNames[at] ?? oldName };
  });
  const counts = new Map<string, number>();
  for (const { newName } of renamed) counts.set(newName, (counts.get(newName) ?? 0) + 1);
  return renamed.map((entry) => {
    const { row, oldName, newName } = entry;
    if (newName === oldName) return { ...entry, problem: null };
    if ((counts.get(newName) ?? 0) > 1) return { ...entry, problem: { kind: 'twice' } };
    return { ...entry, problem: newNameProblem(newName, row, folder, has) };
  });
}

/** Returns the rows whose name changes. */
export function changedRows(rows: readonly RenamedRow[]): readonly RenamedRow[] {
  return rows.filter(({ oldName, newName }) => oldName !== newName);
}

type Replace = (name: string, number: string) => string;

function replacerOf({ find, isRegex, replacement }: RenamePattern): Replace | null {
  const filled = (name: string, number: string): string =>
    replacement.replaceAll(/\{(n|name)\}/gu, (_, token: string) =>
      token === 'n' ? number : name.slice(0, stemLength(name, false)),
    );
  if (find === '')
    return (name, number) =>
      replacement === '' ? name : filled(name, number) + name.slice(stemLength(name, false));
  if (!isRegex) return (name, number) => name.split(find).join(filled(name, number));
  const expression = expressionOf(find);
  if (expression === null) return null;
  // Escapes the dollar signs of the name, because the replacement would read `$1` as a group.
  return (name, number) => name.replace(expression, filled(name.replaceAll('$', '$$$$'), number));
}

/** Returns null if the text is not a regular expression. */
export function expressionOf(source: string): RegExp | null {
  try {
    return new RegExp(source, 'gu');
  } catch {
    return null; // The user is still typing it.
  }
}
