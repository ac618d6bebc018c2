import type { Chosen, OperationPlace } from './chosen.ts';

/** Functions of other features, passed in by the application. */
export interface OperationServices {
  readonly connectionName: (connectionId: string) => string;
  /** Gives the keyboard to the list of the folder. */
  readonly focusList: () => void;
  readonly showJob: (jobId: string) => void;
  /** Returns true if the visible folder is this one and has such a row loaded. */
  readonly has: (place: OperationPlace, kind: Chosen['kind'], key: string) => boolean;
  /** Something in this folder was changed: it looks again, and selects the row that came. */
  readonly changed: (place: OperationPlace, kind: Chosen['kind'], key: string) => void;
  /** The same, once the job is done. */
  readonly changedBy: (jobId: string, place: OperationPlace, kind: Chosen['kind'], key: string) => void;
}
