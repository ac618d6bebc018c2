export interface DiffLine {
  readonly change: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** How many lines around a change are shown. */
const around = 3;

/**
 * The lines of two texts side by side: the longest common run of lines stays, what is left is removed and added. Texts of
 * settings are small; ones that are not are shown as wholly replaced beyond what is common at their ends.
 */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const next = linesOf(after);
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end))
    end += 1;
  return [
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

function same(lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ change: 'same', text }));
}

const mostCells = 4_000_000;

function middle(old: readonly string[], next: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  const width = next.length + 1;
  if (old.length * next.length > mostCells) {
    for (const text of old) lines.push({ change: 'removed', text });
    for (const text of next) lines.push({ change: 'added', text });
    return lines;
  }
  // common[i * width + j]: the longest common run of old from i on and next from j on.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = next.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let i = 0;
  let j = 0;
  while (i < old.length || j < next.length) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      lines.push({ change: 'same', text: old[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < old.length && (j >= next.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ change: 'removed', text: old[i] ?? '' });
      i += 1;
    } else {
      lines.push({ change: 'added', text: next[j] ?? '' });
      j += 1;
    }
  }
  return lines;
}

function linesOf(text: string): readonly string[] {
  const trimmed = text.replace(/\n$/, '');
  return trimmed === '' ? [] : trimmed.split('\n');
}

/** Only what changed and a few lines around it; null stands for lines left out. */
export function shortened(lines: readonly DiffLine[]): readonly (DiffLine | null)[] {
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
