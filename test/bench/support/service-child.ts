import { startService } from '../../support/lab-service/server.ts';
import { benchKeys } from './bench-keys.ts';

/** Runs the embedded service in a separate process, so that its processor time is measured separately. */
process.once('message', ({ dataDir }: { readonly dataDir: string }) => {
  void startService({ dataDir, credentials: [benchKeys], region: 'us-east-1' }).then((service) =>
    process.send?.({ endpoint: service.endpoint }),
  );
});
process.once('disconnect', () => process.exit(0));
