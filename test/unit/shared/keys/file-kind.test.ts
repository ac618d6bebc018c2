import { expect, test } from 'vitest';
import { isDocumentName } from '../../../../shared/keys/file-kind.ts';

test.each(['a.txt', 'x/y/Letter.DOCX', 'photo.jpeg', 'a.b.pdf'])('%s is opened as a document', (key) => {
  expect(isDocumentName(key)).toBe(true);
});

test.each([
  '',
  'a',
  '.pdf',
  'x/.pdf',
  'a.pdf/',
  'a.pdf.exe',
  'a.',
  'a.html',
  'a.svg',
  'a.docm',
  'a.doc',
  'a.xls',
  'a.ppt',
  'a.zip',
  'pdf',
])('%j is not opened as a document', (key) => {
  expect(isDocumentName(key)).toBe(false);
});
