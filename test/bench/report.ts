/** One measured figure, with the limit that the project promises, if any. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit?: { readonly kind: 'at-most' | 'at-least'; readonly value: number };
}

/** The selected part of a bench. */
export interface BenchRequest {
  /** The names of the cases to run. Empty for all. */
  readonly cases: ReadonlySet<string>;
  /** True to leave out the programs for comparison. */
  readonly isAlone: boolean;
}

export interface Bench {
  (request: BenchRequest): Promise<readonly Figure[]>;
  /** The cases of a bench that can be run separately. */
  readonly cases?: readonly string[];
}

/** Returns true if the figure meets its limit. A figure without a limit is only reported. */
export function holds(figure: Figure): boolean {
  if (figure.limit === undefined) return true;
  if (Number.isNaN(figure.value)) return false;
  return figure.limit.kind === 'at-most'
    ? figure.value <= figure.limit.value
    : figure.value >= figure.limit.value;
}

/** Formats the figures as table lines, each with its limit. */
export function table(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map((figure) => figure.name.length));
  return figures
    .map((figure) => {
      const value = `${round(figure.value)} ${figure.unit}`.padStart(18);
      const limit =
        figure.limit === undefined
          ? ''
          : `  ${figure.limit.kind === 'at-most' ? '≤' : '≥'} ${round(figure.limit.value)}  ${holds(figure) ? 'ok' : 'MISSED'}`;
      return `${figure.name.padEnd(width)} ${value}${limit}`;
    })
    .join('\n');
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
