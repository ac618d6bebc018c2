import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { film, lightAvif, lightHeic, lightJpeg, lightWebp, stations } from './kept-files.ts';
import { pick, seededRandom } from './random.ts';
import {
  zipOf,
  chartSheets,
  tiffOf,
  type SampleDocument,
  pdfOf,
  tarOf,
  waveOf,
  type PdfPage,
} from './sample-files.ts';

/** Returns one small object for each format that the window can display. */
export function sampleFormats(): SampleDocument[] {
  return files().map(([name, contentType, text]) => ({ key: `formats/${name}`, contentType, text }));
}

function files(): readonly (readonly [name: string, contentType: string, content: string | Buffer])[] {
  return [
    ['tides.json', 'application/json', `${JSON.stringify(tides(), null, 2)}\n`],
    ['passages.jsonl', 'application/x-ndjson', passages()],
    ['harbour.yaml', 'application/yaml', harbour],
    ['lights.xml', 'application/xml', lights],
    ['soundings.csv', 'text/csv; charset=utf-8', soundings(';')],
    ['soundings.tsv', 'text/tab-separated-values; charset=utf-8', soundings('\t')],
    ['survey.md', 'text/markdown; charset=utf-8', surveyText],
    ['pictures/bank.svg', 'image/svg+xml', bankPicture],
    ['pictures/light.jpg', 'image/jpeg', lightJpeg],
    ['pictures/light.webp', 'image/webp', lightWebp],
    ['pictures/light.avif', 'image/avif', lightAvif],
    ['pictures/light.heic', 'image/heic', lightHeic],
    ['pictures/chart.tiff', 'image/tiff', tiffOf(chartSheets())],
    ['stations.arrow', 'application/vnd.apache.arrow.file', stations],
    ['waves.parquet', 'application/vnd.apache.parquet', waves()],
    ['pilot-book.pdf', 'application/pdf', pdfOf(pilotBook())],
    ['buoy.webm', 'video/webm', film],
    ['harbour-bell.wav', 'audio/wav', waveOf('bell', 60_000, 8000)],
    ['survey.zip', 'application/zip', zipOf(surveyFiles(), surveyedMs)],
    ['survey.tar', 'application/x-tar', tarOf(surveyFiles(), surveyedMs)],
    ['survey.tar.gz', 'application/gzip', gzipSync(tarOf(surveyFiles(), surveyedMs))],
    ['soundings.csv.zst', 'application/zstd', zstdCompressSync(Buffer.from(soundings(';')))],
    ['passages.jsonl.br', 'application/octet-stream', brotliCompressSync(Buffer.from(passages()))],
  ];
}

const surveyedMs = Date.UTC(2026, 4, 9, 6, 30);

function surveyFiles() {
  return [
    { name: 'survey/read me.txt', bytes: Buffer.from('Soundings of the outer bank, at low water.\n') },
    { name: 'survey/soundings.csv', bytes: Buffer.from(soundings(',')) },
    { name: 'survey/lights.xml', bytes: Buffer.from(lights) },
  ];
}

/** Returns the pages of a fictional pilot book, one for each stretch of water. */
function pilotBook(): readonly PdfPage[] {
  const random = seededRandom('pilot book');
  const marks = ['Old Slip', 'Mole Head', 'Red Buoy', 'Heron Bar', 'Curlew Creek', 'Outer Bank'];
  return Array.from({ length: 12 }, (_, reach) => {
    const from = marks[reach % marks.length] ?? '';
    const to = marks[(reach + 1) % marks.length] ?? '';
    return {
      title: `Reach ${String(reach + 1)}: ${from} to ${to}`,
      lines: Array.from({ length: 30 }, (_, line) => {
        const depth = (2 + random() * 9).toFixed(1);
        return `${String(line + 1)}. Keep ${from} astern until ${to} opens; ${depth} m at low water.`;
      }),
    };
  });
}

function tides() {
  const random = seededRandom('tides');
  return {
    station: { name: 'Old Slip', latitude: 54.3, longitude: -8.6, datum: null },
    heights: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      heightM: Math.round((2.1 + 1.9 * Math.cos(hour / 1.98) + random() * 0.1) * 100) / 100,
      rising: Math.sin(hour / 1.98) < 0,
    })),
  };
}

function passages(): string {
  const random = seededRandom('passages');
  const boats = ['Heron', 'Curlew', 'Petrel', 'Ternlet'] as const;
  return Array.from({ length: 500 }, (_, at) => {
    const boat = pick(random, boats);
    const time = new Date(Date.UTC(2026, 2, 1) + at * 2_700_000).toISOString();
    return `${JSON.stringify({ time, boat, inbound: random() < 0.5, crew: { size: 1 + Math.floor(random() * 6) } })}\n`;
  }).join('');
}

/** Returns a Parquet file of three row groups, with a column of lists and one with missing values. */
function waves(): Buffer {
  const random = seededRandom('waves');
  const hours = Array.from({ length: 3000 }, (_, hour) => hour);
  const start = Date.UTC(2026, 0, 1);
  return Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'time', data: hours.map((hour) => new Date(start + hour * 3_600_000)), type: 'TIMESTAMP' },
        { name: 'buoy', data: hours.map((hour) => `B${String(1 + (hour % 8))}`), type: 'STRING' },
        { name: 'height_m', data: hours.map(() => Math.round(random() * 400) / 100), type: 'DOUBLE' },
        {
          name: 'gust_ms',
          data: hours.map((hour) => (hour % 9 === 0 ? null : Math.floor(random() * 30))),
          type: 'INT32',
          nullable: true,
        },
        { name: 'calm', data: hours.map(() => random() < 0.2), type: 'BOOLEAN' },
        { name: 'directions', data: hours.map((hour) => [hour % 360, (hour * 7) % 360]) },
      ],
      rowGroupSize: 1000,
    }),
  );
}

function soundings(separator: string): string {
  const random = seededRandom('soundings');
  const rows = Array.from({ length: 400 }, (_, at) => {
    const note = at % 40 === 0 ? `"buoy${separator} moved"` : '';
    return [
      at + 1,
      (54.3 + random() / 50).toFixed(5),
      (-8.6 - random() / 50).toFixed(5),
      (2 + random() * 30).toFixed(1),
      note,
    ].join(separator);
  });
  return `${['point', 'latitude', 'longitude', 'depth_m', 'note'].join(separator)}\n${rows.join('\n')}\n`;
}

const harbour = `# How the harbour is lit
name: Old Slip
lights: &lights
  - id: north-mole
    colour: green
    period: 4.0
  - id: south-mole
    colour: red
    period: 4.0
winter:
  lights: *lights
  from: 2026-11-01
notes: |
  The outer bank has a light of its own.
  Nobody has painted it since 2019.
`;

const lights = `<?xml version="1.0" encoding="UTF-8"?>
<lights region="west">
  <!-- Periods are in seconds. -->
  <light id="north-mole"><colour>green</colour><period>4.0</period></light>
  <light id="south-mole"><colour>red</colour><period>4.0</period></light>
  <light id="outer-bank"><colour>white</colour><period>10.0</period><note>Repaint &amp; inspect</note></light>
</lights>
`;

const surveyText = `# Survey of the outer bank

Soundings at low water, **9 May 2026**. The channel has moved *twelve metres* to the north.

![The bank from above](pictures/bank.svg)

| Mark       | Depth | Since |
| ---------- | ----: | ----- |
| north mole |   4.2 | 2019  |
| outer bank |   1.8 | 2024  |

- [x] soundings taken
- [ ] lights repainted

> Nobody crosses the bank after the second bell.

See [the tide tables](https://example.com/tides) and \`survey.zip\`.
`;

const bankPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 160" width="480" height="160">
  <rect width="480" height="160" fill="#1d6f86"/>
  <path d="M60 110 Q150 40 260 80 T430 70 Q400 130 260 125 T60 110Z" fill="#e2c98f"/>
  <path d="M20 30 Q200 10 460 40" fill="none" stroke="#ffffff" stroke-width="3" stroke-dasharray="8 8"/>
</svg>
`;
