import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { addressesOf, freshName } from '../../../electron/browser/addresses.ts';
import { startBrowserServer } from '../../../electron/browser/server.ts';
import { createSessionStore } from '../../../electron/browser/session-store.ts';
import { createImplementer } from '../../../electron/core/handlers/implementer.ts';
import type { CoreRouter } from '../../../electron/core/handlers/router.ts';
import type { Logger } from '../../../electron/core/ports.ts';
import { serveWebSocket } from '../../../electron/core/rpc/websocket.ts';
import { loadWindowFiles } from '../../../electron/host/window-files.ts';
import { contract, type Contract } from '../../../shared/contract/index.ts';

type Inputs = InferContractRouterInputs<Contract>;
type Outputs = InferContractRouterOutputs<Contract>;

/** The responses of a fake core, by feature and call. They are validated by the contract, as those of the real core. */
export type FakeResponses = {
  readonly [Feature in keyof Contract]?: {
    readonly [Call in keyof Contract[Feature]]?: (
      input: Call extends keyof Inputs[Feature] ? Inputs[Feature][Call] : never,
    ) => FakeResponse<Call extends keyof Outputs[Feature] ? Outputs[Feature][Call] : never>;
  };
};
type FakeResponse<Output> =
  Output extends AsyncIterator<infer Event>
    ? AsyncIteratorObject<Event, unknown, void>
    : Output | Promise<Output>;

/** A call that the window made. */
export interface MadeCall {
  /** For example `stalled.abort`. */
  readonly call: string;
  readonly input: unknown;
}

/** The built window on the real browser host, in front of a core that only returns the given responses. */
export interface FakeCore {
  /** Returns an address with a new one-time code. */
  readonly newAddress: () => string;
  /** Replaces the responses of a test by those of the next one, and forgets its calls. */
  readonly answerWith: (...replies: readonly FakeResponses[]) => void;
  /** Returns the inputs of all calls of a name, for example `stalled.abort`, in order. */
  readonly inputsOf: (call: string) => readonly unknown[];
  /** Returns the calls for which the test gave no response. They failed in the window. */
  readonly unanswered: () => readonly string[];
  readonly close: () => Promise<void>;
}

const quiet = (): void => undefined;
const logger: Logger = { error: quiet, warn: quiet, info: quiet, debug: quiet };
const windowDir = path.join(fileURLToPath(new URL('../../..', import.meta.url)), 'dist/window');

export async function startFakeCore(): Promise<FakeCore> {
  let replies: readonly FakeResponses[] = [];
  let made: MadeCall[] = [];
  const unanswered: string[] = [];
  const reply = async (feature: string, name: string, input: unknown): Promise<unknown> => {
    const call = `${feature}.${name}`;
    made.push({ call, input });
    const given = replies.map((part) => answerOf(part, feature, name)).find((found) => found !== undefined);
    if (given === undefined) {
      unanswered.push(call);
      throw new Error(`The test gives no response to ${call}.`);
    }
    return await given(input);
  };
  const router = fakeRouter(reply);
  const name = freshName();
  const files = loadWindowFiles(windowDir);
  const sessions = createSessionStore(() => Date.now());
  const server = await startBrowserServer({
    port: 0,
    name,
    files: () => files,
    sessions,
    served: Promise.resolve({
      serveRpc: (socket) => serveWebSocket(router, socket),
      serveBytes: () => Promise.reject(new Error('A fake core serves no bytes.')),
    }),
    onError: (thrown) => {
      throw thrown;
    },
  });
  return {
    newAddress: () => addressesOf(name, server.port, sessions.issueCode()).named,
    answerWith: (...given) => {
      replies = given;
      made = [];
      unanswered.length = 0;
    },
    inputsOf: (call) => made.filter((each) => each.call === call).map(({ input }) => input),
    unanswered: () => unanswered,
    close: () => server.close(),
  };
}

/** Implements every call of the contract by one function. */
function fakeRouter(reply: (feature: string, name: string, input: unknown) => Promise<unknown>): CoreRouter {
  const os = createImplementer(logger) as unknown as Record<string, Record<string, Handled>>;
  const features = Object.entries(contract).map(([feature, calls]) => [
    feature,
    Object.fromEntries(
      Object.keys(calls).map((name) => [
        name,
        os[feature]?.[name]?.handler(({ input }) => reply(feature, name, input)),
      ]),
    ),
  ]);
  return Object.fromEntries(features) as CoreRouter;
}

interface Handled {
  handler(run: (call: { readonly input: unknown }) => Promise<unknown>): unknown;
}

function answerOf(
  replies: FakeResponses,
  feature: string,
  name: string,
): ((input: unknown) => unknown) | undefined {
  const calls = Reflect.get(replies, feature) as
    Readonly<Record<string, (input: unknown) => unknown>> | undefined;
  return calls?.[name];
}

/** A stream of the core, to which a test adds events for the one window that follows it. */
export class Feed<T> {
  readonly #queued: T[] = [];
  #waiting: ((result: IteratorResult<T, undefined>) => void) | null = null;

  push(event: T): void {
    if (this.#waiting === null) this.#queued.push(event);
    else this.#settle({ done: false, value: event });
  }

  /** Returns the stream, which ends when the window leaves it. */
  stream(): AsyncIteratorObject<T, undefined, void> {
    const end = (): Promise<IteratorResult<T, undefined>> => {
      this.#settle({ done: true, value: undefined });
      return Promise.resolve({ done: true, value: undefined });
    };
    return {
      next: () =>
        new Promise((resolve) => {
          const event = this.#queued.shift();
          this.#waiting = resolve;
          if (event !== undefined) this.#settle({ done: false, value: event });
        }),
      return: end,
      [Symbol.asyncIterator]() {
        return this;
      },
      [Symbol.asyncDispose]: async () => {
        await end();
      },
    };
  }

  #settle(result: IteratorResult<T, undefined>): void {
    this.#waiting?.(result);
    this.#waiting = null;
  }
}
