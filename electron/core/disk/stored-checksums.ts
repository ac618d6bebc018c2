import { z } from 'zod';
import { checksumNames, type ChecksumAlgorithm, type PartChecksums } from './checksums.ts';

/** Parses stored checksums and leaves out absent ones. */
export const checksumsSchema = z.partialRecord(z.enum(checksumNames), z.string()).transform(definedOnly);

function definedOnly(checksums: Partial<Record<ChecksumAlgorithm, string | undefined>>): PartChecksums {
  const found: Partial<Record<ChecksumAlgorithm, string>> = {};
  for (const name of checksumNames) {
    const value = checksums[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
