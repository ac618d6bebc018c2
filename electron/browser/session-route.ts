import type { IncomingMessage, ServerResponse } from 'node:http';
import { sessionRequestSchema, type SessionResponse } from '../../shared/session-messages.ts';
import { textHeaders } from '../host/csp.ts';
import type { SessionStore } from './session-store.ts';

const maxBodyBytes = 1024;
const retryAfterSeconds = 60;

/** Serves `POST /session`: exchanges a one-time code for a token. See shared/session-messages.ts. */
export async function serveSession(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: SessionStore,
): Promise<void> {
  if (request.method !== 'POST') return send(response, 405, null, { allow: 'POST' });
  // Blocks other sites, which cannot send JSON without a CORS preflight.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    return send(response, 415, null);

  const body = await readBody(request);
  if (body === null) return send(response, 413, null, { connection: 'close' });
  const parsedRequest = sessionRequestSchema.safeParse(parseJson(body));
  if (!parsedRequest.success) return send(response, 400, null);

  const outcome = sessions.exchange(parsedRequest.data.code);
  if ('token' in outcome) return send(response, 200, { kind: 'session', token: outcome.token });
  const reply: SessionResponse = { kind: 'needs-code', reason: outcome.refused };
  if (outcome.refused !== 'too-many-tries') return send(response, 403, reply);
  return send(response, 429, reply, { 'retry-after': String(retryAfterSeconds) });
}

function send(
  response: ServerResponse,
  status: number,
  reply: SessionResponse | null,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...textHeaders,
    ...headers,
    'content-type': 'application/json; charset=utf-8',
  });
  response.end(JSON.stringify(reply ?? {}));
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The schema refuses null like any other invalid body.
  }
}
