import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { TestStep, ConnectionInput } from '../../../../shared/models/connection.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { rpc } from '../../../rpc/client.ts';
import { withStep } from '../model/explain-test.ts';

export type TestRun =
  | { readonly state: 'idle' }
  | {
      readonly state: 'running' | 'done' | 'stopped';
      readonly steps: readonly TestStep[];
      /** The tested settings, which the explanations mention. */
      readonly input: ConnectionInput;
    }
  /** The test itself could not run: the core is unreachable, or rejected the settings as a whole. */
  | { readonly state: 'broken'; readonly error: AppError };

export type ConnectionTest = ReturnType<typeof useConnectionTest>;

/** Runs "Test connection" and collects the results of its steps. Stops when the component unmounts. */
export function useConnectionTest() {
  const [run, setRun] = useState<TestRun>({ state: 'idle' });
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);

  const start = useCallback((connectionId: string | null, input: ConnectionInput) => {
    aborter.current?.abort();
    const mine = new AbortController();
    aborter.current = mine;
    setRun({ state: 'running', steps: [], input });
    void follow(connectionId, input, mine.signal, setRun);
  }, []);

  const stop = useCallback(() => {
    aborter.current?.abort();
    setRun((now) => (now.state === 'running' ? { ...now, state: 'stopped' } : now));
  }, []);

  /** Stops the test and removes its results. Call it when the settings under test change. */
  const clear = useCallback(() => {
    aborter.current?.abort();
    setRun({ state: 'idle' });
  }, []);

  return { run, start, stop, clear };
}

async function follow(
  connectionId: string | null,
  input: ConnectionInput,
  signal: AbortSignal,
  report: (run: TestRun) => void,
): Promise<void> {
  let steps: readonly TestStep[] = [];
  try {
    for await (const step of await rpc.connections.test({ connectionId, input }, { signal })) {
      if (signal.aborted) return;
      steps = withStep(steps, step);
      report({ state: 'running', steps, input });
    }
    if (!signal.aborted) report({ state: 'done', steps, input });
  } catch (error) {
    if (!signal.aborted) report({ state: 'broken', error: appErrorOf(error) });
  }
}
