import { encodePng } from '../../../electron/service/samples/landscape.ts';
import { sampleFormats } from '../../../electron/service/samples/formats.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { heicWith } from '../files/heic-file.ts';
import { exifBytes, withExif } from '../files/exif-bytes.ts';
import { svgOfUses } from './svg-of-uses.ts';

const elsewhere = 'http://127.0.0.1:9/seen';

/** Returns images and recordings that try to run code or send requests, declare huge sizes, are truncated, or are mislabelled. */
export async function hostileMedia(): Promise<Readonly<Record<string, string | Uint8Array>>> {
  const png = await encodePng(8, 8, new Uint8Array(192));
  const samples = new Map(
    sampleFormats().map(({ key, text }) => [lastSegment(key), Buffer.from(text as string)]),
  );
  const sample = (name: string): Buffer => samples.get(name) ?? Buffer.alloc(0);
  const cut = (name: string): Buffer => sample(name).subarray(0, sample(name).byteLength >> 1);
  const circle = withExif(sample('light.jpg'), { main: { 0x010f: { kind: 'text', text: 'Maker' } } });
  return {
    'script.svg': `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90" onload="MARK()"><script>MARK()</script><script xlink:href="${elsewhere}.js"/><style>@import url(${elsewhere}.css);rect{fill:url(${elsewhere}.svg#a)}</style><image href="${elsewhere}.png" width="9" height="9"/><use href="${elsewhere}.svg#b"/><foreignObject width="90" height="90"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${elsewhere}"/><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="MARK()"/></foreignObject><a href="javascript:MARK()"><rect width="90" height="90"/></a><animate attributeName="x" onbegin="MARK()" dur="1s"/></svg>`,
    'entities.svg': `<!DOCTYPE svg [<!ENTITY a "ha">${'bcdefghijk'
      .split('')
      .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghij'[at] ?? 'a'};`.repeat(10)}">`)
      .join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&k;</text></svg>`,
    'deep.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${'<g>'.repeat(100_000)}</svg>`,
    'uses.svg': svgOfUses(),
    'vast.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"><rect width="1" height="1"/></svg>',
    'vast.webp': Buffer.from(
      '524946461e0000005745425056503858 0a00000000000000ffff3fffff3f'.replace(' ', ''),
      'hex',
    ),
    'vast.gif': Buffer.from(
      '474946383961ffffffff80000000000000ffffff2c00000000ffffffff0002024401003b',
      'hex',
    ),
    'cut.avif': cut('light.avif'),
    'cut.jpg': cut('light.jpg'),
    'cut.webp': cut('light.webp'),
    'cut.png': png.subarray(0, 40),
    'cut.tiff': cut('chart.tiff'),
    'exif-noise.jpg': Buffer.concat([circle.subarray(0, 30), Buffer.alloc(300, 0xff), circle.subarray(30)]),
    'exif-place.jpg': withExif(sample('light.jpg'), {
      main: {
        0x010f: { kind: 'text', text: '<img src=x onerror=MARK()>' },
        0x0110: { kind: 'text', text: 'evil' },
      },
    }),
    'page.png': '<!DOCTYPE html><script>MARK()</script>',
    'table.png': 'a,b\n1,2\n',
    'cut.heic': heicWith(exifBytes({})).subarray(0, 60),
    'cut.webm': cut('buoy.webm'),
    'cut.wav': cut('harbour-bell.wav'),
    'page.mp4': `<html><script>MARK()</script><meta http-equiv=refresh content="0;url=${elsewhere}">`,
    'playlist.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${elsewhere}.ts\n#EXT-X-ENDLIST\n`,
    'playlist.mp3': `[playlist]\nFile1=${elsewhere}.mp3\n`,
  };
}
