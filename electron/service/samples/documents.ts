import { sampleFormats } from './formats.ts';
import { seededRandom } from './random.ts';
import { type SampleDocument, pdfOf } from './sample-files.ts';

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'];

/** Returns the objects of the bucket `documents`. */
export function sampleDocuments(): SampleDocument[] {
  return [
    { key: 'Read me first.md', contentType: 'text/markdown; charset=utf-8', text: welcome },
    { key: 'notes/harbour walk.txt', contentType: 'text/plain; charset=utf-8', text: walk },
    {
      key: 'notes/shopping list.txt',
      contentType: 'text/plain; charset=utf-8',
      text: 'rope\nlamp oil\ntwo oars\ntea\n',
    },
    {
      key: 'letters/2026/invitation.pdf',
      contentType: 'application/pdf',
      text: pdfOf([
        {
          title: 'An invitation',
          lines: [
            'The cooperage opens its doors on the first Saturday of June.',
            'You will see how a barrel is raised, bent over fire and hooped,',
            'and you can carry one home if you are strong enough.',
          ],
        },
      ]),
      metadata: { author: 'the-cooperage' },
    },
    { key: 'settings/service.json', contentType: 'application/json', text: settings },
    { key: 'settings/empty.txt', contentType: 'text/plain', text: '' },
    ...months.map((month, index) => ({
      key: `accounts/2026/${String(index + 1).padStart(2, '0')}-${month}.csv`,
      contentType: 'text/csv; charset=utf-8',
      text: account(month),
      ...(index < 3 ? { storageClass: 'COLD' } : {}),
    })),
    ...sampleFormats(),
  ];
}

function account(month: string): string {
  const random = seededRandom(`account ${month}`);
  const items = [
    'oak staves',
    'iron hoops',
    'firewood',
    'reed',
    'wages',
    'sold: barrel, 50 l',
    'sold: barrel, 225 l',
  ];
  let csv = 'day,item,amount\n';
  for (let day = 1; day <= 28; day++) {
    const item = items[Math.floor(random() * items.length)] ?? 'wages';
    const sign = item.startsWith('sold') ? '' : '-';
    csv += `${day},"${item}",${sign}${(20 + random() * 400).toFixed(2)}\n`;
  }
  return csv;
}

const welcome = `# Sample buckets

These buckets live in a folder on this computer, served by Cooper itself. You can change or delete everything here.

- **photos**: pictures, in folders by year, and some gigabytes of raw files and video to look at in the map.
- **documents**: text, tables, JSON and a PDF to look at.
- **server-data**: \`logs/requests/\` holds 30,000 small objects. Scroll to its end.
- **names**: keys in many scripts, and some that no file system would take.
- **drafts**: versions of texts, a deleted one among them. Show *Versions*, and bring one back. Its settings have rules that tidy up.
- **backups**: three uploads that stalled. Look under *Stalled uploads* and finish them.
`;

const walk = `Low water at ten past six. The mud shone like a plate.
Three herons on the old slip, none of them bothered.
The tide turned before the second bell, and all the boats turned with it.
`;

const settings = `${JSON.stringify(
  {
    name: 'harbour-lights',
    listen: { host: '127.0.0.1', port: 8080 },
    lights: [
      { id: 'north-mole', colour: 'green', periodSeconds: 4 },
      { id: 'south-mole', colour: 'red', periodSeconds: 4 },
      { id: 'outer-bank', colour: 'white', periodSeconds: 10 },
    ],
    keepLogsForDays: 90,
  },
  null,
  2,
)}\n`;
