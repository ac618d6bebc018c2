import { EnvHttpProxyAgent, request } from 'undici';
import { detailOf, errnoOf } from '../../../electron/host/problem.ts';

const connectWithinMs = 10_000;

/** Returns null if the address responds (with `anyAnswer`, even with an error), otherwise a short reason. */
export async function whyUnreachable(
  address: string,
  options: { readonly anyAnswer?: boolean } = {},
): Promise<string | null> {
  const agent = new EnvHttpProxyAgent({ connect: { timeout: connectWithinMs } });
  try {
    const answer = await request(address, {
      method: 'HEAD',
      dispatcher: agent,
      signal: AbortSignal.timeout(connectWithinMs),
    });
    await answer.body.dump();
    if (answer.statusCode < 400 || options.anyAnswer === true) return null;
    return `${new URL(address).host} answered ${String(answer.statusCode)}`;
  } catch (thrown) {
    return `${hostOf(address)} cannot be reached: ${errnoOf(thrown) ?? detailOf(thrown)}`;
  } finally {
    await agent.destroy();
  }
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
