/**
 * Runs `npm audit` for the shipped packages and checks that Electron still gets fixes. Reports a check as skipped if the registry
 * does not respond.
 */
import { existsSync, readFileSync } from 'node:fs';
import { electronSupport, mayGoOnUnanswered, readAudit } from './release/audit-report.ts';
import { runCommand } from './run-command.ts';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly devDependencies: Readonly<Record<'electron', string>>;
};

const { text } = await runCommand('npm', ['audit', '--omit=dev', '--json'], { keep: true });
const audit = readAudit(text);
switch (audit.kind) {
  case 'clean':
    console.log('npm audit: no known problems.');
    break;
  case 'found':
    console.log(`npm audit: ${String(audit.count)} known problems; see above.`);
    process.exitCode = 1;
    break;
  case 'unanswered':
    console.log('Skipped: npm audit, which this registry does not answer.');
    stopUnlessLet();
}

const pinned = manifest.devDependencies.electron;
const latest = await runCommand('npm', ['view', 'electron', 'version'], { keep: true });
switch (electronSupport(pinned, latest.text)) {
  case 'supported':
    console.log(`Electron ${pinned} gets fixes.`);
    break;
  case 'out-of-support':
    console.log(`Electron ${pinned} no longer gets fixes; the newest is ${latest.text.trim()}.`);
    process.exitCode = 1;
    break;
  case 'unanswered':
    console.log('Skipped: whether Electron is supported, which this registry does not answer.');
    stopUnlessLet();
}

function stopUnlessLet(): void {
  const file = new URL('../release-without-audit', import.meta.url);
  const letPass = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (mayGoOnUnanswered({ setting: process.env['COOPER_AUDIT'], version: manifest.version, letPass })) return;
  console.log(
    'A release needs this check. To release without it, commit its version as build/release-without-audit.',
  );
  process.exitCode = 1;
}
