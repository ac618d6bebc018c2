import type { Chosen, OperationPlace } from './chosen.ts';

/** The functions of other features that this feature uses. `renderer/app` passes them in. */
export interface OperationServices {
  readonly connectionName: (connectionId: string) => string;
  /** Focuses the list of the folder. */
  readonly focusList: () => void;
  readonly showJob: (jobId: string) => void;
  /** Returns true if this folder is visible and has loaded a row with this kind and key. */
  readonly has: (place: OperationPlace, kind: Chosen['kind'], key: string) => boolean;
  /** Lists a changed folder again and selects the new row. */
  readonly changed: (place: OperationPlace, kind: Chosen['kind'], key: string) => void;
  /** Lists the folder again and selects the new row when the job is done. */
  readonly changedBy: (jobId: string, place: OperationPlace, kind: Chosen['kind'], key: string) => void;
}
