import { z } from 'zod';
import { objectRefSchema, placeSchema } from '../models/objects.ts';
import {
  aclSchema,
  cannedAcls,
  lockSchema,
  maxReadAtOnce,
  offeredClassesSchema,
  readPropertiesSchema,
  restoreInputSchema,
  restoreResultSchema,
  setRetentionSchema,
} from '../models/properties.ts';
import { base } from './base.ts';

/** Properties of objects. For changes that have to copy an object onto itself, see `operations.change`. */
export const properties = {
  /** Returns one result per key, in the order of the input. */
  read: base
    .input(placeSchema.extend({ keys: z.array(z.string().min(1)).min(1).max(maxReadAtOnce) }))
    .output(z.array(readPropertiesSchema)),
  /** Returns the storage classes to suggest for this service. The user may type other classes. */
  storageClasses: base.input(z.object({ connectionId: z.string() })).output(offeredClassesSchema),
  acl: base.input(objectRefSchema).output(aclSchema),
  /** Replaces all grants with a canned ACL. */
  setAcl: base.input(objectRefSchema.extend({ canned: z.enum(cannedAcls) })).output(z.void()),
  lock: base.input(objectRefSchema).output(lockSchema),
  setRetention: base.input(setRetentionSchema).output(z.void()),
  setLegalHold: base.input(objectRefSchema.extend({ on: z.boolean() })).output(z.void()),
  /** Requests readable copies of archived objects. Returns one result per key. */
  restore: base.input(restoreInputSchema).output(z.array(restoreResultSchema)),
};
