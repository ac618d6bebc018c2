import { useState } from 'react';
import type { ViewedFile } from '../frame/viewer.ts';
import type { TextEncoding } from './text-encoding.ts';

const memoryKey = 'text-encoding';

export interface EncodingChoice {
  /** Null for the detected encoding. */
  readonly chosen: TextEncoding | null;
  readonly choose: (encoding: TextEncoding) => void;
}

/** Returns the encoding that the user has set for a file. It is kept when another viewer or another version shows the file. */
export function useEncoding({ object }: ViewedFile): EncodingChoice {
  const [chosen, setChosen] = useState(
    () => (object?.memory.get(memoryKey) as TextEncoding | undefined) ?? null,
  );
  return {
    chosen,
    choose: (encoding) => {
      object?.memory.set(memoryKey, encoding);
      setChosen(encoding);
    },
  };
}
