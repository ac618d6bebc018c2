import { decodeHeic } from './heic.ts';
import { fetchWasm } from '../../frame/wasm.ts';
import type { HeicQuestion, ImageResponse } from '../worker/image-messages.ts';

// WebAssembly works only here: the response with this script carries a CSP that allows it (electron/host/window-files.ts).

async function answerTo({ bytes, decoder }: HeicQuestion): Promise<ImageResponse> {
  return await decodeHeic(bytes, await fetchWasm(decoder));
}

function say(reply: ImageResponse): void {
  self.postMessage(reply, { transfer: reply.kind === 'picture' ? [reply.picture.rgba.buffer] : [] });
}

self.addEventListener('message', (event: MessageEvent<HeicQuestion>) => {
  // The library throws arbitrary errors for damaged files.
  answerTo(event.data).then(say, () => {
    say({ kind: 'damaged' });
  });
});
