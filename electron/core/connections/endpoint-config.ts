import { assertNever } from '../../../shared/assert-never.ts';
import { failure } from '../../../shared/errors.ts';
import { awsEndpoint } from '../../../shared/providers/aws-partitions.ts';
import type { Clock } from '../ports.ts';
import type { EndpointConfig } from '../s3/model/connection-types.ts';
import { awsProfileFacts } from './aws-files.ts';
import { profileKeys, typedKeys } from './credentials.ts';
import type { ConnectionSecrets, StoredConnection } from './stored-connection.ts';
import { tidyEndpoint } from './validate.ts';

/**
 * Builds the client's configuration from a connection and its secrets. Throws `AppError('access-denied')` if the secret is
 * missing.
 */
export async function endpointConfigOf(
  stored: StoredConnection,
  secrets: ConnectionSecrets,
  clock: Pick<Clock, 'nowMs'>,
): Promise<EndpointConfig> {
  const { auth } = stored;
  const common = {
    addressing: stored.addressing,
    caPem: stored.caPem,
    proxyUrl: proxyUrlOf(stored, secrets),
    provider: stored.provider,
    requesterPays: stored.requesterPays ?? false,
  };
  switch (auth.kind) {
    case 'anonymous':
      return { ...common, endpoint: stored.endpoint, region: stored.region, credentials: null };
    case 'keys': {
      if (secrets.secretAccessKey === null) {
        throw failure(
          'access-denied',
          'The secret access key of this connection is no longer stored. Edit the connection and enter it again.',
          { retry: 'after-fix', reason: 'secret-missing' },
        );
      }
      const keys = {
        accessKeyId: auth.accessKeyId,
        secretAccessKey: secrets.secretAccessKey,
        ...(secrets.sessionToken === null ? {} : { sessionToken: secrets.sessionToken }),
      };
      return { ...common, endpoint: stored.endpoint, region: stored.region, credentials: typedKeys(keys) };
    }
    case 'aws-profile': {
      const facts = await awsProfileFacts(auth.profile);
      const region = stored.region ?? facts.region;
      return {
        ...common,
        endpoint: stored.endpoint === '' ? profileEndpoint(facts.endpointUrl, region) : stored.endpoint,
        region,
        credentials: profileKeys(auth.profile, clock),
      };
    }
    default:
      return assertNever(auth);
  }
}

function profileEndpoint(endpointUrl: string | null, region: string | null): string {
  if (endpointUrl !== null) return tidyEndpoint(endpointUrl);
  return awsEndpoint(region ?? 'us-east-1');
}

function proxyUrlOf(stored: StoredConnection, secrets: ConnectionSecrets): string | null {
  const { proxy } = stored;
  switch (proxy.kind) {
    case 'system':
      return null;
    case 'none':
      return 'none';
    case 'url': {
      if (secrets.proxyPassword === null) return proxy.url;
      const url = new URL(proxy.url);
      url.password = encodeURIComponent(secrets.proxyPassword);
      return url.href;
    }
    default:
      return assertNever(proxy);
  }
}
