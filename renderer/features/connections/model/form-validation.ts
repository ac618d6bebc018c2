import { foreignCharacterOf, tidyKeyText } from '../../../../shared/key-text.ts';
import { isLoopbackName, readEndpoint, type EndpointAdvice } from '../../../../shared/providers/endpoint.ts';
import { readServiceAddress } from '../../../../shared/providers/service-address.ts';
import { needsAccount, needsRegion, presetById, quirksFor } from '../../../../shared/providers/providers.ts';
import {
  parsePlace,
  formatStart,
  type ConnectionDraft,
  type StoredSecrets,
} from './connection-form-model.ts';
import type { EnglishMessages } from '../../../../shared/messages/english.ts';

/** Message keys under connectionForm.problems and connectionForm.hints. */
export type ConnectionProblem = keyof EnglishMessages['connectionForm']['problems'];

export type Hint = keyof EnglishMessages['connectionForm']['hints'];

/** The fields in their order on the screen, for moving to the first problem. */
export const connectionFields = [
  'name',
  'account',
  'endpoint',
  'region',
  'profile',
  'accessKeyId',
  'secretAccessKey',
  'sessionToken',
  'start',
  'caPem',
  'proxyUrl',
] as const;

export type ConnectionField = (typeof connectionFields)[number];

export type Problems = Readonly<Partial<Record<ConnectionField, ConnectionProblem>>>;
export type Hints = Readonly<Partial<Record<ConnectionField, Hint>>>;

function endpointProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  const read = readEndpoint(draft.endpoint);
  if (read.kind === 'endpoint') return undefined;
  // A profile of ~/.aws provides the endpoint.
  if (read.problem === 'missing' && draft.authKind === 'aws-profile') return undefined;
  return `endpoint-${read.problem}`;
}

/** Returns the endpoint to use instead of a typed address that is not an endpoint, or null without advice. */
export function endpointAdvice(draft: ConnectionDraft): EndpointAdvice | null {
  const read = readEndpoint(draft.endpoint);
  return read.kind === 'problem' ? read.advice : null;
}

/** Returns the draft after applying the advice. Keeps the typed start if the advice contains none. */
export function withAdvice(draft: ConnectionDraft, { endpoint, start }: EndpointAdvice): ConnectionDraft {
  const region = endpoint === null ? undefined : regionIn(endpoint);
  return {
    ...draft,
    endpoint: endpoint ?? draft.endpoint,
    region: region ?? draft.region,
    start: start === null ? draft.start : formatStart(start),
  };
}

function regionIn(endpoint: string): string | undefined {
  const { hostname } = new URL(endpoint);
  return quirksFor('custom', hostname).regionInHost?.exec(hostname)?.[1];
}

function regionProblem(draft: ConnectionDraft): ConnectionProblem | undefined {
  const region = draft.region.trim();
  if (/\s/u.test(region)) return 'region-spaces';
  const needed = needsRegion(presetById(draft.provider)) && draft.authKind !== 'aws-profile';
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

/** Returns the draft's problems by field. A draft with problems can be neither saved nor tested. */
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
  const needed = needsAccount(presetById(draft.provider));
  return needed && draft.account.trim() === '' && draft.endpoint.trim() === '';
}

/** Returns warnings about values that are allowed but probably wrong. */
export function hintsOf(draft: ConnectionDraft, stored: StoredSecrets): Hints {
  const read = readEndpoint(draft.endpoint);
  const address = read.kind === 'endpoint' ? readServiceAddress(read.endpoint) : null;
  const [, host = ''] = /^http:\/\/(.+?)(?::\d+)?$/u.exec(address?.origin ?? '') ?? [];
  const plain = host !== '' && !isLoopbackName(host);
  const hasPath = address !== null && !/^(?:\/storage\/v1\/s3)?$/u.test(address.path);
  const keys = draft.authKind === 'keys';
  const otherKey = stored.hasSecret && stored.accessKeyId !== tidyKeyText(draft.accessKeyId);
  const token =
    tidyKeyText(draft.sessionToken) !== '' || (stored.hasSessionToken && !draft.removeSessionToken);
  const temporary = draft.provider === 'aws' && tidyKeyText(draft.accessKeyId).startsWith('ASIA');
  return {
    ...(hasPath ? { endpoint: 'endpoint-path' as const } : {}),
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
