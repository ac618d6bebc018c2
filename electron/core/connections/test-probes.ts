import { retryPolicies } from '../flow/retry-policies.ts';
import type { Ports } from '../ports.ts';
import { createS3Client } from '../s3/client.ts';
import { parseEndpointOrigin } from '../s3/http/addressing.ts';
import { openPort, resolveName, shakeHands } from '../s3/http/probe.ts';
import type { RequestLogSink } from '../s3/model/request-types.ts';
import type { EndpointConfig } from '../s3/model/connection-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { askService } from './ask-service.ts';
import type { TestedResponse, TestProbes, TestTarget } from './connection-test.ts';
import { proxyFor, proxyUrlFor } from './proxy.ts';
import type { StoredConnection } from './stored-connection.ts';

/** Makes fewer attempts than usual, because a connection test should not take minutes. */
const { maxTries } = retryPolicies.connectionTest;
const pageEntries = 10;

export interface ProbesDeps {
  readonly ports: Ports;
  readonly requestLog: RequestLogSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Resolves the form's values to a configuration. Throws if they are unusable. */
  readonly load: () => Promise<{ readonly stored: StoredConnection; readonly config: EndpointConfig }>;
}

/** Creates the probes that use the network. `close` closes everything that they opened. */
export function createTestProbes(deps: ProbesDeps): TestProbes & { close(): Promise<void> } {
  const { signal } = deps;
  const closers: (() => Promise<void>)[] = [];
  let loaded: { readonly stored: StoredConnection; readonly config: EndpointConfig } | null = null;
  const config = (): EndpointConfig => {
    if (loaded === null) throw new Error('The settings are checked first.');
    return loaded.config;
  };
  const openClient = (): S3Client => {
    const made = createS3Client(config(), { ...deps.ports, requestLog: deps.requestLog });
    closers.push(() => made.close());
    return made;
  };

  /** Sends ListBuckets signed for exactly this region. A wrong region is reported, not corrected. */
  const askOnce = async (region: string | null): Promise<TestedResponse> =>
    await askService(
      { ...config(), region },
      { ...deps.ports, requestLog: deps.requestLog },
      { signal, maxTries },
    );

  return {
    settings: async () => {
      loaded = await deps.load();
      // Creates the client now, so that unusable certificates and proxies fail in this step.
      openClient();
      return await targetOf(loaded.stored, loaded.config, deps);
    },
    resolve: async (hostname) => await resolveName(hostname, { signal }),
    open: async (hostname, port) => await openPort({ hostname, port }, { signal }),
    handshake: async (hostname, port) => {
      const { protocol, issuer, validUntil } = await shakeHands({ hostname, port }, config().caPem, {
        signal,
      });
      return Object.fromEntries(
        Object.entries({ protocol, issuer, validUntil }).filter(([, value]) => value !== null),
      ) as Record<string, string>;
    },
    ask: async () => {
      const first = await askOnce(config().region);
      if (first.error?.reason !== 'region-mismatch') return first;
      const region = first.error.s3?.region ?? null;
      if (region === null || region === config().region) return first;
      return { ...first, corrected: { region, response: await askOnce(region) } };
    },
    firstPage: async (bucket, prefix) => {
      const page = await openClient().listObjects(
        { bucket, prefix, delimiter: '/', maxKeys: pageEntries },
        { signal, maxTries },
      );
      return { entries: page.objects.length + page.commonPrefixes.length };
    },
    close: async () => {
      await Promise.all(closers.splice(0).map(async (close) => await close()));
    },
  };
}

async function targetOf(
  stored: StoredConnection,
  config: EndpointConfig,
  { env, ports }: Pick<ProbesDeps, 'env' | 'ports'>,
): Promise<TestTarget> {
  const origin = parseEndpointOrigin(config.endpoint);
  const encrypted = origin.protocol === 'https:';
  const proxy = proxyFor(origin, await proxyUrlFor(origin, config.proxyUrl, env, ports.systemProxy), env);
  const direct = {
    hostname: origin.hostname,
    port: origin.port === '' ? (encrypted ? 443 : 80) : Number(origin.port),
  };
  return {
    ...(proxy ?? direct),
    encrypted,
    proxied: proxy !== null,
    anonymous: config.credentials === null,
    region: config.region,
    start: stored.start,
  };
}
