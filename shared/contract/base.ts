import { oc } from '@orpc/contract';
import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** The base of every procedure. A call fails with one typed error, APP, whose data is an AppError. */
export const base = oc.errors({ APP: { data: appErrorSchema } });

/** Returns the fields of a range of rows, which has at most `maxRows`. */
export function rangeOf(maxRows: number) {
  return { offset: z.int().min(0), limit: z.int().min(1).max(maxRows) };
}
