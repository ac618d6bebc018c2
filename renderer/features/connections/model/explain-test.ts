import { assertNever } from '../../../../shared/assert-never.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { EnglishMessages } from '../../../../shared/messages/english.ts';
import {
  testStepIds,
  type TestStep,
  type TestStepId,
  type ConnectionInput,
} from '../../../../shared/models/connection.ts';
import { isLoopbackName } from '../../../../shared/providers/endpoint.ts';

/** Causes of failed steps. Each is a message key under connectionForm.causes for an explanation and a remedy. */
type Cause = keyof EnglishMessages['connectionForm']['causes'];

/** The fix that a button offers. */
export type Fix =
  | { readonly kind: 'use-region'; readonly region: string }
  | { readonly kind: 'add-ca' }
  | { readonly kind: 'set-start' }
  | { readonly kind: 'retype-keys' }
  | { readonly kind: 'check-endpoint' }
  | { readonly kind: 'check-proxy' };

const byReason: Readonly<Record<string, Cause>> = {
  'endpoint-invalid': 'endpoint-invalid',
  'proxy-invalid': 'proxy-invalid',
  'ca-unreadable': 'ca-unreadable',
  'ca-private-key': 'ca-unreadable',
  'endpoint-missing': 'endpoint-invalid',
  'region-invalid': 'region-invalid',
  'start-bucket': 'start-bucket',
  'bucket-name': 'start-bucket',
  'key-invalid': 'settings',
  'secret-missing': 'secret-missing',
  'profile-missing': 'profile-missing',
  'profile-unusable': 'profile-unusable',
  dns: 'dns',
  unreachable: 'unreachable',
  'connect-timeout': 'connect-timeout',
  'first-byte-timeout': 'silent',
  inactivity: 'silent',
  reset: 'reset',
  'cut-short': 'reset',
  'tls-untrusted': 'tls-untrusted',
  'tls-hostname': 'tls-hostname',
  'tls-expired': 'tls-expired',
  'tls-protocol': 'tls-protocol',
  'proxy-auth': 'proxy-auth',
  'proxy-failed': 'proxy-failed',
  html: 'html',
  'not-http': 'not-http',
  'unexpected-answer': 'not-s3',
  'clock-skew': 'clock-skew',
  'key-unknown': 'key-unknown',
  'secret-wrong': 'secret-wrong',
  'token-invalid': 'token-invalid',
  'token-expired': 'token-expired',
  'account-problem': 'account-problem',
  'refused-by-service': 'service-refused',
  'quota-exceeded': 'service-refused',
  'virtual-host-wanted': 'virtual-host-wanted',
  'anonymous-refused': 'anonymous-refused',
  'redirect-refused': 'redirect-refused',
  'slow-down': 'rate-limited',
};

const byStep: Readonly<Record<TestStepId, Cause>> = {
  settings: 'settings',
  'name-resolves': 'dns',
  'port-answers': 'port-other',
  'tls-holds': 'tls-other',
  'speaks-s3': 'not-s3',
  'clock-agrees': 'clock-skew',
  'key-accepted': 'key-denied',
  'region-right': 'region-unnamed',
  'buckets-listed': 'other',
  'first-page': 'other',
};

function hostOf(endpoint: string): URL | null {
  return URL.canParse(endpoint) ? new URL(endpoint) : null;
}

function deniedAt(step: TestStepId, started: boolean): Cause {
  if (step === 'buckets-listed') return started ? 'list-denied-started' : 'list-denied';
  return step === 'first-page' ? 'bucket-denied' : 'key-denied';
}

function causeOf(step: TestStep, error: AppError | null, input: ConnectionInput): Cause {
  if (error === null) return step.id === 'tls-holds' ? 'plain-http' : byStep[step.id];
  const { reason } = error;
  if (reason === 'region-mismatch') return regionOf(step) === null ? 'region-unnamed' : 'region-named';
  if (
    reason === 'denied' ||
    (error.code === 'access-denied' && (reason === undefined || byReason[reason] === undefined))
  ) {
    return deniedAt(step.id, input.start !== null);
  }
  if (error.code === 'auth-expired' && input.auth.kind === 'aws-profile') return 'profile-expired';
  if (/plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/iu.test(error.message)) {
    return 'http-to-https';
  }
  if (reason === 'connection-refused') {
    return isLoopbackName(hostOf(input.endpoint)?.hostname ?? '') ? 'refused-loopback' : 'refused';
  }
  // If Cooper does not know the error code, the service's message is more useful than the status.
  if (reason === 'refused' && typeof error.s3?.code === 'string') return 'service-refused';
  const known = reason === undefined ? undefined : byReason[reason];
  if (known !== undefined) return known;
  return byCode(error, step, input);
}

function byCode(error: AppError, step: TestStep, input: ConnectionInput): Cause {
  switch (error.code) {
    case 'auth-expired':
      return 'token-expired';
    case 'clock-skew':
    case 'rate-limited':
    case 'server':
    case 'unsupported':
      return error.code;
    case 'timeout':
      return step.id === 'port-answers' ? 'connect-timeout' : 'silent';
    case 'not-found':
      if (step.id === 'first-page') return 'bucket-missing';
      return step.id === 'buckets-listed' ? 'unsupported' : byStep[step.id];
    case 'protocol':
      return 'not-s3';
    case 'invalid-argument':
      return input.auth.kind === 'aws-profile' && step.id !== 'speaks-s3'
        ? 'profile-unusable'
        : byStep[step.id];
    case 'access-denied':
    case 'network':
    case 'cancelled':
    case 'conflict':
    case 'upload-gone':
    case 'parts-rejected':
    case 'storage':
    case 'damaged':
    case 'disconnected':
    case 'internal':
      return byStep[step.id];
    default:
      return assertNever(error.code);
  }
}

/** Returns by how many seconds this computer's clock is ahead of the service's clock (negative if behind), or null if unknown. */
export function clockDifferenceOf(step: TestStep): number | null {
  const seconds = step.facts['differenceSeconds'];
  return typeof seconds === 'number' && seconds !== 0 ? seconds : null;
}

/** Returns the region that the service named, in the step's facts or in its error text, or null. */
function regionOf(step: TestStep): string | null {
  const fact = step.facts['region'];
  if (typeof fact === 'string' && fact !== '') return fact;
  const expected = /expecting '([A-Za-z0-9-]+)'/u.exec(step.error?.s3?.message ?? step.error?.message ?? '');
  return expected?.[1] ?? null;
}

function fixFor(cause: Cause, step: TestStep, input: ConnectionInput): Fix | null {
  switch (cause) {
    case 'region-named': {
      const region = regionOf(step);
      return region === null || region === input.region ? null : { kind: 'use-region', region };
    }
    case 'tls-untrusted':
    case 'ca-unreadable':
      return { kind: 'add-ca' };
    case 'list-denied':
    case 'unsupported':
    case 'start-bucket':
    case 'bucket-missing':
    case 'anonymous-refused':
      return { kind: 'set-start' };
    case 'key-unknown':
    case 'secret-wrong':
    case 'secret-missing':
    case 'token-invalid':
    case 'token-expired':
      return input.auth.kind === 'keys' ? { kind: 'retype-keys' } : null;
    case 'proxy-auth':
    case 'proxy-failed':
    case 'proxy-invalid':
      return { kind: 'check-proxy' };
    case 'endpoint-invalid':
    case 'dns':
    case 'refused':
    case 'refused-loopback':
    case 'connect-timeout':
    case 'tls-hostname':
    case 'tls-protocol':
    case 'html':
    case 'not-http':
    case 'not-s3':
    case 'http-to-https':
      return { kind: 'check-endpoint' };
    default:
      return null;
  }
}

/**
 * Returns the message that explains why a step failed, and a remedy for a button. Uses `profileEndpoint` if the input leaves the
 * endpoint to a profile in ~/.aws.
 */
export function explainStep(step: TestStep, input: ConnectionInput, profileEndpoint = '') {
  const named = causeOf(step, step.error, input);
  const cause = named === 'clock-skew' && clockDifferenceOf(step) !== null ? 'clock-skew-by' : named;
  const endpoint = input.endpoint === '' ? profileEndpoint : input.endpoint;
  const url = hostOf(endpoint);
  const port = url === null ? '' : url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port;
  return {
    cause,
    fix: fixFor(cause, step, input),
    /** The values to insert into the sentence. */
    values: {
      host: url?.hostname ?? endpoint,
      port,
      endpoint,
      /** The region that the service named. */
      region: regionOf(step) ?? '',
      usedRegion: input.region ?? '',
      accessKeyId: input.auth.kind === 'keys' ? input.auth.accessKeyId : '',
      profile: input.auth.kind === 'aws-profile' ? input.auth.profile : '',
      bucket: String(step.facts['bucket'] ?? input.start?.bucket ?? ''),
      /** The service's message, or else its error code. */
      sentence: step.error?.s3?.message ?? step.error?.s3?.code ?? '',
    },
  };
}

/** Returns the steps after adding or replacing a newly reported step. */
export function withStep(steps: readonly TestStep[], report: TestStep): readonly TestStep[] {
  const known = steps.some((step) => step.id === report.id);
  return known ? steps.map((step) => (step.id === report.id ? report : step)) : [...steps, report];
}

/** Returns the steps that need an explanation: the first failed step, then those with a note. */
export function notable(steps: readonly TestStep[]): readonly TestStep[] {
  const ordered = testStepIds.flatMap((id) => steps.filter((step) => step.id === id));
  const failed = ordered.find((step) => step.state === 'failed');
  const warnings = ordered.filter((step) => step.state === 'warning');
  return failed === undefined ? warnings : [failed, ...warnings];
}

export type TestVerdict = 'passed' | 'passed-with-warnings' | 'failed';

export function testVerdict(steps: readonly TestStep[]): TestVerdict {
  if (steps.some((step) => step.state === 'failed')) return 'failed';
  return steps.some((step) => step.state === 'warning') ? 'passed-with-warnings' : 'passed';
}
