const headerBytes = 8;
const memorySection = 5;
const hasMaximum = 1;

/**
 * Returns the WebAssembly module with its memory limited to this many pages of 64 KiB. Throws unless the module defines a
 * memory with a maximum (WebAssembly core specification, sections 5.3.7 and 5.5.8).
 */
export function withMemoryLimit(module: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(module);
  let at = headerBytes;
  /** Reads an unsigned LEB128. */
  const number = (): number => {
    let value = 0;
    for (let power = 1; ; power *= 128) {
      const byte = bytes[at];
      if (byte === undefined) throw new Error('The module is cut off.');
      at += 1;
      value += (byte & 127) * power;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const section = number();
    const sizeBytes = number();
    if (section !== memorySection) {
      at += sizeBytes;
      continue;
    }
    const count = number();
    const flags = number();
    number();
    if (count !== 1 || flags !== hasMaximum) break;
    const from = at;
    const pages = number();
    writeNumber(bytes.subarray(from, at), Math.min(pages, maxPages));
    return bytes;
  }
  throw new Error('The module has no memory with a maximum.');
}

/** Writes a LEB128 that fills `target` completely, even if a shorter one would do. */
function writeNumber(target: Uint8Array, value: number): void {
  let rest = value;
  target.forEach((_byte, at) => {
    target[at] = (rest % 128) + (at === target.length - 1 ? 0 : 128);
    rest = Math.floor(rest / 128);
  });
}

/** Fetches and decompresses a WebAssembly module, which the build compressed with gzip (build/vite/packed-libraries.ts). */
export async function fetchWasm(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const { body, ok, status } = await fetch(address);
  if (!ok || body === null) throw new Error(`The module could not be fetched (HTTP ${String(status)}).`);
  const unpacked = new Response(body.pipeThrough(new DecompressionStream('gzip')));
  return new Uint8Array(await unpacked.arrayBuffer());
}
