/** The reasons for which a connection fails, as a subset of ErrorReason. */
export type NetworkReason = keyof typeof networkText | 'other';

const byCode: Readonly<Record<string, NetworkReason>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_NODATA: 'dns',
  EAI_NONAME: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EHOSTDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CLOSED: 'reset',
  UND_ERR_DESTROYED: 'reset',
  ERR_STREAM_PREMATURE_CLOSE: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'cut-short',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  UND_ERR_HEADERS_TIMEOUT: 'first-byte-timeout',
  UND_ERR_BODY_TIMEOUT: 'inactivity',
  UND_ERR_HEADERS_OVERFLOW: 'not-http',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'body-changed',
  UND_ERR_PRX_TLS: 'proxy-failed',
  UND_ERR_PRX_CONN: 'proxy-failed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-hostname',
  CERT_HAS_EXPIRED: 'tls-expired',
  CERT_NOT_YET_VALID: 'tls-expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls-untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-untrusted',
  CERT_UNTRUSTED: 'tls-untrusted',
  CERT_REVOKED: 'tls-untrusted',
  CERT_REJECTED: 'tls-untrusted',
  CERT_SIGNATURE_FAILURE: 'tls-untrusted',
  INVALID_CA: 'tls-untrusted',
  INVALID_PURPOSE: 'tls-untrusted',
  PATH_LENGTH_EXCEEDED: 'tls-untrusted',
  EPROTO: 'tls-protocol',
};

/** Returns the reason of a connection failure, by the error codes of Node, OpenSSL and undici. */
export function networkReasonOf(thrown: unknown): NetworkReason {
  for (const error of causesOf(thrown)) {
    const message = error.message;
    if (/Proxy Authentication Required|Proxy response \(407\)/.test(message)) return 'proxy-auth';
    if (/Proxy response \(\d+\)/.test(message)) return 'proxy-failed';
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    // On an open socket, ETIMEDOUT means that TCP keep-alive found the connection dead.
    if (code === 'ETIMEDOUT' && 'syscall' in error && error.syscall === 'read') return 'reset';
    const known = byCode[code];
    if (known !== undefined) return known;
    if (code.startsWith('ERR_SSL_')) return 'tls-protocol';
    if (/\bEOF\b/.test(message) && error.name === 'HTTPParserError') return 'cut-short';
    if (code.startsWith('HPE_') || error.name === 'HTTPParserError') return 'not-http';
  }
  return 'other';
}

/** Returns the error with its causes, including the separate errors of a connection that was tried on several addresses. */
function causesOf(thrown: unknown): readonly Error[] {
  const found: Error[] = [];
  const visit = (value: unknown): void => {
    if (!(value instanceof Error) || found.length > 16 || found.includes(value)) return;
    found.push(value);
    if (value instanceof AggregateError) for (const inner of value.errors) visit(inner);
    visit(value.cause);
  };
  visit(thrown);
  return found;
}

/** A sentence for each reason, for the log and for the details of an error. */
export const networkText = {
  dns: 'The name of the service could not be resolved.',
  'connection-refused': 'The service refused the connection.',
  unreachable: 'The service cannot be reached from this network.',
  reset: 'The connection was lost before the response was complete.',
  'cut-short': 'The response ended before all of its announced bytes had arrived.',
  'tls-untrusted': 'The certificate of the service is not trusted on this computer.',
  'tls-hostname': 'The certificate of the service is for another name.',
  'tls-expired': 'The certificate of the service has expired or is not valid yet.',
  'tls-protocol': 'No encrypted connection could be made; the port may speak plain HTTP.',
  'connect-timeout': 'No connection was made in time.',
  'first-byte-timeout': 'The service did not begin to respond in time.',
  inactivity: 'The service stopped sending in the middle of its response.',
  'proxy-auth': 'The proxy requires a user name and a password.',
  'proxy-failed': 'The proxy did not make the connection.',
  'not-http': 'The server at this address does not speak HTTP.',
  'body-changed': 'The size of the data to send differs from the announced size; the file may have changed.',
} as const;
