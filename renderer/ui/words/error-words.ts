import type { AppError } from '../../../shared/errors.ts';
import errors from '../../../shared/messages/en/errors.json' with { type: 'json' };

export type ErrorWords = `errors.codes.${AppError['code']}` | `errors.reasons.${keyof typeof errors.reasons}`;

/** Returns true if a table, for example of texts, has this key. */
export function isKeyOf<Table extends object>(
  table: Table,
  key: string | undefined,
): key is keyof Table & string {
  return key !== undefined && Object.hasOwn(table, key);
}

/** Returns the message key for an error, by its reason if known, otherwise by its code. */
export function errorWords(error: AppError): ErrorWords {
  return isKeyOf(errors.reasons, error.reason)
    ? `errors.reasons.${error.reason}`
    : `errors.codes.${error.code}`;
}

export interface ErrorFact {
  readonly name: keyof typeof errors.fields;
  readonly value: string;
}

/** Returns the details shown on a click, for the service's support or a bug report. */
export function errorFacts(error: AppError): readonly ErrorFact[] {
  const facts: readonly {
    readonly name: ErrorFact['name'];
    readonly value: string | number | null | undefined;
  }[] = [
    { name: 'serviceCode', value: error.s3?.code },
    { name: 'serviceMessage', value: error.s3?.message },
    { name: 'status', value: error.s3?.status },
    { name: 'requestId', value: error.s3?.requestId },
    { name: 'expected', value: error.difference?.expected },
    { name: 'got', value: error.difference?.got },
    { name: 'message', value: error.message === error.s3?.message ? null : error.message },
    { name: 'code', value: error.code },
    { name: 'reason', value: error.reason },
  ];
  return facts.flatMap(({ name, value }) =>
    value === null || value === undefined || value === '' ? [] : [{ name, value: String(value) }],
  );
}
