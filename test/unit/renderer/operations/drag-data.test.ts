import { assert, pre, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import {
  dragData,
  dragsRows,
  dragType,
  endedOutside,
  randomTicket,
} from '../../../../renderer/features/operations/drag-data.ts';

const place = { connectionId: 'c', bucket: 'b', folder: 'p/' };
const origin = 'http://127.0.0.1:4000/#x';
const ticket = 'T'.repeat(22);

function dataOf(...keys: readonly string[]) {
  const rows = keys.map((key) => ({
    kind: key.endsWith('/') ? ('folder' as const) : ('object' as const),
    key,
    sizeBytes: 1,
  }));
  return dragData(place, rows, origin, () => ticket);
}

test('dragging one object offers a one-time download URL besides its s3 address', () => {
  expect(dataOf('p/ü b.txt')).toEqual({
    types: {
      'text/plain': 's3://b/p/ü b.txt',
      'text/uri-list': 's3://b/p/%C3%BC%20b.txt',
      DownloadURL: `application/octet-stream:ü b.txt:http://127.0.0.1:4000/bytes/${ticket}`,
    },
    offer: { key: 'p/ü b.txt', ticket },
  });
});

test('dragging several rows or folders offers only their addresses', () => {
  expect(dataOf('p/a', 'p/d/')).toEqual({
    types: { 'text/plain': 's3://b/p/a\ns3://b/p/d/', 'text/uri-list': 's3://b/p/a\r\ns3://b/p/d/' },
    offer: null,
  });
  expect(dataOf('p/d/').offer).toBeNull();
});

test('dragging an object in the desktop app offers no download, which the main process would refuse', () => {
  const rows = [{ kind: 'object' as const, key: 'p/a', sizeBytes: 1 }];
  expect(dragData(place, rows, 'cooper://app/', () => ticket)).toEqual({
    types: { 'text/plain': 's3://b/p/a', 'text/uri-list': 's3://b/p/a' },
    offer: null,
  });
});

test('the drag data of any key is a valid URL in the expected fields and lines', () => {
  assert(
    property(string({ unit: 'binary', minLength: 1 }), (name) => {
      pre(!name.endsWith('/'));
      const { types } = dataOf(`p/${name}`);
      const [type, file, ...address] = (types['DownloadURL'] ?? '').split(':');
      expect([type, address.join(':')]).toEqual([
        'application/octet-stream',
        `http://127.0.0.1:4000/bytes/${ticket}`,
      ]);
      expect(file).not.toMatch(/[/\\\r\n]/);
      expect((types['text/uri-list'] ?? '').split('\r\n')).toHaveLength(1);
      expect(URL.canParse(types['text/uri-list'] ?? '')).toBe(true);
    }),
  );
});

test('random tickets have the format of the core and never repeat', () => {
  const made = Array.from({ length: 200 }, () => randomTicket());
  expect(made.every((ticket) => /^[A-Za-z0-9_-]{22}$/.test(ticket))).toBe(true);
  expect(new Set(made).size).toBe(200);
});

test.each([
  ['beyond the right edge', 800, 10, 'none', true],
  ['below the bottom edge', 10, 600, 'none', true],
  ['left of the window', -1, 10, 'none', true],
  ['inside the window', 799, 599, 'none', false],
  ['cancelled by Escape, which reports no position', 0, 0, 'none', false],
  ['outside, where another program took the addresses', 900, 10, 'copy', false],
] as const)(
  'a drag that ends %s counts as dropped outside only if no drop target accepted it',
  (_where, x, y, dropEffect, isOutside) => {
    const end = { clientX: x, clientY: y, dataTransfer: { dropEffect } };
    expect(endedOutside(end, { innerWidth: 800, innerHeight: 600 })).toBe(isOutside);
  },
);

test('a drag that ends without data does not count as dropped outside', () => {
  const end = { clientX: -5, clientY: -5, dataTransfer: null };
  expect(endedOutside(end, { innerWidth: 800, innerHeight: 600 })).toBe(false);
});

const drag = (...types: readonly string[]) => ({ dataTransfer: { types } });

test('only a drag with the type of rows drags rows of this window', () => {
  expect(dragsRows(drag('text/plain', dragType))).toBe(true);
  expect(dragsRows(drag('Files'))).toBe(false);
  expect(dragsRows(drag('application/x-cooper-connection'))).toBe(false);
  expect(dragsRows({ dataTransfer: null })).toBe(false);
});
