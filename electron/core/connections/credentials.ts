import { AppFailure, failure } from '../../../shared/errors.ts';
import { foreignCharacterOf } from '../../../shared/key-text.ts';
import type { Clock } from '../ports.ts';
import { areSameKeys, type Credentials, type CredentialSource } from '../s3/model/connection-types.ts';
import { quoteWithout } from '../s3/model/redact.ts';
import { prepareAwsFiles } from './aws-files.ts';

/** Temporary credentials are renewed if they expire within this time in ms. */
const renewBeforeMs = 5 * 60_000;

/** Returns a source of the credentials that the user typed. Throws for `refresh`, because there are no newer ones. */
export function typedKeys(keys: Credentials): CredentialSource {
  return ({ refresh }) => {
    if (!refresh) return Promise.resolve(keys);
    return Promise.reject(
      failure(
        'auth-expired',
        'The temporary keys of this connection have expired. Edit the connection and enter new ones.',
        { retry: 'after-fix', reason: 'token-expired' },
      ),
    );
  };
}

export type ProfileReader = (profile: string) => Promise<Credentials>;

/** Returns a source of the credentials of a ~/.aws profile, read at first use and renewed before they expire. */
export function profileKeys(
  profile: string,
  clock: Pick<Clock, 'nowMs'>,
  read: ProfileReader = readAwsProfile,
): CredentialSource {
  let current: Credentials | null = null;
  let reading: Promise<Credentials> | null = null;

  const renew = async (): Promise<Credentials> => {
    // Concurrent requests share one credential_process call or sign-in.
    reading ??= read(profile).finally(() => {
      reading = null;
    });
    current = await reading;
    return current;
  };

  return async ({ refresh }) => {
    const known = current;
    if (known === null) return await renew();
    if (refresh) {
      const fresh = await renew();
      if (areSameKeys(fresh, known)) throw expired(profile);
      return fresh;
    }
    const leftMs = (known.expiresAtMs ?? Infinity) - clock.nowMs();
    if (leftMs > renewBeforeMs) return known;
    try {
      return await renew();
    } catch (thrown) {
      // The computer may be offline. The current credentials are still valid for a few minutes.
      if (leftMs > 0) return known;
      throw thrown;
    }
  };
}

function expired(profile: string): AppFailure {
  return failure(
    'auth-expired',
    `The keys of the profile "${profile}" have expired. Sign in again (aws sso login --profile ${profile}) or renew them.`,
    { retry: 'after-fix', reason: 'token-expired' },
  );
}

/**
 * Reads a profile with the resolver of the AWS SDK: keys, credential_process, SSO caches, roles, web identity. Loads it at first
 * use, because it is large. Throws `AppError('auth-expired')` if the sign-in has ended, otherwise `AppError('invalid-argument')`.
 */
export async function readAwsProfile(profile: string): Promise<Credentials> {
  const { fromIni } = await import('@aws-sdk/credential-provider-ini');
  try {
    await prepareAwsFiles();
    const found = await fromIni({ profile, ignoreCache: true })();
    refuseForeign(profile, found);
    return {
      accessKeyId: found.accessKeyId,
      secretAccessKey: found.secretAccessKey,
      ...(found.sessionToken === undefined ? {} : { sessionToken: found.sessionToken }),
      ...(found.expiration === undefined ? {} : { expiresAtMs: found.expiration.getTime() }),
    };
  } catch (thrown) {
    throw profileFailure(profile, thrown);
  }
}

/** Throws for credentials that a header cannot contain, such as those with non-ASCII letters. */
function refuseForeign(profile: string, keys: Credentials): void {
  const named = {
    aws_access_key_id: keys.accessKeyId,
    aws_secret_access_key: keys.secretAccessKey,
    aws_session_token: keys.sessionToken ?? '',
  };
  for (const [name, key] of Object.entries(named)) {
    const foreign = foreignCharacterOf(key);
    if (foreign !== null)
      throw failure(
        'invalid-argument',
        `In the profile "${profile}", character ${foreign.position} of ${name} (${foreign.code}) cannot be part of a key.`,
        { retry: 'after-fix', reason: 'profile-unusable' },
      );
  }
}

function profileFailure(profile: string, thrown: unknown): AppFailure {
  if (thrown instanceof AppFailure) return thrown;
  const message = quoteWithout([])(thrown instanceof Error ? thrown.message : String(thrown), 500);
  // The cause is omitted, because a credential program may print keys in its errors.
  if (/expired|sso login|refresh failed|session.*invalid/i.test(message)) {
    return failure('auth-expired', `The sign-in of the profile "${profile}" has ended: ${message}`, {
      retry: 'after-fix',
      reason: 'token-expired',
    });
  }
  return failure('invalid-argument', `The profile "${profile}" returned no keys: ${message}`, {
    retry: 'after-fix',
    reason: 'profile-unusable',
  });
}
