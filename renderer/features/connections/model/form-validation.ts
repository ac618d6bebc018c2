import { foreignCharacterOf, tidyKeyText } from '../../../../shared/key-text.ts';
import { presetById, providers } from '../../../../shared/providers/providers.ts';
import {
  isLoopback,
  parsePlace,
  tidyEndpoint,
  type ConnectionDraft,
  type StoredSecrets,
} from './connection-form-model.ts';

/** Message keys under connections.problems and connections.hints. */
export type ConnectionProblem =
  | 'name-missing'
  | 'account-missing'
  | 'endpoint-missing'
  | 'endpoint-unreadable'
  | 'endpoint-scheme'
  | 'endpoint-path'
  | 'endpoint-login'
  | 'endpoint-braces'
  | 'endpoint-bucket'
  | 'region-missing'
  | 'region-spaces'
  | 'access-key-missing'
  | 'access-key-spaces'
  | 'key-foreign'
  | 'secret-missing'
  | 'secret-same'
  | 'profile-missing'
  | 'ca-not-pem'
  | 'ca-private-key'
  | 'proxy-missing'
  | 'proxy-unreadable'
  | 'start-bucket';

export type Hint =
  'endpoint-plain-http' | 'secret-of-former-key' | 'temporary-key-without-token' | 'anonymous-start';

export type ConnectionField =
  | 'name'
  | 'account'
  | 'endpoint'
  | 'region'
  | 'accessKeyId'
  | 'secretAccessKey'
  | 'sessionToken'
  | 'profile'
  | 'caPem'
  | 'proxyUrl'
  | 'start';

export type Problems = Readonly<Partial<Record<ConnectionField, ConnectionProblem>>>;
export type Hints = Readonly<Partial<Record<ConnectionField, Hint>>>;

function endpointProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  const typed = draft.endpoint.trim();
  // A profile of ~/.aws provides the endpoint.
  if (typed === '') return draft.authKind === 'aws-profile' ? undefined : 'endpoint-missing';
  if (/[{}<>]/u.test(typed)) return 'endpoint-braces';
  const tidy = tidyEndpoint(typed);
  if (/\s/u.test(typed) || !URL.canParse(tidy)) return 'endpoint-unreadable';
  const url = new URL(tidy);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'endpoint-scheme';
  if (url.username !== '' || url.password !== '') return 'endpoint-login';
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return 'endpoint-path';
  return bucketInHost(url.hostname) ? 'endpoint-bucket' : undefined;
}

/** Returns true if the hostname of a known provider starts with a bucket: `photos.s3.eu-west-1.amazonaws.com`. */
function bucketInHost(hostname: string): boolean {
  return providers.some(({ bucketInHost: pattern }) => pattern?.test(hostname));
}

function regionProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  const region = draft.region.trim();
  if (/\s/u.test(region)) return 'region-spaces';
  const needed = presetById(draft.provider).needsRegion && draft.authKind !== 'aws-profile';
  return region === '' && needed ? 'region-missing' : undefined;
}

function accessKeyProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  const accessKeyId = tidyKeyText(draft.accessKeyId);
  if (accessKeyId === '') return 'access-key-missing';
  return /\s/u.test(accessKeyId) ? 'access-key-spaces' : foreignProblem(accessKeyId);
}

function secretProblem(draft: ConnectionDraft, stored: StoredSecrets): ConnectionProblem | undefined {
  const secret = tidyKeyText(draft.secretAccessKey);
  if (secret === '') return stored.hasSecret ? undefined : 'secret-missing';
  return secret === tidyKeyText(draft.accessKeyId) ? 'secret-same' : foreignProblem(secret);
}

function tokenProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  return draft.removeSessionToken ? undefined : foreignProblem(tidyKeyText(draft.sessionToken));
}

function foreignProblem(key: string): ConnectionProblem | undefined {
  return foreignCharacterOf(key) === null ? undefined : 'key-foreign';
}

function caProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  const pem = draft.caPem.trim();
  if (pem === '') return undefined;
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/u.test(pem)) return 'ca-private-key';
  const whole = /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/u.test(pem);
  return whole ? undefined : 'ca-not-pem';
}

function proxyProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  if (draft.proxyKind !== 'url') return undefined;
  const typed = draft.proxyUrl.trim();
  if (typed === '') return 'proxy-missing';
  const url = /^[a-z0-9+.-]+:\/\//iu.test(typed) ? typed : `http://${typed}`;
  if (!URL.canParse(url)) return 'proxy-unreadable';
  return /^(?:https?|socks5?):$/u.test(new URL(url).protocol) ? undefined : 'proxy-unreadable';
}

function startProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  if (draft.start.trim() === '') return undefined;
  const place = parsePlace(draft.start);
  return place === null || /[\s\\?#]/u.test(place.bucket) ? 'start-bucket' : undefined;
}

/** Returns the draft's problems by field: with any, it can be neither saved nor tested. */
export function connectionProblems(draft: ConnectionDraft, stored: StoredSecrets): Problems {
  const keys = draft.authKind === 'keys';
  const found: readonly (readonly [ConnectionField, ConnectionProblem | undefined])[] = [
    ['name', draft.name.trim() === '' ? 'name-missing' : undefined],
    ['account', accountMissing(draft) ? 'account-missing' : undefined],
    ['endpoint', accountMissing(draft) ? undefined : endpointProblem(draft)],
    ['region', regionProblem(draft)],
    ['accessKeyId', keys ? accessKeyProblem(draft) : undefined],
    ['secretAccessKey', keys ? secretProblem(draft, stored) : undefined],
    ['sessionToken', keys ? tokenProblem(draft) : undefined],
    ['profile', draft.authKind === 'aws-profile' && draft.profile === '' ? 'profile-missing' : undefined],
    ['caPem', caProblem(draft)],
    ['proxyUrl', proxyProblem(draft)],
    ['start', startProblem(draft)],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

function accountMissing(draft: ConnectionDraft): boolean {
  const needed = presetById(draft.provider).needsAccount;
  return needed && draft.account.trim() === '' && draft.endpoint.trim() === '';
}

/** Returns warnings about allowed values. */
export function hintsOf(draft: ConnectionDraft, stored: StoredSecrets): Hints {
  const tidy = tidyEndpoint(draft.endpoint);
  const plain =
    URL.canParse(tidy) && new URL(tidy).protocol === 'http:' && !isLoopback(new URL(tidy).hostname);
  const keys = draft.authKind === 'keys';
  const otherKey = stored.hasSecret && stored.accessKeyId !== tidyKeyText(draft.accessKeyId);
  const token =
    tidyKeyText(draft.sessionToken) !== '' || (stored.hasSessionToken && !draft.removeSessionToken);
  const temporary = draft.provider === 'aws' && tidyKeyText(draft.accessKeyId).startsWith('ASIA');
  return {
    ...(plain ? { endpoint: 'endpoint-plain-http' as const } : {}),
    ...(keys && otherKey && tidyKeyText(draft.secretAccessKey) === ''
      ? { secretAccessKey: 'secret-of-former-key' as const }
      : {}),
    ...(keys && temporary && !token ? { sessionToken: 'temporary-key-without-token' as const } : {}),
    ...(draft.authKind === 'anonymous' && draft.start.trim() === ''
      ? { start: 'anonymous-start' as const }
      : {}),
  };
}
