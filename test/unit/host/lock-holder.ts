import { takeLock } from '../../../electron/host/lock.ts';

const [, , dir, stay] = process.argv;
const lock = takeLock(dir ?? '');
console.log(lock === null ? 'taken by another' : 'held');
if (stay === 'stay') setInterval(() => undefined, 1000);
else lock?.release();
