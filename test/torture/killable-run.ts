import type { StoreHooks } from '../../electron/core/store/transacted-database.ts';
import type { S3Client } from '../../electron/core/s3/model/s3-client.ts';

/** Thrown by every step that a killed run of the core still attempts. */
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

/** One run of the core, killed at a chosen point: before or after a write of the store, before or after a request. */
export class KillableRun {
  #pointsLeft: number;
  #isKilled = false;
  points = 0;
  lastPoint = '';

  /** Takes the number of points until the kill, or null for a run that is never killed. */
  constructor(pointsUntilKill: number | null) {
    this.#pointsLeft = pointsUntilKill ?? Number.POSITIVE_INFINITY;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Passes a point at which the run may be killed. Throws `Killed` at the chosen point and at every later one. */
  pass(name: string): void {
    if (this.#isKilled) throw new Killed();
    this.points += 1;
    this.lastPoint = name;
    this.#pointsLeft -= 1;
    if (this.#pointsLeft > 0) return;
    this.#isKilled = true;
    throw new Killed();
  }

  readonly storeHooks: StoreHooks = { onTransaction: (when) => this.pass(`${when} a write`) };

  /** Returns a client whose every request has two points: before it begins and after it ends. */
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
