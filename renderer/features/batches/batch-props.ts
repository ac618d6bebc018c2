import type { BatchField, BatchForm, BatchPlace } from './batch-form.ts';

/** The objects to create a job for. */
export interface ChosenForBatch extends BatchPlace {
  /** The number of objects, or null if selected folders have not been counted. */
  readonly count: number | null;
}

/** The props of the form's fields. */
export interface FieldsProps {
  readonly form: BatchForm;
  readonly onChange: (change: Partial<BatchForm>) => void;
  readonly problemOf: (field: BatchField) => string | null;
}
