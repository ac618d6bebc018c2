import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FarProxyRequest } from './far-proxy-child.ts';

export interface FarProxy {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

/**
 * Adds a round trip between clients and a service, in a separate process. Forwards TCP unchanged; a new connection takes one
 * more round trip.
 */
export async function startFarProxy(endpoint: string, roundTripMs: number): Promise<FarProxy> {
  const { hostname, port } = new URL(endpoint);
  const request: FarProxyRequest = { host: hostname, port: Number(port), roundTripMs };
  const child = fork(fileURLToPath(new URL('./far-proxy-child.ts', import.meta.url)), [], {
    execPath: process.execPath,
  });
  const exited = once(child, 'exit');
  child.send(request);
  const [response] = (await once(child, 'message')) as [{ readonly endpoint: string }];
  return {
    endpoint: response.endpoint,
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
