import type { BodySource } from '../../../electron/core/ports.ts';

/** Reads a request body to its end. Copies each chunk, because a body may reuse the memory for the next. */
export async function bodyBytes(body: BodySource): Promise<Buffer> {
  const opened = body.open();
  if (opened instanceof Uint8Array) return Buffer.from(opened);
  const chunks: Buffer[] = [];
  for await (const chunk of opened as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
