import { BadFormat } from '../frame/bytes.ts';
import { requestWorker, WorkerEnded } from '../../../ui/asked-worker.ts';
import type { RangeSource } from '../frame/range-source.ts';
import {
  type FromUnpacker,
  type ToUnpacker,
  UnknownCompression,
  type Compression,
  type Unpacked,
} from './unpacker.ts';

/**
 * Decompresses a source in a worker, for which the window reads the bytes. Throws BadFormat if they are damaged or take
 * too long, UnknownCompression if no decoder supports them.
 */
export async function askUnpacker(
  source: RangeSource,
  compression: Compression,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Unpacked> {
  const worker = requestWorker<ToUnpacker, FromUnpacker>(
    new Worker(new URL('./unpack-worker.ts', import.meta.url), { type: 'module' }),
    signal,
  );
  try {
    const { sizeBytes } = source;
    let response = await worker.ask({ kind: 'begin', compression, sizeBytes, maxBytes });
    while (response.kind === 'read') {
      // Copies the bytes, which the source may share.
      const bytes = (await source.read(response.offset, response.length, signal)).slice();
      response = await worker.ask({ kind: 'bytes', bytes }, [bytes.buffer]);
    }
    if (response.kind === 'damaged') throw new BadFormat('The compression is damaged.');
    if (response.kind === 'unknown') throw new UnknownCompression();
    return response.unpacked;
  } catch (thrown) {
    if (!(thrown instanceof WorkerEnded)) throw thrown;
    throw new BadFormat('Unpacking took too long.');
  } finally {
    worker.end();
  }
}
