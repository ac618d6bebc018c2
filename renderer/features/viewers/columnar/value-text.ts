/** More of a value is not shown. */
export const maxValueTextLength = 500;
const shownBytes = 32;

/**
 * A value of a table as one line of text; null stays null. It looks at no more of the value than it shows. `hasTimes`: of a
 * column of times, whose midnights have their hour as all others have.
 */
export function valueText(value: unknown, hasTimes = false): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.slice(0, maxValueTextLength);
  const pieces: string[] = [];
  let charsLeft = maxValueTextLength;
  const put = (text: string): void => {
    pieces.push(text.slice(0, Math.max(0, charsLeft)));
    charsLeft -= text.length;
  };
  putValue(value, { put, hasRoom: () => charsLeft > 0, dateText: hasTimes ? timeText : dayText }, true);
  return pieces.join('');
}

interface Page {
  readonly put: (text: string) => void;
  readonly hasRoom: () => boolean;
  readonly dateText: (value: Date) => string;
}

function putValue(value: unknown, page: Page, isWhole: boolean): void {
  const { put, hasRoom, dateText } = page;
  switch (typeof value) {
    case 'string':
      put(JSON.stringify(value.slice(0, maxValueTextLength)));
      return;
    case 'number':
    case 'bigint':
    case 'boolean':
      put(String(value));
      return;
    case 'object':
      break;
    default:
      put('null');
      return;
  }
  if (value === null) put('null');
  else if (value instanceof Date) put(isWhole ? dateText(value) : JSON.stringify(dateText(value)));
  else if (value instanceof Uint8Array) put(hex(value));
  else if (isList(value)) {
    put('[');
    for (let at = 0; at < value.length && hasRoom(); at += 1) {
      if (at > 0) put(',');
      putValue(value[at], page, false);
    }
    put(']');
  } else {
    put('{');
    let isFirst = true;
    for (const name in value) {
      if (!hasRoom()) break;
      if (!Object.hasOwn(value, name)) continue;
      put(`${isFirst ? '' : ','}${JSON.stringify(name.slice(0, maxValueTextLength))}:`);
      isFirst = false;
      putValue((value as Readonly<Record<string, unknown>>)[name], page, false);
    }
    put('}');
  }
}

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function dayText(value: Date): string {
  return timeText(value).replace('T00:00:00.000Z', '');
}

function timeText(value: Date): string {
  return Number.isNaN(value.getTime()) ? '?' : value.toISOString();
}

function hex(bytes: Uint8Array): string {
  const digits = Array.from(bytes.subarray(0, shownBytes), (byte) => byte.toString(16).padStart(2, '0'));
  return `0x${digits.join('')}${bytes.length > shownBytes ? '…' : ''}`;
}
