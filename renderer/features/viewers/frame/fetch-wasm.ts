/** Fetches and decompresses a WebAssembly module, which the build compressed with gzip (build/vite/packed-wasm.ts). */
export async function fetchWasm(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const { body, ok, status } = await fetch(address);
  if (!ok || body === null) throw new Error(`The module could not be fetched (HTTP ${String(status)}).`);
  const unpacked = new Response(body.pipeThrough(new DecompressionStream('gzip')));
  return new Uint8Array(await unpacked.arrayBuffer());
}
