import { answerRequests } from '../../../../ui/asked-worker.ts';
import { fetchWasm } from '../../frame/wasm.ts';
import { memoryOf, type HeicQuestion, type ImageResponse } from '../worker/image-messages.ts';
import { decodeHeic } from './heic.ts';

// WebAssembly works only here: the response with this script carries a CSP that allows it (electron/host/window-files.ts).
answerRequests<HeicQuestion, ImageResponse>(
  async ({ bytes, decoder }) => await decodeHeic(bytes, await fetchWasm(decoder)),
  { kind: 'damaged' },
  memoryOf,
);
