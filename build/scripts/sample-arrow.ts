// Writes the Arrow file of the sample buckets: `node build/scripts/sample-arrow.ts`. The result is checked in, so that the
// service needs no Arrow writer.
import {
  Bool,
  Dictionary,
  Field,
  Float32,
  Int16,
  Int32,
  List,
  Table,
  tableToIPC,
  TimestampMillisecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { keepSamples } from './keep-sample.ts';
import { seededRandom } from '../../electron/service/samples/random.ts';

const rows = 240;
const names = ['Skagen', 'Anholt', 'Drogden', 'Hammerodde'];
const random = seededRandom('stations');
const hours = Array.from({ length: rows }, (_, hour) => hour);
const start = Date.UTC(2026, 0, 1);
const whole = new Table({
  time: vectorFromArray(
    hours.map((hour) => start + hour * 3_600_000),
    new TimestampMillisecond('UTC'),
  ),
  station: vectorFromArray(
    hours.map((hour) => names[hour % names.length]),
    new Dictionary(new Utf8(), new Int32(), 1),
  ),
  wind_ms: vectorFromArray(
    hours.map(() => Math.round(random() * 250) / 10),
    new Float32(),
  ),
  visibility_km: vectorFromArray(
    hours.map((hour) => (hour % 11 === 0 ? null : Math.floor(random() * 40))),
    new Int16(),
  ),
  calm: vectorFromArray(
    hours.map(() => random() < 0.2),
    new Bool(),
  ),
  gusts: vectorFromArray(
    hours.map((hour) => [hour % 30, (hour * 7) % 30]),
    new List(new Field('item', new Int16(), true)),
  ),
});
const [batch] = whole.batches;
if (batch === undefined) throw new Error('The table has no rows.');
const bytes = Buffer.from(tableToIPC(new Table([batch.slice(0, 120), batch.slice(120, rows)]), 'file'));
keepSamples({ stations: bytes });
console.log(`${String(bytes.byteLength)} bytes`);
