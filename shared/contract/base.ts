import { oc } from '@orpc/contract';
import { appErrorSchema } from '../error-schema.ts';

/** The base of every procedure. A call fails with one typed error, APP, whose data is an AppError. */
export const base = oc.errors({ APP: { data: appErrorSchema } });
