/**
 * The ways to find names. `filter` searches the loaded rows. With `startsWith`, the service lists matching names in this folder.
 * `below` starts a search in this folder and all folders below it.
 */
export const findChoices = ['filter', 'startsWith', 'below'] as const;
export type FindChoice = (typeof findChoices)[number];

export interface Find {
  readonly choice: FindChoice;
  readonly text: string;
}

/** The find field above a folder's list, and the location at the last render. */
export interface FindState {
  /** Identifies the folder, regardless of `startsWith`. */
  readonly home: string;
  readonly startsWith: string;
  /** The prefix that the field itself requested. Navigation to this prefix does not change the field. */
  readonly requestedPrefix: string | null;
  /** The content of the field, or null while it is closed. */
  readonly find: Find | null;
}

export function findAt(home: string, startsWith: string): FindState {
  return {
    home,
    startsWith,
    requestedPrefix: null,
    find: startsWith === '' ? null : { choice: 'startsWith', text: startsWith },
  };
}

/** Returns the state after navigation. Another folder closes the field, and a location with `startsWith` opens it. */
export function findArrived(state: FindState, home: string, startsWith: string): FindState {
  if (state.home !== home) return findAt(home, startsWith);
  if (state.startsWith === startsWith) return state;
  if (state.requestedPrefix === startsWith) return { ...state, startsWith };
  const { find } = state;
  const stays = startsWith === '' && find?.choice !== 'startsWith';
  return stays ? { ...state, startsWith, requestedPrefix: null } : findAt(home, startsWith);
}

/** Returns the next of the available choices, wrapping around. */
export function nextChoice(choice: FindChoice, choices: readonly FindChoice[] = findChoices): FindChoice {
  return choices[(choices.indexOf(choice) + 1) % choices.length] ?? 'filter';
}
