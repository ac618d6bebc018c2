import { toAppError } from '../../../shared/errors.ts';
import { createExecutor } from '../s3/http/executor.ts';
import { repeatable, type ExecutorDeps } from '../s3/http/s3-operation.ts';
import { createTransport } from '../s3/http/transport.ts';
import type { EndpointConfig } from '../s3/model/connection-types.ts';
import type { RequestOptions } from '../s3/model/request-types.ts';
import { readBuckets } from '../s3/xml/listing-response.ts';
import type { TestedResponse } from './connection-test.ts';

/**
 * Lists the buckets once. Reports a wrong region and a wrong clock, which a client would correct silently. Returns the service's
 * error. Throws `AppError('invalid-argument')` for an unusable configuration, and `AppError('cancelled')`.
 */
export async function askService(
  config: EndpointConfig,
  deps: Omit<ExecutorDeps, 'clockOffset'>,
  options: RequestOptions,
): Promise<TestedResponse> {
  const clockOffset = { offsetMs: 0 };
  const transport = createTransport(config, undefined, deps.systemProxy);
  const executor = createExecutor(config, { ...deps, clockOffset }, transport);
  let dateMs = Number.NaN;
  try {
    const buckets = await executor.execute(
      repeatable({
        name: 'ListBuckets',
        method: 'GET',
        // With a fixed region, the executor does not follow a redirect to another one.
        ...(config.region === null ? {} : { region: config.region }),
      }),
      options,
      async (response) => {
        dateMs = Date.parse(response.header('date') ?? '');
        return readBuckets(await response.xml('ListAllMyBucketsResult')).buckets.map(({ name }) => name);
      },
    );
    return { error: null, buckets, clockDifferenceMs: difference(), corrected: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled' || error.code === 'internal') throw thrown;
    return { error, buckets: [], clockDifferenceMs: difference(), corrected: null };
  } finally {
    await executor.close();
  }

  function difference(): number | null {
    // The offset was learned from a refusal. After a success, the Date header shows the difference.
    if (clockOffset.offsetMs !== 0) return -clockOffset.offsetMs;
    return Number.isNaN(dateMs) ? null : deps.clock.nowMs() - dateMs;
  }
}
