import { describe, expect, test } from 'vitest';
import { nameDecoder } from '../../../../renderer/features/viewers/archive/entry-names.ts';
import { detectEncoding } from '../../../../renderer/features/viewers/encoding/detect-encoding.ts';
import { encodeText } from '../../../../renderer/features/viewers/text/editable-text.ts';
import {
  decodeText,
  textEncodings,
  type TextEncoding,
} from '../../../../renderer/features/viewers/encoding/text-encoding.ts';

const russian =
  'Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. Всё смешалось в доме.';
const japanese = '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。';
const chinese = '学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？';
const traditional = '學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？';
const korean = '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.';
const french =
  'Longtemps, je me suis couché de bonne heure. Parfois, à peine ma bougie éteinte, mes yeux se fermaient.';

const bytesIn = (text: string, encoding: TextEncoding): Uint8Array => {
  const bytes = encodeText(text, { encoding, markBytes: 0 });
  if (bytes === null) throw new Error(`${encoding} lacks a character.`);
  return bytes;
};

describe('the encoding of a text', () => {
  test.each([
    ['utf-8', russian],
    ['utf-16le', russian],
    ['utf-16be', russian],
    ['utf-16le', french],
    ['utf-16be', 'a,b\n1,2\n'],
    ['windows-1252', french],
    ['windows-1251', russian],
    ['koi8-r', russian],
    ['shift_jis', japanese],
    ['euc-jp', japanese],
    ['gb18030', chinese],
    ['big5', traditional],
    ['euc-kr', korean],
  ] as const)('is detected as %s without a byte order mark', (encoding, text) => {
    const bytes = bytesIn(text, encoding);
    const found = detectEncoding(bytes);
    expect(found).toEqual({ encoding, markBytes: 0 });
    expect(decodeText(bytes, found)).toBe(text);
  });

  test.each([
    ['a dash', 'A plan – of two years – is due.'],
    ['quotes and an ellipsis', '“Why not…”, he said. “Well…”'],
    ['accents', 'Más café, por favor: ¿qué está ahí? Ü.'],
    ['one letter', 'aÿ'],
    ['signs', '© 2020 Meyer • All rights • 20 € • 5 ° • ½'],
  ])('is windows-1252 for a short text with %s', (_, text) => {
    expect(detectEncoding(bytesIn(text, 'windows-1252')).encoding).toBe('windows-1252');
  });

  test('is detected beyond a long start of ASCII', () => {
    const bytes = bytesIn(`${'plain line\n'.repeat(20_000)}${russian}`, 'koi8-r');
    expect(detectEncoding(bytes).encoding).toBe('koi8-r');
  });

  test.each([
    ['windows-1251', 'koi8-r'],
    ['ISO-8859-1', 'windows-1252'],
    ['GBK', 'gb18030'],
    ['UTF-16', 'utf-8'],
    ['nonsense', 'utf-8'],
  ] as const)('declared by XML as %s is used for single-byte text', (label, other) => {
    const bytes = new TextEncoder().encode(`<?xml version="1.0" encoding="${label}"?><a/>`);
    const expected = label === 'windows-1251' ? 'windows-1251' : other;
    expect(detectEncoding(bytes).encoding).toBe(expected);
  });

  test('set by the user takes precedence, and a mark of that encoding is skipped', () => {
    const marked = Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]);
    expect(detectEncoding(marked, 'utf-8')).toEqual({ encoding: 'utf-8', markBytes: 3 });
    expect(detectEncoding(marked, 'windows-1251')).toEqual({ encoding: 'windows-1251', markBytes: 0 });
  });

  test('is not UTF-16 for binary data with zeros', () => {
    const bytes = Uint8Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? at % 251 : 0));
    expect(detectEncoding(bytes).encoding).not.toBe('utf-16le');
  });

  test.each(textEncodings.filter((encoding) => encoding !== 'iso-2022-jp'))(
    '%s decodes what it encodes',
    (encoding) => {
      const text = 'Plain text, 123.\n';
      expect(decodeText(bytesIn(text, encoding), { encoding, markBytes: 0 })).toBe(text);
    },
  );

  test('with shift states is read-only', () => {
    expect(encodeText('a', { encoding: 'iso-2022-jp', markBytes: 0 })).toBeNull();
  });
});

describe('file names in an archive', () => {
  test.each([
    ['zip', 'ibm866', ['отчёт за год.txt', 'папка/файл.doc']],
    ['zip', 'windows-1251', ['отчет за год.txt', 'папка/файл.doc']],
    ['tar', 'koi8-r', ['отчёт за прошлый год.txt', 'новая папка/список файлов.doc']],
    ['tar', 'koi8-r', ['Документы/Отчёт за год.txt', 'Письмо директору.txt']],
    ['zip', 'koi8-r', ['Документы/Отчёт за год.txt', 'Письмо директору.txt']],
    ['tar', 'ibm866', ['Документы/Отчёт за год.txt', 'Письмо директору.txt']],
    ['tar', 'iso-8859-5', ['Документы/Отчет за год.txt', 'Письмо директору.txt']],
    ['tar', 'windows-1251', ['ОТЧЁТ.TXT', 'План № 5 «Север».txt']],
    [
      'zip',
      'shift_jis',
      ['新しいフォルダー/日本語のファイル.txt', '吾輩は猫である.txt', 'どこで生れたか.txt'],
    ],
  ] as const)('of a %s in %s are decoded', (format, encoding, names) => {
    const raw = names.map((name) => bytesIn(name, encoding));
    const decode = nameDecoder(raw, format, null);
    expect(raw.map(decode)).toEqual(names);
  });

  test('from Western MS-DOS are decoded as code page 437', () => {
    const raw = [Uint8Array.from([0x72, 0x82, 0x73, 0x75, 0x6d, 0x82, 0x2e, 0x74, 0x78, 0x74])];
    expect(raw.map(nameDecoder(raw, 'zip', null))).toEqual(['résumé.txt']);
  });

  test('are decoded as the user has set, except valid UTF-8', () => {
    const raw = [bytesIn('файл', 'koi8-r'), new TextEncoder().encode('имя')];
    expect(raw.map(nameDecoder(raw, 'zip', 'koi8-r'))).toEqual(['файл', 'имя']);
  });
});
