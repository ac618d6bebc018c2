/**
 * How names are found. `filter`: among the loaded rows. `startsWith`: by the service, in this folder. `below`: by a search
 * through this folder and all below it.
 */
export const findChoices = ['filter', 'startsWith', 'below'] as const;
export type FindChoice = (typeof findChoices)[number];

export interface Find {
  readonly choice: FindChoice;
  readonly text: string;
}

/** The field above a folder's list, and the place at the last render. */
export interface FindState {
  /** Identifies the folder, regardless of `startsWith`. */
  readonly home: string;
  readonly startsWith: string;
  /** The prefix that the field itself requested: the resulting place does not change the field. */
  readonly asked: string | null;
  /** null: the field is closed. */
  readonly find: Find | null;
}

export function findAt(home: string, startsWith: string): FindState {
  return {
    home,
    startsWith,
    asked: null,
    find: startsWith === '' ? null : { choice: 'startsWith', text: startsWith },
  };
}

/** Returns the state after navigation: another folder closes the field, a place with `startsWith` opens it. */
export function findArrived(state: FindState, home: string, startsWith: string): FindState {
  if (state.home !== home) return findAt(home, startsWith);
  if (state.startsWith === startsWith) return state;
  if (state.asked === startsWith) return { ...state, startsWith };
  const { find } = state;
  const stays = startsWith === '' && find?.choice !== 'startsWith';
  return stays ? { ...state, startsWith, asked: null } : findAt(home, startsWith);
}

/** Returns the next choice, wrapping around. */
export function nextChoice(choice: FindChoice): FindChoice {
  return findChoices[(findChoices.indexOf(choice) + 1) % findChoices.length] ?? 'filter';
}
