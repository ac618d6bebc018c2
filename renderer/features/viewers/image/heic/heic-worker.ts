import { decodeHeic } from './heic.ts';
import { fetchWasm } from '../../frame/wasm.ts';
import type { HeicQuestion, ImageAnswer } from '../worker/image-messages.ts';

// WebAssembly works only here: the response with this script carries a CSP that allows it (electron/host/window-files.ts).

async function answerTo({ bytes, decoder }: HeicQuestion): Promise<ImageAnswer> {
  return await decodeHeic(bytes, await fetchWasm(decoder));
}

function say(answer: ImageAnswer): void {
  self.postMessage(answer, { transfer: answer.kind === 'picture' ? [answer.picture.rgba.buffer] : [] });
}

self.addEventListener('message', (event: MessageEvent<HeicQuestion>) => {
  // The library throws arbitrary errors for damaged files.
  answerTo(event.data).then(say, () => {
    say({ kind: 'damaged' });
  });
});
