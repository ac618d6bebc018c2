import type { PartChecksums } from '../../disk/checksums.ts';
import { combineChecksums } from '../../disk/combine-checksums.ts';
import { checksumNames } from '../../disk/stored-checksums.ts';
import type { PartRecord } from './part-store.ts';

/** Combines the checksums of all parts into those of all bytes. Empty if the parts share no CRC. */
export function wholeChecksums(
  parts: readonly Pick<PartRecord, 'partNumber' | 'sizeBytes' | 'checksums'>[],
): PartChecksums {
  const sorted = parts.toSorted((left, right) => left.partNumber - right.partNumber);
  const found: { -readonly [Name in keyof PartChecksums]: string } = {};
  for (const name of checksumNames) {
    const pieces = sorted.map(({ sizeBytes, checksums }) => ({
      sizeBytes,
      checksum: checksums[name] ?? null,
    }));
    const whole = combineChecksums(name, pieces);
    if (whole !== null) found[name] = whole;
  }
  return found;
}
