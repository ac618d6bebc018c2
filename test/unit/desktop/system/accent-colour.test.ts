import { expect, test } from 'vitest';
import { accentOf } from '../../../../electron/desktop/system/accent-colour.ts';

test("Electron's accent colour is read without alpha, and an invalid or invisible one as null", () => {
  expect(accentOf('0078D4FF')).toBe('#0078d4');
  expect(accentOf('#0078d480')).toBe('#0078d4');
  expect(accentOf('0078d4')).toBe('#0078d4');
  for (const none of ['', '00000000', '#0078d400', 'blue', '0078d', 'url(x)0078d4ff'])
    expect(accentOf(none)).toBeNull();
});
