import type { RecordCutter } from '../records/record-feed.ts';

export const separators = [',', ';', '\t', '|'] as const;
export type Separator = (typeof separators)[number];

/** Limits of what the window can show. Longer fields end in `…`, and wider rows are cut. */
export const longestField = 1_000_000;
export const maxFields = 20_000;

const quote = '"';

/**
 * Splits separated values into rows (RFC 4180) and tolerates violations: a quote within an unquoted field is literal, and rows
 * may have any number of fields. Empty lines are skipped.
 */
export function csvCutter(separator: Separator): RecordCutter<readonly string[]> {
  let fields: string[] = [];
  let field = '';
  let isCut = false;
  let isQuoted = false;
  // True if the last character was a quote in a quoted field: the end of the field, or the first half of a doubled quote.
  let sawQuote = false;
  // True if the last character was a carriage return that ended a row.
  let sawReturn = false;
  let isEmptyRow = true;
  const plainEnd = new RegExp(`[\\r\\n${separator === '|' ? '\\|' : separator}]`, 'g');

  const add = (text: string): void => {
    const fitting = text.slice(0, longestField - field.length);
    field += fitting;
    isCut ||= fitting.length < text.length;
    isEmptyRow = false;
  };
  const endField = (): void => {
    if (fields.length < maxFields) fields.push(isCut ? `${field}…` : field);
    field = '';
    isCut = false;
  };
  const endRow = (rows: string[][]): void => {
    if (!isEmptyRow || fields.length > 0) {
      endField();
      rows.push(fields);
    }
    fields = [];
    field = '';
    isEmptyRow = true;
  };
  const push = (text: string): readonly (readonly string[])[] => {
    const rows: string[][] = [];
    let at = 0;
    while (at < text.length) {
      if (isQuoted) {
        if (sawQuote) {
          sawQuote = false;
          if (text[at] === quote) {
            add(quote);
            at += 1;
          } else isQuoted = false;
          continue;
        }
        const end = text.indexOf(quote, at);
        add(text.slice(at, end < 0 ? text.length : end));
        sawQuote = end >= 0;
        at = end < 0 ? text.length : end + 1;
        continue;
      }
      const sign = text[at];
      if (sawReturn) {
        sawReturn = false;
        if (sign === '\n') {
          at += 1;
          continue;
        }
      }
      if (sign === quote && field === '') {
        isQuoted = true;
        isEmptyRow = false;
        at += 1;
      } else if (sign === separator) {
        endField();
        isEmptyRow = false;
        at += 1;
      } else if (sign === '\n' || sign === '\r') {
        sawReturn = sign === '\r';
        endRow(rows);
        at += 1;
      } else {
        plainEnd.lastIndex = at;
        const end = plainEnd.exec(text)?.index ?? text.length;
        add(text.slice(at, end));
        at = end;
      }
    }
    return rows;
  };
  return {
    push,
    end: () => {
      const rows: string[][] = [];
      endRow(rows);
      return rows;
    },
  };
}

/** Returns the separator that splits the first rows into the most fields of equal number, or else a comma. */
export function separatorOf(text: string): Separator {
  const sample = text.slice(0, 64 * 1024);
  let best: { readonly separator: Separator; readonly score: number } = { separator: ',', score: 0 };
  for (const separator of separators) {
    const cutter = csvCutter(separator);
    const pushed = cutter.push(sample).slice(0, 50);
    // The last row may be incomplete, so it counts only if it is the only row.
    const rows = pushed.length > 0 ? pushed : cutter.end();
    const widths = rows.map(({ length }) => length);
    const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 1;
    const alike = widths.filter((width) => width === usual).length / widths.length;
    const score = usual > 1 ? alike * 1000 + usual : 0;
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

const numeric = /^[-+−]?(?:\d[\d\s\u00a0\u202f,.']*|\.\d+)(?:[eE][-+]?\d+)?\s?%?$/;

export function isNumeric(field: string): boolean {
  return field.length <= 40 && numeric.test(field.trim());
}

/** Guesses the shape of a table from its first rows. The first row is a header if its fields are distinct words. */
export function shapeOf(rows: readonly (readonly string[])[]) {
  const sample = rows.slice(0, 200);
  const [first = []] = sample;
  const isHeader =
    first.length > 0 &&
    sample.length > 1 &&
    first.every((field) => field.trim() !== '' && !isNumeric(field) && field.length < 200) &&
    new Set(first).size === first.length;
  const data = isHeader ? sample.slice(1) : sample;
  const columnCount = sample.reduce((max, row) => Math.max(max, row.length), 0);
  const numericColumns = new Set<number>();
  for (let column = 0; column < columnCount; column += 1) {
    const fields = data.map((row) => row[column]?.trim() ?? '').filter((field) => field !== '');
    if (fields.length > 0 && fields.every(isNumeric)) numericColumns.add(column);
  }
  return { header: isHeader ? first : null, columnCount, numericColumns };
}

/** Returns the widths of columns in characters, from the first rows. */
export function widthsOf(rows: readonly (readonly string[])[], columnCount: number): readonly number[] {
  const sample = rows.slice(0, 100);
  return Array.from({ length: columnCount }, (_, column) =>
    sample.reduce((max, row) => Math.max(max, Math.min(48, (row[column] ?? '').length)), 4),
  );
}
