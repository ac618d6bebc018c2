import net from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends a request line and headers exactly as given. `fetch` would normalise the path and refuse to forge Host. */
export async function rawRequest(
  port: number,
  target: string,
  headers: Readonly<Record<string, string>>,
  options: { readonly method?: string; readonly body?: string } = {},
): Promise<RawResponse> {
  const body = options.body ?? '';
  const lines = Object.entries({
    connection: 'close',
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const text = await exchange(
    port,
    [`${options.method ?? 'GET'} ${target} HTTP/1.1`, ...lines, '', body].join('\r\n'),
  );
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
}

function exchange(port: number, sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = net.createConnection(port, '127.0.0.1', () => socket.write(sent));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(received);
    });
  });
}
