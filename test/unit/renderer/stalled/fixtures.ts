import type { CompletionCheck, PartsSummary, UploadRef } from '../../../../shared/models/stalled.ts';
import type { UploadPlan } from '../../../../shared/models/resume-plan.ts';

export const mib = 1024 * 1024;

export function refOf(key: string, uploadId = 'u1', bucket = 'b'): UploadRef {
  return { connectionId: 'c', bucket, key, uploadId };
}

export function checkOf(changes: Partial<CompletionCheck> = {}): CompletionCheck {
  return {
    ref: refOf('a/b.bin'),
    problem: null,
    error: null,
    partCount: 3,
    sizeBytes: 15_000_000,
    expectedEtag: 'abc-3',
    gaps: [],
    partNumbers: [],
    stillBeingWritten: false,
    lastPartIsFull: false,
    standing: { kind: 'absent' },
    fingerprint: 'f',
    ...changes,
  };
}

export function partsOf(changes: Partial<PartsSummary> = {}): PartsSummary {
  return {
    partCount: 4,
    storedBytes: 20 * mib,
    highestPartNumber: 4,
    gapCount: 0,
    smallCount: 0,
    partSizeBytes: 5 * mib,
    lastPartIsFull: false,
    lastPartAt: '2026-01-01T00:00:00.000Z',
    ...changes,
  };
}

export function planOf(changes: Partial<UploadPlan> = {}): UploadPlan {
  return {
    planId: 'p',
    ref: refOf('a/b.bin'),
    fileName: 'b.bin',
    fileSizeBytes: 50 * 1024 ** 2,
    refusal: null,
    partSizeBytes: 5 * mib,
    layoutSource: 'shared-size',
    partsTotal: 10,
    partsVerified: 10,
    partsDiffer: 0,
    partsUnverifiable: 0,
    partsMissing: 0,
    partsTooSmall: 0,
    partsSurplus: 0,
    partsBeyond: [],
    partReplaced: null,
    mayLeaveOut: true,
    stillBeingWritten: false,
    bytesToSend: 0,
    bytesToSendWithUnverifiable: 0,
    runs: [{ from: 1, to: 10, state: 'verified' }],
    standing: { kind: 'absent' },
    expectedEtag: null,
    checksumAlgorithm: null,
    recentBytesPerSecond: null,
    ...changes,
  };
}
