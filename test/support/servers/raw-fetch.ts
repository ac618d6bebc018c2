import { Client } from 'undici';

/** Fetches an address without normalising it, since `URL` would remove the `..` from a key. */
export async function rawFetch(
  url: string,
  method: 'GET' | 'PUT' = 'GET',
  body?: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]+)(\/.*)$/.exec(url) ?? [];
  const connection = new Client(origin);
  try {
    const response = await connection.request({
      path,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  } finally {
    await connection.close();
  }
}
