import { describe, expect, test } from 'vitest';
import { parseFlags } from '../../../electron/host/flags.ts';
import { StartProblem } from '../../../electron/host/problem.ts';

const usual = { link: null, host: 'auto', port: 0, open: true, dataDir: null, help: false };

test('without flags the host is chosen automatically', () => {
  expect(parseFlags([])).toEqual(usual);
});

test.each([
  [['--desktop'], { host: 'desktop' }],
  [['--browser'], { host: 'browser' }],
  [['--browser', '--port', '8080', '--no-open'], { host: 'browser', port: 8080, open: false }],
  [['--port=0', '--browser'], { host: 'browser' }],
  [['--data-dir', 'some dir'], { dataDir: 'some dir' }],
  [['--data-dir=-odd'], { dataDir: '-odd' }],
  [['--help'], { help: true }],
  [['-h'], { help: true }],
  [['s3://photos/2024/'], { link: 's3://photos/2024/' }],
  [['--browser', 's3://photos'], { host: 'browser', link: 's3://photos' }],
])('the flags %j are parsed', (args, expected) => {
  expect(parseFlags(args)).toEqual({ ...usual, ...expected });
});

test.each([[['--port', '1']], [['--no-open']]])('%j selects the browser host', (args) => {
  expect(parseFlags(args).host).toBe('browser');
});

describe('invalid flags end with a message and status 2:', () => {
  test.each([
    [['--colour'], '--colour'],
    [['--portt', '1'], '--portt'],
    [['-x'], '-x'],
    [['bucket'], 'bucket'],
    [['--port'], '--port'],
    [['--port', '--browser'], '--port'],
    [['--port', 'eighty'], 'eighty'],
    [['--port', '-1'], '-1'],
    [['--port=-1'], '-1'],
    [['--port', '65536'], '65536'],
    [['--port', '80.5'], '80.5'],
    [['--port', '0x50'], '0x50'],
    [['--port='], 'port'],
    [['--data-dir'], '--data-dir'],
    [['--data-dir='], '--data-dir'],
    [['--browser=yes'], '--browser'],
    [['--no-open=1'], '--no-open'],
    [['--desktop', '--browser'], '--desktop'],
    [['--desktop', '--port', '1'], '--port'],
    [['--desktop', '--no-open'], '--no-open'],
    [['--constructor'], '--constructor'],
    [['s3://'], 's3://'],
    [['s3://a b/'], 's3://a b/'],
    [['s3://photos', 's3://other'], 's3://other'],
    [['https://photos'], 'https://photos'],
  ])('%j', (args, named) => {
    const thrown = caught(() => parseFlags(args));
    expect(thrown).toBeInstanceOf(StartProblem);
    expect(thrown).toMatchObject({ exitStatus: 2 });
    expect((thrown as Error).message).toContain(named);
    expect((thrown as Error).message).toMatch(/\.$/);
  });
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
}
