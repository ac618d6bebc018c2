import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The observed behaviour of a service in details where services differ. */
export interface Observations {
  readonly name: string;
  readonly seen: Readonly<Record<string, string>>;
}

export class Notebook {
  readonly #name: string;
  readonly #seen: Record<string, string> = {};

  constructor(name: string) {
    this.#name = name;
  }

  note(name: string, value: string | number | boolean | null): void {
    this.#seen[name] = String(value);
  }

  write(file: string): void {
    mkdirSync(dirname(file), { recursive: true });
    const observations: Observations = { name: this.#name, seen: this.#seen };
    writeFileSync(file, `${JSON.stringify(observations, null, 2)}\n`);
  }
}
