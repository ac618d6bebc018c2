/** The same keys as in test/unit/service/harness.ts, for processes without a test runner. */
export const keys = { accessKeyId: 'TESTKEY', secretAccessKey: 'TESTSECRETTESTSECRET' };
export const region = 'eu-central-1';
