import { expect, test } from 'vitest';
import { call, serve } from './harness.ts';

const tagging = (tags: readonly (readonly [string, string])[]) =>
  `<Tagging><TagSet>${tags.map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`).join('')}</TagSet></Tagging>`;

async function bucketService() {
  const service = await serve();
  await call(service, { method: 'PUT', path: '/bucket' });
  const ask = async (method: string, body?: string) =>
    await call(service, {
      method,
      path: '/bucket',
      query: { tagging: '' },
      ...(body === undefined ? {} : { body }),
    });
  return { service, ask };
}

test('bucket tags are stored as sent, replaced as a whole and deleted', async () => {
  const { ask } = await bucketService();
  expect((await ask('GET')).text).toContain('<Code>NoSuchTagSet</Code>');
  expect(
    (
      await ask(
        'PUT',
        tagging([
          ['team', 'films &amp; photos'],
          ['ключ', ''],
        ]),
      )
    ).status,
  ).toBe(204);
  const { text } = await ask('GET');
  expect(text).toContain('<Key>team</Key><Value>films &amp; photos</Value>');
  expect(text).toContain('<Key>ключ</Key><Value></Value>');
  await ask('PUT', tagging([['only', 'one']]));
  expect((await ask('GET')).text).not.toContain('team');
  expect((await ask('DELETE')).status).toBe(204);
  expect((await ask('GET')).status).toBe(404);
});

test('invalid bucket tags are refused, and the existing ones stay', async () => {
  const { ask } = await bucketService();
  await ask('PUT', tagging([['a', '1']]));
  const many = Array.from({ length: 51 }, (_, at) => [`k${at}`, ''] as const);
  for (const wrong of [
    tagging([
      ['b', '1'],
      ['b', '2'],
    ]),
    tagging([['', '1']]),
    tagging(many),
    '<Tagging/>',
    '<a',
  ])
    expect((await ask('PUT', wrong)).status).toBe(400);
  expect((await ask('GET')).text).toContain('<Key>a</Key><Value>1</Value>');
});

test('a bucket created after one of that name was deleted does not inherit its tags', async () => {
  const { service, ask } = await bucketService();
  await ask('PUT', tagging([['a', '1']]));
  await call(service, { method: 'DELETE', path: '/bucket' });
  await call(service, { method: 'PUT', path: '/bucket' });
  expect((await ask('GET')).status).toBe(404);
});
