import { readEndpoint, type EndpointAdvice } from '../../../shared/providers/endpoint.ts';
import type { ErrorReason } from '../../../shared/error-reasons.ts';
import { failure, type AppFailure } from '../../../shared/errors.ts';
import { foreignCharacterOf, tidyKeyText } from '../../../shared/key-text.ts';
import type { ConnectionInput, Proxy } from '../../../shared/models/connection.ts';
import { presets } from '../../../shared/providers/providers.ts';
import { quoteWithout } from '../s3/model/redact.ts';

function invalid(reason: ErrorReason, message: string): AppFailure {
  return failure('invalid-argument', message, { retry: 'after-fix', reason });
}

/** Converts `storage.example.com/` to `https://storage.example.com`. Throws AppFailure for a text that is not an endpoint. */
export function tidyEndpoint(typed: string): string {
  const read = readEndpoint(typed);
  // The URL class checks more than the pattern; for example, 1.2.3.999 is not an address.
  if (read.kind === 'endpoint' && URL.canParse(read.endpoint)) return read.endpoint;
  const { problem, advice } = read.kind === 'problem' ? read : unreadable;
  if (problem === 'missing')
    throw invalid(
      'endpoint-missing',
      'The endpoint is missing: the address of the service, such as https://storage.example.com.',
    );
  throw invalid(
    'endpoint-invalid',
    `The endpoint "${forMessage(typed.trim())}" cannot be used (${problem}).${adviceText(advice)}`,
  );
}

const unreadable = { problem: 'unreadable', advice: null } as const;

function adviceText(advice: EndpointAdvice | null): string {
  if (advice === null || advice.endpoint === null) return '';
  const { endpoint, start } = advice;
  return ` Use ${endpoint}${start === null ? '' : ` and name "${start.bucket}" as the starting bucket`}.`;
}

function tidyRegion(region: string | null): string | null {
  const text = region?.trim() ?? '';
  if (text === '') return null;
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(text))
    throw invalid(
      'region-invalid',
      'A region is one word of letters, digits and dashes, such as eu-central-1.',
    );
  return text;
}

function tidyCa(pem: string | null): string | null {
  const text = pem?.trim() ?? '';
  if (text === '') return null;
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    throw invalid(
      'ca-private-key',
      'The text of the certificate authority contains a private key. Enter only its certificate, and keep the key secret.',
    );
  if (!/-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.test(text))
    throw invalid(
      'ca-unreadable',
      'The text of the certificate authority is not a PEM certificate, which begins with -----BEGIN CERTIFICATE-----.',
    );
  return `${text}\n`;
}

/** A proxy's address without its password, and the password. */
export interface TidyProxy {
  readonly proxy: Proxy;
  /** The password; null if the address had none. */
  readonly password: string | null;
}

/**
 * Returns the proxy's URL in its normal form. Throws `AppError('invalid-argument')` if it is not an http, https or socks5 URL.
 */
export function tidyProxy(proxy: Proxy): TidyProxy {
  if (proxy.kind !== 'url') return { proxy, password: null };
  const text = proxy.url.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  // The text may contain a password, so the error does not quote it.
  if (text === '' || !URL.canParse(withScheme))
    throw invalid(
      'proxy-invalid',
      'This cannot be the address of a proxy. It should look like http://proxy.example.com:3128.',
    );
  const url = new URL(withScheme);
  if (!/^(?:https?|socks5?):$/.test(url.protocol))
    throw invalid(
      'proxy-invalid',
      'Only proxies whose address begins with http://, https:// or socks5:// can be used.',
    );
  const password = url.password === '' ? null : decodedPassword(url.password);
  url.password = '';
  return { proxy: { kind: 'url', url: url.href.replace(/\/$/, '') }, password };
}

/** Decodes a password of a URL. A percent sign that encodes nothing stays, because users type passwords as they are. */
function decodedPassword(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return text;
  }
}

function tidyKey(text: string, label: string): string {
  const key = tidyKeyText(text);
  if (key === '' || /\s/.test(key))
    throw invalid(
      'key-invalid',
      `The ${label} is empty or contains spaces or line breaks. Perhaps too much was pasted.`,
    );
  const foreign = foreignCharacterOf(key);
  if (foreign !== null)
    throw invalid(
      'key-invalid',
      `A key consists of printable ASCII characters, and character ${foreign.position} of the ${label} (${foreign.code}) is not one. Copy the key again.`,
    );
  return key;
}

function tidyAuth(auth: ConnectionInput['auth']): ConnectionInput['auth'] {
  if (auth.kind !== 'keys') return auth;
  const { secretAccessKey, sessionToken } = auth;
  return {
    kind: 'keys',
    accessKeyId: tidyKey(auth.accessKeyId, 'access key ID'),
    secretAccessKey: secretAccessKey === null ? null : tidyKey(secretAccessKey, 'secret access key'),
    sessionToken: sessionToken === null ? null : tidyToken(sessionToken),
  };
}

/** Returns the trimmed token; '' means that the stored one is removed. */
function tidyToken(token: string): string {
  return tidyKeyText(token) === '' ? '' : tidyKey(token, 'session token');
}

function tidyStart(start: ConnectionInput['start']): ConnectionInput['start'] {
  if (start === null) return null;
  const bucket = start.bucket.trim();
  if (bucket === '') return null;
  if (/[\s/\\?#]/.test(bucket) || bucket === '.' || bucket === '..')
    throw invalid('start-bucket', `"${forMessage(bucket)}" cannot be the name of a bucket.`);
  return { bucket, prefix: start.prefix };
}

export interface TidyInput {
  readonly input: ConnectionInput;
  readonly proxyPassword: string | null;
}

/** Normalizes the form's values for storage. Throws AppFailure that explains an unusable value. */
export function tidyInput(input: ConnectionInput): TidyInput {
  const name = input.name.trim();
  if (name === '') throw invalid('name-missing', 'Give the connection a name.');
  // The profile may contain the endpoint.
  const fromProfile = input.auth.kind === 'aws-profile' && input.endpoint.trim() === '';
  const { proxy, password } = tidyProxy(input.proxy);
  return {
    proxyPassword: password,
    input: {
      // Other fields are stored unchanged.
      ...input,
      name,
      provider: presets.some(({ id }) => id === input.provider) ? input.provider : 'custom',
      endpoint: fromProfile ? '' : tidyEndpoint(input.endpoint),
      region: tidyRegion(input.region),
      caPem: tidyCa(input.caPem),
      proxy,
      start: tidyStart(input.start),
      auth: tidyAuth(input.auth),
    },
  };
}

/** Returns the text for a message, without anything before an @, which may be a password. */
function forMessage(text: string): string {
  const at = text.lastIndexOf('@');
  return quoteWithout([])(at === -1 ? text : `…${text.slice(at)}`);
}
