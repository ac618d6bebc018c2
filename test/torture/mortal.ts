import type { StoreHooks } from '../../electron/core/jobs/job-store.ts';
import type { S3Client } from '../../electron/core/s3/model/s3-client.ts';

/** A killed process does nothing, ever again. */
export class Killed extends Error {
  constructor() {
    super('killed');
    this.name = 'Killed';
  }
}

/** Returns true for the functions of a client that send nothing and return no promise. */
function isLocal(name: string): boolean {
  return (['defaultEncryption', 'objectUrl'] satisfies (keyof S3Client)[] as string[]).includes(name);
}

/** One life of the core. It ends at a chosen point: before or after a write of the store, before or after a request. */
export class Life {
  #pointsLeft: number;
  #isOver = false;
  points = 0;
  lastPoint = '';

  /** null: it lives for ever. */
  constructor(pointsToLive: number | null) {
    this.#pointsLeft = pointsToLive ?? Number.POSITIVE_INFINITY;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Passes a point at which the process may die. */
  pass(name: string): void {
    if (this.#isOver) throw new Killed();
    this.points += 1;
    this.lastPoint = name;
    this.#pointsLeft -= 1;
    if (this.#pointsLeft > 0) return;
    this.#isOver = true;
    throw new Killed();
  }

  readonly storeHooks: StoreHooks = { onTransaction: (when) => this.pass(`${when} a write`) };

  /** A client whose every request has two points. */
  wrap(client: S3Client, onRequest: (name: string, when: 'begins' | 'ends') => void): S3Client {
    return new Proxy(client, {
      get: (target, property, receiver) => {
        const member: unknown = Reflect.get(target, property, receiver);
        if (typeof member !== 'function' || typeof property !== 'string' || isLocal(property)) return member;
        return async (...parameters: unknown[]): Promise<unknown> => {
          this.pass(`before ${property}`);
          onRequest(property, 'begins');
          try {
            return (await Reflect.apply(member, target, parameters)) as unknown;
          } finally {
            onRequest(property, 'ends');
            this.pass(`after ${property}`);
          }
        };
      },
    });
  }
}
