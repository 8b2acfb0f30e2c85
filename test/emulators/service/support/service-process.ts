import { makeGateway } from '../../../../functions/gateway.ts';
import { makeWarmHandler } from '../../../../shared/http/warm-handler.ts';
import { composeService } from '../../../../shared/runtime/compose.ts';
import { loadConfig } from '../../../../shared/runtime/config.ts';
import { processContext } from '../../../../shared/runtime/config-context.ts';
import { serve } from '../../../shared/http/support/hosts.ts';

/** An instance as the cloud runs it, set up by the environment; its wall clock is wrong by the first argument, in ms. */
const offsetMs = Number(process.argv[2] ?? '0');
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + offsetMs] : args, newTarget),
  get: (target, name) => (name === 'now' ? () => target.now() + offsetMs : Reflect.get(target, name)),
});

const service = await composeService(loadConfig([], process.env, processContext(false)), {
  writeLog: (line) => process.stdout.write(line),
  progress: () => {},
  warn: () => {},
  signal: new AbortController().signal,
});
const gateway = makeGateway(service);
const warm = makeWarmHandler(service);
const { port } = await serve((req, res) => (req.url === '/warm' ? warm(req, res) : gateway(req, res)));
process.send?.(port);
