import { failure } from '../../../shared/errors.ts';
import type { Values } from '../store/values.ts';

const maxValueBytes = 256 * 1024;

/** JSON, as sent by the window. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface ViewState {
  get(name: string): Json;
  set(name: string, value: Json): void;
}

/** Stores state that the window restores after a reload. The core does not interpret it. */
export function createViewState(values: Values): ViewState {
  return {
    get: (name) => (values.get(name) ?? null) as Json,
    set: (name, value) => {
      if (Buffer.byteLength(JSON.stringify(value)) > maxValueBytes) {
        throw failure(
          'invalid-argument',
          `The state of the view "${name}" is larger than 256 KiB and was not kept.`,
          { reason: 'view-too-large' },
        );
      }
      values.set(name, value);
    },
  };
}
