import {
  startService as startPlainService,
  type Service as PlainService,
  type ServiceOptions as PlainOptions,
} from '../../../electron/service/server.ts';
import { Faults } from './faults.ts';
import { faultInterceptor } from './fault-interceptor.ts';

export { noQuirks, Store, DataFolderInUse } from '../../../electron/service/server.ts';
export type { Operation, Quirks, ServiceCredentials } from '../../../electron/service/server.ts';
export { Faults } from './faults.ts';
export type { FaultAction, FaultHandle, FaultRule, JournalEntry } from './faults.ts';

export interface ServiceOptions extends Omit<PlainOptions, 'intercept'> {
  readonly faults?: Faults;
}

export interface Service extends PlainService {
  readonly faults: Faults;
}

/** Starts the embedded service with fault injection. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { faults = new Faults({ journalLength: 1000 }), clock, ...rest } = options;
  const service = await startPlainService({
    ...rest,
    clock: { nowMs: () => (clock?.nowMs() ?? Date.now()) + faults.clockOffsetMs },
    intercept: faultInterceptor(faults),
  });
  return { ...service, faults };
}
