import {
  ChecksumMemory,
  type SentAlgorithm,
  memoryRefusals,
  type RefusalStore,
  ServiceMemory,
} from '../../../electron/core/s3/model/service-memory.ts';

/** Returns the memory for checksums of a new connection, at a time that does not pass by default. */
export function checksumMemory(
  documented: SentAlgorithm | null = null,
  store: RefusalStore = memoryRefusals(),
  nowMs: () => number = () => 0,
): ChecksumMemory {
  return new ChecksumMemory(documented, new ServiceMemory({ nowMs, monotonicMs: nowMs }, store));
}
