import type { Clock, SystemProxy } from '../core/ports.ts';
import { failure } from '../../shared/errors.ts';

/** The time in ms for which the system's answer is cached. Its settings and the network may change while the program runs. */
const cacheForMs = 60_000;
/** The time in ms for which a failed proxy is avoided, as in Chromium (net/proxy_resolution, `kDefaultProxyRetryDelay`). */
const avoidedForMs = 5 * 60_000;

/** The URL scheme for each type of proxy in a PAC file. `SOCKS` means version 4, which is not supported. */
const schemes: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
};

/**
 * Returns the proxies in a PAC file's rules (`PROXY a:8080; DIRECT`) as addresses, in order; null means a direct connection.
 */
export function proxiesIn(rules: string): readonly (string | null)[] {
  return rules.split(';').flatMap((rule) => {
    const [kind = '', host = ''] = rule.trim().split(/\s+/u);
    if (kind.toUpperCase() === 'DIRECT') return [null];
    const scheme = schemes[kind.toUpperCase()];
    return scheme === undefined || host === '' ? [] : [`${scheme}://${host}`];
  });
}

/** Chooses one of the proxies that the system returns for an address, from its settings and PAC files. */
export function systemProxy(
  resolve: (url: string) => Promise<string>,
  clock: Pick<Clock, 'monotonicMs'>,
): SystemProxy {
  const cachedRules = new Map<string, { readonly untilMs: number; readonly rules: Promise<string> }>();
  const avoidedUntilMs = new Map<string, number>();

  const rulesFor = async (origin: string): Promise<string> => {
    const nowMs = clock.monotonicMs();
    const last = cachedRules.get(origin);
    if (last !== undefined && nowMs < last.untilMs) return await last.rules;
    const rules = resolve(`${origin}/`);
    cachedRules.set(origin, { untilMs: nowMs + cacheForMs, rules });
    // Failures are not cached.
    rules.catch(() => cachedRules.delete(origin));
    return await rules;
  };
  const isAvoided = (proxy: string | null): boolean =>
    proxy !== null && (avoidedUntilMs.get(proxy) ?? 0) > clock.monotonicMs();

  return {
    routeTo: async (origin) => {
      const rules = await rulesFor(origin);
      const proxies = proxiesIn(rules);
      const [first] = proxies;
      if (first === undefined)
        throw failure(
          'invalid-argument',
          "The system's proxy settings contain only unsupported kinds of proxy.",
          { retry: 'after-fix', reason: 'proxy-invalid' },
        );
      const usable = proxies.find((proxy) => !isAvoided(proxy));
      return usable === undefined ? first : usable;
    },
    avoid: (proxy) => {
      avoidedUntilMs.set(proxy, clock.monotonicMs() + avoidedForMs);
    },
  };
}
