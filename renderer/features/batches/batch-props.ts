import type { BatchField, BatchForm, BatchPlace } from './batch-form.ts';

/** The objects of a job. */
export interface ChosenForBatch extends BatchPlace {
  /** null: the selection contains folders whose objects have not been counted. */
  readonly count: number | null;
}

/** Changes one field. Each field shows its own problem as `error`. */
export interface FieldsProps {
  readonly form: BatchForm;
  readonly onChange: (change: Partial<BatchForm>) => void;
  readonly problemOf: (field: BatchField) => string | null;
}
