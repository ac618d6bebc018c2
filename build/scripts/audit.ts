/** `npm audit` of what is shipped, skipped by name where the registry does not answer it. */
import { readAudit } from './audit-report.ts';
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
