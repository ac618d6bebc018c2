import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A received request: the unchanged path, header names in lower case, and the whole body. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The number of the connection. Requests with the same number used the same connection. */
  readonly socket: number;
}

/** A response to send. */
export type ScriptedResponse =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
      /** Pieces to send in order, each after a pause. */
      readonly slowly?: { readonly pieces: readonly string[]; readonly pauseMs: number };
      /** Breaks the connection after this many bytes of the body, although more were announced. */
      readonly cutAfterBytes?: number;
    }
  | 'reset'
  | 'hang';

export type Script = (request: SeenRequest, count: number) => ScriptedResponse | Promise<ScriptedResponse>;

export interface ScriptedServer {
  readonly endpoint: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Sets the responses in order, or functions that return them. The last response is repeated. */
  answer(...script: readonly (ScriptedResponse | Script)[]): void;
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly hostname?: string;
}

/** Starts a server on 127.0.0.1 that sends scripted responses and records the requests. */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const sockets = new WeakMap<object, number>();
  let socketCount = 0;
  let script: readonly (ScriptedResponse | Script)[] = [{ status: 200 }];
  let count = 0;

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void respond(request, response).catch(() => request.socket.destroy());
  };
  const server: Server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
  server.keepAliveTimeout = 60_000;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!sockets.has(request.socket)) sockets.set(request.socket, (socketCount += 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: Buffer.concat(chunks),
      socket: sockets.get(request.socket) ?? 0,
    };
    requests.push(seen);
    const step = script[Math.min(count, script.length - 1)] ?? { status: 500 };
    count += 1;
    await play(typeof step === 'function' ? await step(seen, count) : step, response);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls ? 'https' : 'http';
  return {
    endpoint: `${scheme}://${options.hostname ?? '127.0.0.1'}:${port}`,
    port,
    requests,
    answer(...next) {
      script = next;
      count = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function play(reply: ScriptedResponse, response: ServerResponse): Promise<void> {
  if (reply === 'hang') return;
  if (reply === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const body = reply.body === undefined ? Buffer.alloc(0) : Buffer.from(reply.body);
  response.statusCode = reply.status ?? 200;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (reply.slowly) {
    response.flushHeaders();
    for (const piece of reply.slowly.pieces) {
      await new Promise((resolve) => setTimeout(resolve, reply.slowly?.pauseMs));
      response.write(piece);
    }
    response.end(body);
    return;
  }
  if (reply.cutAfterBytes !== undefined) {
    response.setHeader('content-length', String(body.byteLength));
    response.write(body.subarray(0, reply.cutAfterBytes), () => response.socket?.destroy());
    return;
  }
  if (!response.hasHeader('content-length')) response.setHeader('content-length', String(body.byteLength));
  response.end(body);
}

/** Returns a response with an S3 <Error> document. */
export function errorResponse(
  status: number,
  code: string,
  extra: { readonly inner?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): ScriptedResponse {
  return {
    status,
    headers: { 'content-type': 'application/xml', ...extra.headers },
    body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>scripted ${code}</Message>${extra.inner ?? ''}<RequestId>REQ1</RequestId></Error>`,
  };
}

export function xmlResponse(body: string, headers: Readonly<Record<string, string>> = {}): ScriptedResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', ...headers },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  };
}
