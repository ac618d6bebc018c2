import {
  checksumAlgorithms,
  runningChecksum,
  type ChecksumAlgorithm,
  type Checksums,
} from '../checksum-algorithms.ts';
import type { RequestContext } from '../context.ts';
import { combineChecksums } from '../../core/disk/combine-checksums.ts';
import { serviceError } from '../service-errors.ts';
import type { Attributes, ChecksumType, ObjectRow, PartRow, UploadRow } from '../store/model.ts';

/** The checksums stored with a completed object. */
export type WholeChecksums = Pick<Attributes, 'checksums' | 'checksumType' | 'partChecksums'>;

/**
 * Computes the checksums of the joined parts. Throws BadDigest if they differ from those in the request
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html).
 */
export async function wholeChecksums(
  context: RequestContext,
  upload: UploadRow,
  parts: readonly PartRow[],
): Promise<WholeChecksums> {
  compareSize(context, parts);
  const stated = statedChecksum(context);
  const type = upload.checksumType ?? 'FULL_OBJECT';
  const statedType = context.headers.get('x-amz-checksum-type');
  if (statedType !== undefined && statedType !== type) throw badDigest('type of checksum');
  const algorithm = upload.checksumAlgorithm ?? stated?.algorithm ?? null;
  if (algorithm === null) return {};
  if (stated !== null && stated.algorithm !== algorithm) {
    throw serviceError('InvalidRequest', {
      message: `Checksum Type mismatch occurred, expected checksum Type: ${algorithm}, actual checksum Type: ${stated.algorithm}`,
    });
  }
  const value = await checksumOf(context, algorithm, type, parts);
  if (stated !== null && !isSame(stated.value, value, type)) throw badDigest(`${algorithm} checksum`);
  return {
    checksums: { [algorithm]: value },
    checksumType: type,
    ...(type === 'COMPOSITE' ? { partChecksums: parts.map((part) => part.checksums[algorithm] ?? '') } : {}),
  };
}

/** Returns the checksums for a response: those of the object, or of the requested part if they are COMPOSITE. */
export function readChecksums(
  object: ObjectRow,
  span: { readonly isPartial: boolean; readonly partNumber: number | null },
): { readonly checksums: Checksums; readonly type: ChecksumType | null } {
  const { checksums, checksumType, partChecksums } = object.attributes;
  const none = { checksums: {}, type: null };
  if (checksums === undefined) return none;
  const type = checksumType ?? 'FULL_OBJECT';
  if (!span.isPartial) return { checksums, type };
  const partChecksum = span.partNumber === null ? undefined : partChecksums?.[span.partNumber - 1];
  const algorithm = checksumAlgorithms.find((name) => checksums[name] !== undefined);
  return partChecksum === undefined || partChecksum === '' || algorithm === undefined
    ? none
    : { checksums: { [algorithm]: partChecksum }, type };
}

function compareSize(context: RequestContext, parts: readonly PartRow[]): void {
  const stated = context.headers.get('x-amz-mp-object-size');
  if (stated === undefined) return;
  if (!/^[0-9]{1,15}$/.test(stated)) {
    throw serviceError('InvalidArgument', {
      elements: { ArgumentName: 'x-amz-mp-object-size', ArgumentValue: stated },
    });
  }
  if (Number(stated) !== parts.reduce((sum, part) => sum + part.sizeBytes, 0)) throw badDigest('size');
}

function badDigest(name: string): Error {
  return serviceError('BadDigest', {
    message: `The ${name} you specified is not that of the assembled object.`,
  });
}

interface Stated {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string;
}

function statedChecksum(context: RequestContext): Stated | null {
  const stated = checksumAlgorithms.flatMap((algorithm) => {
    const value = context.headers.get(`x-amz-checksum-${algorithm}`);
    return value === undefined ? [] : [{ algorithm, value }];
  });
  if (stated.length > 1) {
    throw serviceError('InvalidRequest', {
      message: 'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    });
  }
  return stated[0] ?? null;
}

/** Compares checksums. The client may omit the suffix `-parts` of a COMPOSITE one. */
function isSame(stated: string, computed: string, type: ChecksumType): boolean {
  return stated === computed || (type === 'COMPOSITE' && stated === computed.replace(/-\d+$/, ''));
}

async function checksumOf(
  context: RequestContext,
  algorithm: ChecksumAlgorithm,
  type: ChecksumType,
  parts: readonly PartRow[],
): Promise<string> {
  if (type === 'COMPOSITE') {
    const check = runningChecksum(algorithm);
    for (const part of parts) check.update(Buffer.from(part.checksums[algorithm] ?? '', 'base64'));
    return `${check.digest().toString('base64')}-${parts.length}`;
  }
  const pieces = parts.map(({ sizeBytes, checksums }) => ({
    sizeBytes,
    checksum: checksums[algorithm] ?? null,
  }));
  return combineChecksums(algorithm, pieces) ?? (await computeChecksum(context, algorithm, parts));
}

async function computeChecksum(
  context: RequestContext,
  algorithm: ChecksumAlgorithm,
  parts: readonly PartRow[],
): Promise<string> {
  const check = runningChecksum(algorithm);
  for (const part of parts) {
    const reader = context.state.store.contents.reader(part.content, 0, part.sizeBytes);
    try {
      for await (const chunk of reader.stream()) check.update(chunk);
    } finally {
      reader.release();
    }
  }
  return check.digest().toString('base64');
}
