/** `npm audit` of what is shipped, and whether Electron still gets fixes; each skipped by name where the registry does not answer. */
import { readFileSync } from 'node:fs';
import { readAudit } from './audit-report.ts';
import { electronSupport } from './electron-support.ts';
import { runCommand } from './run-command.ts';

const { text } = await runCommand('npm', ['audit', '--omit=dev', '--json'], { keep: true });
const audit = readAudit(text);
switch (audit.kind) {
  case 'clean':
    console.log('npm audit: nothing known.');
    break;
  case 'found':
    console.log(`npm audit: ${String(audit.count)} known problems; see above.`);
    process.exitCode = 1;
    break;
  case 'unanswered':
    console.log('Skipped: npm audit, which this registry does not answer.');
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly devDependencies: Readonly<Record<'electron', string>>;
};
const pinned = manifest.devDependencies.electron;
const latest = await runCommand('npm', ['view', 'electron', 'version'], { keep: true });
switch (electronSupport(pinned, latest.text)) {
  case 'supported':
    console.log(`Electron ${pinned} gets fixes.`);
    break;
  case 'out-of-support':
    console.log(`Electron ${pinned} gets no fixes any more: the newest is ${latest.text.trim()}.`);
    process.exitCode = 1;
    break;
  case 'unanswered':
    console.log('Skipped: whether Electron is supported, which this registry does not answer.');
}
