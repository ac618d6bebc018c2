import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { ServerName } from './setup.ts';

/** The events of part of a run. Each is written as one JSON line, and lines can be summed over runs and processes. */
export interface Figures {
  readonly server: ServerName;
  readonly schedules: number;
  readonly kills: number;
  /** The number of faults that were played, not only planned. */
  readonly faults: number;
  /** The seeds of the schedules with violations. */
  readonly wrong: readonly number[];
}

export function appendFigures(file: string, figures: Figures, nowMs: number): void {
  appendFileSync(file, `${JSON.stringify({ at: new Date(nowMs).toISOString(), ...figures })}\n`);
}

/** Returns a line for each server, and one for all servers together. */
export function sumOfFigures(lines: readonly Figures[]): readonly string[] {
  const line = (name: string, those: readonly Figures[]): string => {
    const sum = (of: (figures: Figures) => number): string =>
      those.reduce((total, figures) => total + of(figures), 0).toLocaleString('en');
    const wrong = sum((figures) => figures.wrong.length);
    return `${name}: ${sum(({ schedules }) => schedules)} schedules, ${sum(({ kills }) => kills)} kills, ${sum(({ faults }) => faults)} faults played, ${wrong} went wrong`;
  };
  const servers = [...new Set(lines.map(({ server }) => server))].toSorted();
  return [
    ...servers.map((name) =>
      line(
        name,
        lines.filter(({ server }) => server === name),
      ),
    ),
    line('all', lines),
  ];
}

export function readFigures(file: string): readonly Figures[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Figures);
}
