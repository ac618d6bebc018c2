import { describe, expect, test } from 'vitest';
import {
  beginsWith,
  chooseViewer,
  viewerFactsOf,
} from '../../../../renderer/features/viewers/frame/viewer.ts';
import { viewers } from '../../../../renderer/features/viewers/registry.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const chosen = (name: string, type: string | null, head?: string, encoding: string | null = null) =>
  chooseViewer(viewers, {
    ...viewerFactsOf(name, type, encoding),
    head: head === undefined ? null : bytes(head),
  })?.id ?? null;

describe('choosing the viewer', () => {
  test.each([
    ['a.png', 'image/png', 'image'],
    ['a', 'image/jpg', 'image'],
    ['a', 'IMAGE/PNG; x=y', 'image'],
    ['a.svg', null, 'image'],
    ['a.JPG', 'binary/octet-stream', 'image'],
    ['a.pdf', 'application/octet-stream', 'pdf'],
    ['a', 'application/pdf', 'pdf'],
    ['a.html', 'text/html', 'text'],
    ['a.pdf', 'text/plain', 'text'],
    ['app.log.2024-05-01', null, 'text'],
    ['README', null, 'text'],
    ['Makefile', '', 'text'],
    ['a.js', 'application/javascript', 'text'],
    ['a.ts', 'video/mp2t', 'text'],
    ['a.json', 'text/plain', 'json'],
    ['a', 'application/vnd.api+json', 'json'],
    ['a.jsonl', 'application/json', 'json'],
    ['a.ndjson', null, 'json-lines'],
    ['a.yml', null, 'yaml'],
    ['a.html', 'application/xml', 'text'],
    ['a', 'application/atom+xml', 'xml'],
    ['a', 'application/xhtml+xml', 'text'],
    ['a.tsv', '', 'csv'],
    ['a.md', 'text/plain', 'markdown'],
    ['a.parquet', 'application/octet-stream', 'parquet'],
    ['a.docx', null, 'zip'],
    ['a.tar.gz', null, 'packed'],
    ['a.tar', 'application/x-tar', 'tar'],
    ['constructor', null, null],
    ['a.__proto__', null, null],
    ['', null, null],
  ])('for %s with content type %s', (name, type, id) => {
    expect(chosen(name, type)).toBe(id);
  });

  test('uses the first bytes if name and type are inconclusive', () => {
    expect(chosen('a', null, '\x89PNG\r\n\x1a\n')).toBe('image');
    expect(chosen('a', null, '%PDF-1.7')).toBe('pdf');
    expect(chosen('a', null, 'Dear all,\n')).toBe('text');
    expect(chosen('a', null, '<svg xmlns="x">')).toBe('image');
    expect(chosen('a', null, 'PK\x03\x04')).toBe('zip');
    expect(chosen('a', null, 'PAR1')).toBe('parquet');
    expect(chosen('a', null, '\x1f\x8b\x08')).toBe('packed');
    expect(chosen('a', null, '\0\x01\x02')).toBeNull();
    // A specific content type takes precedence over the content.
    expect(chosen('a', 'image/png', '%PDF-1.7')).toBe('image');
  });

  test('handles content encodings that can be decoded, and explains others', () => {
    expect(chosen('a.txt', 'text/plain', undefined, 'br')).toBe('packed');
    expect(chosen('a.txt', 'text/plain', undefined, 'compress')).toBe('packed');
  });

  test('has no two viewers with the same id', () => {
    expect(new Set(viewers.map(({ id }) => id)).size).toBe(viewers.length);
  });
});

test('magic bytes are compared bytewise and never beyond the end', () => {
  expect(beginsWith(bytes('RIFFxxxxWEBP'), 'RIFF????WEBP')).toBe(true);
  expect(beginsWith(bytes('RIFFxxxxWEB'), 'RIFF????WEBP')).toBe(false);
  expect(beginsWith(bytes('xxRIFF'), 'RIFF', 2)).toBe(true);
});
