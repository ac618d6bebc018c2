import { CancelledError } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createQueryClient } from '../../../../renderer/rpc/query-client.ts';

test('a removed query releases its data and is fetched again when needed', async () => {
  const released: unknown[] = [];
  const queries = createQueryClient(({ state }) => released.push(state.data));
  let asked = 0;
  const folder = { queryKey: ['folder'], queryFn: () => Promise.resolve(`rows ${String((asked += 1))}`) };
  expect(await queries.fetchQuery(folder)).toBe('rows 1');
  queries.setQueryData(['folder'], 'rows, and more');
  const query = queries.getQueryCache().find({ queryKey: ['folder'] });
  queries.removeQueries({ queryKey: ['folder'] });
  expect(released).toEqual(['rows, and more']);
  expect(query?.state.data).toBeUndefined();
  // An aborted fetch does not restore the removed data either.
  const given = query?.fetch({ ...folder, queryFn: () => new Promise<never>(() => undefined) });
  await query?.cancel({ revert: true, silent: true });
  await expect(given).rejects.toBeInstanceOf(CancelledError);
  expect(query?.state.data).toBeUndefined();
  expect(queries.getQueryData(['folder'])).toBeUndefined();
  expect(await queries.fetchQuery(folder)).toBe('rows 2');
});
