import { createHash } from 'node:crypto';
import type { Blobs } from './blobs.ts';
import { inlineBytes, type Attributes, type NewContent, type NewObject } from './model.ts';

export interface ObjectFacts {
  readonly modifiedMs: number;
  readonly contentType?: string;
  readonly storageClass?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Returns bytes as content to store: inline if there are few, otherwise in a new file. */
export async function contentOf(blobs: Blobs, bytes: Uint8Array): Promise<NewContent> {
  if (bytes.byteLength <= inlineBytes) return inlineContent(bytes);
  const writer = await blobs.create();
  try {
    await writer.write(bytes);
    await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
  return { kind: 'file', file: writer.file, sizeBytes: bytes.byteLength };
}

export function newBytes(content: NewContent, bytes: Uint8Array, facts: ObjectFacts): NewObject {
  const headers: Attributes['headers'] =
    facts.contentType === undefined ? {} : { 'content-type': facts.contentType };
  return {
    content,
    sizeBytes: bytes.byteLength,
    etag: createHash('md5').update(bytes).digest('hex'),
    modifiedMs: facts.modifiedMs,
    storageClass: facts.storageClass ?? 'STANDARD',
    attributes: { headers, metadata: facts.metadata ?? {} },
  };
}

/** Builds a small object for `putObjects`. */
export function smallObject(bytes: Uint8Array, facts: ObjectFacts): NewObject {
  return newBytes(inlineContent(bytes), bytes, facts);
}

function inlineContent(bytes: Uint8Array): NewContent {
  return bytes.byteLength === 0 ? { kind: 'none' } : { kind: 'inline', bytes };
}
