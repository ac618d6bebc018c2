import { assertNever } from '../../../../shared/assert-never.ts';
import type {
  Addressing,
  AwsProfile,
  Connection,
  ConnectionInput,
  StartPlace,
} from '../../../../shared/models/connection.ts';
import { tidyKeyText } from '../../../../shared/key-text.ts';
import { awsEndpoint } from '../../../../shared/providers/aws-partitions.ts';
import { readEndpoint } from '../../../../shared/providers/endpoint.ts';
import { fillEndpoint, needsAccount, presetById } from '../../../../shared/providers/providers.ts';
import type { Preset } from '../../../../shared/providers/provider.ts';
import { isWebAddress } from '../../../../shared/keys/s3-link.ts';
import { readServiceAddress } from '../../../../shared/providers/service-address.ts';

export type AuthKind = Connection['auth']['kind'];
export type ProxyKind = Connection['proxy']['kind'];

/** The secrets that the core already stores. */
export interface StoredSecrets {
  readonly accessKeyId: string | null;
  readonly hasSecret: boolean;
  readonly hasSessionToken: boolean;
  /** The endpoint to which the stored secrets may be sent. Absent without stored secrets. */
  readonly endpoint?: string;
}

export const nothingStored: StoredSecrets = { accessKeyId: null, hasSecret: false, hasSessionToken: false };

const blank = {
  name: '',
  provider: 'custom',
  /** The value for {account} in the preset's endpoint. Not stored, but read from the endpoint. */
  account: '',
  endpoint: '',
  region: '',
  addressing: 'auto' as Addressing,
  authKind: 'keys' as AuthKind,
  accessKeyId: '',
  secretAccessKey: '',
  sessionToken: '',
  removeSessionToken: false,
  profile: '',
  caPem: '',
  proxyKind: 'system' as ProxyKind,
  proxyUrl: '',
  /** The location at which the connection opens: `bucket` or `bucket/prefix`. */
  start: '',
  requesterPays: false,
};

/** The contents of the form as typed, not yet validated. */
export type ConnectionDraft = Readonly<typeof blank>;

/** Returns the draft of a new connection to a provider. */
export function newDraft(provider: string): ConnectionDraft {
  return withPreset(blank, provider);
}

/** Returns the draft of a connection that uses a profile in ~/.aws. */
export function draftFromProfile(profile: AwsProfile): ConnectionDraft {
  return withProfile({ ...blank, authKind: 'aws-profile', name: profile.name }, profile);
}

export function draftFromConnection(connection: Connection): ConnectionDraft {
  const { auth, proxy } = connection;
  return {
    ...blank,
    name: connection.name,
    provider: connection.provider,
    account: accountOf(presetById(connection.provider), connection.endpoint),
    endpoint: connection.endpoint,
    region: connection.region ?? '',
    addressing: connection.addressing,
    authKind: auth.kind,
    accessKeyId: auth.kind === 'keys' ? auth.accessKeyId : '',
    profile: auth.kind === 'aws-profile' ? auth.profile : '',
    caPem: connection.caPem ?? '',
    proxyKind: proxy.kind,
    proxyUrl: proxy.kind === 'url' ? proxy.url : '',
    start: connection.start === null ? '' : formatStart(connection.start),
    requesterPays: connection.requesterPays ?? false,
  };
}

export function storedSecretsOf(connection: Connection): StoredSecrets {
  const { auth } = connection;
  if (auth.kind !== 'keys') return nothingStored;
  const { accessKeyId, hasSecret, hasSessionToken } = auth;
  return { accessKeyId, hasSecret, hasSessionToken, endpoint: connection.endpoint };
}

/** Returns the stored secrets that apply to the draft. With another endpoint no secrets apply, since the core then uses none. */
export function storedFor(draft: ConnectionDraft, stored: StoredSecrets): StoredSecrets {
  const isOther = stored.endpoint !== undefined && tidyEndpoint(draft.endpoint) !== stored.endpoint;
  return isOther ? nothingStored : stored;
}

function filledEndpoint(draft: ConnectionDraft): string | null {
  return fillEndpoint(presetById(draft.provider), {
    region: emptyToNull(draft.region.trim()),
    account: emptyToNull(draft.account.trim()),
  });
}

/** Returns true if the endpoint is empty or has the value that the preset filled in. */
function followsPreset(draft: ConnectionDraft): boolean {
  return draft.endpoint.trim() === '' || draft.endpoint === filledEndpoint(draft);
}

/** Returns the draft with another provider's endpoint, region and addressing style. Keeps a typed name. */
export function withPreset(draft: ConnectionDraft, provider: string): ConnectionDraft {
  const preset = presetById(provider);
  const before = presetById(draft.provider);
  const keptRegion = preset.regions.includes(draft.region) ? draft.region : null;
  const isNamed = draft.name.trim() !== '' && draft.name !== before.name;
  const typed = followsPreset(draft) ? '' : draft.endpoint;
  const next: ConnectionDraft = {
    ...draft,
    provider: preset.id,
    name: isNamed ? draft.name : preset.id === 'custom' ? '' : preset.name,
    account: needsAccount(preset) ? draft.account : '',
    region: keptRegion ?? preset.defaultRegion ?? '',
    addressing: preset.addressing,
  };
  return { ...next, endpoint: filledEndpoint(next) ?? (preset.endpointTemplate === '' ? typed : '') };
}

/** Returns the draft with another region. Also changes the endpoint, unless the user edited it. */
export function withRegion(draft: ConnectionDraft, region: string): ConnectionDraft {
  return refilled(draft, { ...draft, region });
}

export function withAccount(draft: ConnectionDraft, account: string): ConnectionDraft {
  return refilled(draft, { ...draft, account });
}

function refilled(before: ConnectionDraft, after: ConnectionDraft): ConnectionDraft {
  return followsPreset(before) ? { ...after, endpoint: filledEndpoint(after) ?? '' } : after;
}

/** Returns a draft that uses a profile in ~/.aws. Region and endpoint stay empty, so that they follow the profile. */
export function withProfile(draft: ConnectionDraft, profile: AwsProfile): ConnectionDraft {
  const preset = presetById(profile.endpointUrl === null ? 'aws' : 'custom');
  return {
    ...draft,
    profile: profile.name,
    provider: preset.id,
    addressing: preset.addressing,
    account: '',
    endpoint: '',
    region: '',
  };
}

/** Returns the endpoint in a profile, or the core's default if the profile names none. */
export function profileEndpoint(profile: AwsProfile, region: string | null): string {
  if (profile.endpointUrl !== null) return tidyEndpoint(profile.endpointUrl);
  return awsEndpoint(region ?? profile.region ?? 'us-east-1');
}

/** Returns the draft with another way to sign in. If a profile supplied the endpoint before, fills the endpoint in. */
export function withAuthKind(draft: ConnectionDraft, authKind: AuthKind): ConnectionDraft {
  const next = { ...draft, authKind };
  const mustRefill = authKind !== 'aws-profile' && draft.authKind === 'aws-profile' && draft.endpoint === '';
  return mustRefill ? withPreset(next, draft.provider) : next;
}

/** Normalizes an endpoint: `storage.example.com/` becomes `https://storage.example.com`. Returns any other text unchanged. */
export function tidyEndpoint(typed: string): string {
  const read = readEndpoint(typed);
  return read.kind === 'endpoint' ? read.endpoint : typed.trim();
}

function accountOf(preset: Preset, endpoint: string): string {
  if (!needsAccount(preset)) return '';
  const [before, after] = preset.endpointTemplate.split('{account}');
  if (before === undefined || after === undefined) return '';
  const fits = endpoint.startsWith(before) && endpoint.endsWith(after);
  return fits ? endpoint.slice(before.length, endpoint.length - after.length) : '';
}

export function formatStart(start: StartPlace): string {
  return start.prefix === '' ? start.bucket : `${start.bucket}/${start.prefix}`;
}

function authInput(draft: ConnectionDraft): ConnectionInput['auth'] {
  switch (draft.authKind) {
    case 'anonymous':
      return { kind: 'anonymous' };
    case 'aws-profile':
      return { kind: 'aws-profile', profile: draft.profile };
    case 'keys':
      return {
        kind: 'keys',
        accessKeyId: tidyKeyText(draft.accessKeyId),
        secretAccessKey: emptyToNull(tidyKeyText(draft.secretAccessKey)),
        sessionToken: draft.removeSessionToken ? '' : emptyToNull(tidyKeyText(draft.sessionToken)),
      };
    default:
      return assertNever(draft.authKind);
  }
}

const emptyToNull = (text: string): string | null => (text === '' ? null : text);

/** Converts a draft without problems to the input for the core. */
export function toInput(draft: ConnectionDraft): ConnectionInput {
  return {
    name: draft.name.trim(),
    provider: draft.provider,
    endpoint: tidyEndpoint(draft.endpoint),
    region: emptyToNull(draft.region.trim()),
    addressing: draft.addressing,
    caPem: emptyToNull(draft.caPem.trim()),
    proxy:
      draft.proxyKind === 'url' ? { kind: 'url', url: draft.proxyUrl.trim() } : { kind: draft.proxyKind },
    start: parsePlace(draft.start),
    ...(draft.requesterPays ? { requesterPays: true } : {}),
    auth: authInput(draft),
  };
}

/** Returns true if closing the form would lose changes. */
export function differs(a: ConnectionDraft, b: ConnectionDraft): boolean {
  return (Object.keys(a) as (keyof ConnectionDraft)[]).some((field) => a[field] !== b[field]);
}

/** Returns true if an advanced field has a value, so that the advanced section starts open. */
export function hasAdvanced(draft: ConnectionDraft): boolean {
  const preset = presetById(draft.provider);
  return (
    draft.caPem !== '' ||
    draft.proxyKind !== 'system' ||
    draft.requesterPays ||
    draft.addressing !== preset.addressing
  );
}

/**
 * Parses `bucket`, `bucket/prefix`, `s3://bucket/prefix` or the web address of a known provider. Keeps the prefix unchanged.
 * Returns null without a bucket.
 */
export function parsePlace(typed: string): StartPlace | null {
  if (isWebAddress(typed)) {
    const { bucket = null, key = '' } = readServiceAddress(typed) ?? {};
    return bucket === null ? null : { bucket, prefix: key };
  }
  const text = typed.trimStart().replace(/^s3:\/\//iu, '');
  const slash = text.indexOf('/');
  const bucket = (slash === -1 ? text : text.slice(0, slash)).trim();
  if (bucket === '') return null;
  return { bucket, prefix: slash === -1 ? '' : text.slice(slash + 1) };
}
