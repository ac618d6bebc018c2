import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { askOnce } from '../../ui/asked-worker.ts';
import { nameOf, type Chosen } from './chosen.ts';
import { expressionOf, patternedNames, type RenamePattern } from './name-pattern.ts';
import type { RenameRequest } from './rename-worker.ts';

/** The new names. Null while a regular expression is applied, `too-slow` if it exceeded the time limit. */
export type NewNames = readonly string[] | 'bad-regex' | 'too-slow' | null;

/** Limit in milliseconds on the time for applying a regular expression to all selected objects. */
const maxRegexMs = 2000;

/** Returns the new names of objects, in the order of the rows. */
export function useNewNames(rows: readonly Chosen[], pattern: RenamePattern): NewNames {
  const names = useMemo(() => rows.map(nameOf), [rows]);
  const isRegex = pattern.isRegex && pattern.find !== '';
  const isBad = isRegex && expressionOf(pattern.find) === null;
  const plain = useMemo(() => (isRegex ? null : patternedNames(names, pattern)), [isRegex, names, pattern]);
  const byRegex = useQuery({
    queryKey: ['new-names', useId(), pattern],
    queryFn: async ({ signal }) =>
      (await askOnce<RenameRequest, readonly string[]>(
        new Worker(new URL('./rename-worker.ts', import.meta.url), { type: 'module' }),
        { names, pattern },
        { signal, silentMs: maxRegexMs },
      )) ?? 'too-slow',
    enabled: isRegex && !isBad,
    networkMode: 'always',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  if (isBad) return 'bad-regex';
  return isRegex ? (byRegex.data ?? null) : plain;
}
