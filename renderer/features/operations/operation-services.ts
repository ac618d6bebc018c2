import type { Chosen, OperationPlace } from './chosen.ts';

/** Functions of other features, passed in by the application. */
export interface OperationServices {
  readonly connectionName: (connectionId: string) => string;
  /** Focuses the list of the folder. */
  readonly focusList: () => void;
  readonly showJob: (jobId: string) => void;
  /** Returns true if the visible folder is this one and has such a row loaded. */
  readonly has: (place: OperationPlace, kind: Chosen['kind'], key: string) => boolean;
  /** Lists a changed folder again and selects the new row. */
  readonly changed: (place: OperationPlace, kind: Chosen['kind'], key: string) => void;
  /** Does the same once the job is done. */
  readonly changedBy: (jobId: string, place: OperationPlace, kind: Chosen['kind'], key: string) => void;
}
