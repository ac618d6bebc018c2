import { diffArrays } from 'diff';

export interface DiffLine {
  readonly change: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Number of unchanged lines shown around a change. */
const around = 3;

/** Number of changed lines above which the whole old text is shown as removed and the whole new text as added. */
const maxChangedLines = 2000;

/** Compares two texts line by line. The longest common subsequence is unchanged; all other lines are removed or added. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const next = linesOf(after);
  const changes = diffArrays(old, next, { maxEditLength: maxChangedLines });
  if (changes === undefined) return [...changed('removed', old), ...changed('added', next)];
  return changes.flatMap(({ added, removed, value }) =>
    changed(removed ? 'removed' : added ? 'added' : 'same', value),
  );
}

function changed(change: DiffLine['change'], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ change, text }));
}

function linesOf(text: string): string[] {
  const trimmed = text.replace(/\n$/, '');
  return trimmed === '' ? [] : trimmed.split('\n');
}

/** Returns the changed lines with a few lines around them. Null replaces omitted lines. */
export function withoutUnchangedLines(lines: readonly DiffLine[]): readonly (DiffLine | null)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ change }) => change !== 'same'),
  );
  const out: (DiffLine | null)[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear[index]) out.push(line);
    else if (out.at(-1) !== null) out.push(null);
  }
  return out;
}
