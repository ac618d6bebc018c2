import type { BatchField, BatchForm, BatchPlace } from './batch-form.ts';

/** The objects of a job. */
export interface ChosenForBatch extends BatchPlace {
  /** null: folders are among them, and nobody has counted. */
  readonly count: number | null;
}

/** What the window does for such jobs. */
export interface BatchServices {
  readonly showJob: (jobId: string) => void;
  /** The price list of a connection, to be changed. */
  readonly showPrices: (connectionId: string) => void;
}

/** Changes one field; whoever has a field sees its problem as `error`. */
export interface FieldsProps {
  readonly form: BatchForm;
  readonly onChange: (change: Partial<BatchForm>) => void;
  readonly problemOf: (field: BatchField) => string | null;
}
