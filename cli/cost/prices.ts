import * as z from 'zod';
import { printable } from '../../shared/runtime/printable.ts';
import { readSettingsFile } from '../../shared/schema/read-settings-file.ts';
import { didYouMean } from '../../shared/sql/text/nearest-names.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** Where and when the prices below are from. No command asks for newer ones: look them up before you decide by them. */
export const PRICES_OF = { region: 'europe-west1 and us-central1', date: '2026', currency: 'US$' } as const;

interface Price {
  /** US dollars, without tax, discounts and free quotas. */
  readonly usd: number;
  /** So many of the unit cost that. */
  readonly per: number;
  readonly unit: string;
}

/** List prices by name. */
export const PRICES = {
  'bigquery-query': { usd: 6.25, per: 1, unit: 'TiB billed' },
  'bigquery-storage-active': { usd: 0.02, per: 1, unit: 'GiB and month' },
  'bigquery-storage-long-term': { usd: 0.01, per: 1, unit: 'GiB and month, after 90 days without a change' },
  'bigquery-write-api': { usd: 0.025, per: 1, unit: 'GiB written' },
  'pubsub-publish': { usd: 40, per: 1, unit: 'TiB published' },
  'pubsub-bigquery': { usd: 50, per: 1, unit: 'TiB written by BigQuery subscriptions' },
  'firestore-read': { usd: 0.03, per: 100_000, unit: 'documents' },
  'firestore-write': { usd: 0.09, per: 100_000, unit: 'documents' },
  'firestore-delete': { usd: 0.01, per: 100_000, unit: 'documents, also by a TTL policy' },
  'firestore-storage': { usd: 0.15, per: 1, unit: 'GiB and month' },
  'function-cpu': { usd: 0.000024, per: 1, unit: 'CPU and second with requests' },
  'function-memory': { usd: 0.0000025, per: 1, unit: 'GiB and second with requests' },
  'function-idle-cpu': { usd: 0.0000025, per: 1, unit: 'CPU and second without, of min_instances' },
  'function-idle-memory': { usd: 0.0000025, per: 1, unit: 'GiB and second without, of min_instances' },
  'function-calls': { usd: 0.4, per: 1_000_000, unit: 'calls' },
  'load-balancer-rule': { usd: 0.025, per: 1, unit: 'hour of the forwarding rule' },
  'load-balancer-data': { usd: 0.008, per: 1, unit: 'GiB in or out' },
  'armor-policy': { usd: 5, per: 1, unit: 'month' },
  'armor-rule': { usd: 1, per: 1, unit: 'month' },
  'armor-requests': { usd: 0.75, per: 1_000_000, unit: 'requests' },
  egress: { usd: 0.12, per: 1, unit: 'GiB to the internet' },
  'scheduler-job': { usd: 0.1, per: 1, unit: 'month' },
  'secret-version': { usd: 0.06, per: 1, unit: 'month' },
  'log-ingestion': { usd: 0.5, per: 1, unit: 'GiB' },
} as const satisfies Record<string, Price>;

/** A price of the price list, as `--price` names it. */
export type PriceName = keyof typeof PRICES;

/** US dollars for `per` of the unit, by name. */
export type Prices = Readonly<Record<PriceName, number>>;

const NAMES = Object.keys(PRICES) as PriceName[];
const MAX_USD = 1_000_000;
const priceFile = z.partialRecord(z.enum(NAMES), z.number().min(0).max(MAX_USD));

/** What a price may be, in words that follow "takes". */
const ACCEPTED = `NAME=USD, a name of the list of prices and a number from 0 to ${MAX_USD}`;

/**
 * The list prices with those of a file in their place, and those of options in place of both. Throws a UsageError or a
 * ConfigurationError that names the option, or the file and the price.
 */
export async function readPrices(file: string | undefined, options: readonly string[]): Promise<Prices> {
  const listed = Object.fromEntries(NAMES.map((name) => [name, PRICES[name].usd])) as Record<
    PriceName,
    number
  >;
  const words = { accepted: () => `a number from 0 to ${MAX_USD}`, names: () => NAMES };
  const ofFile = file === undefined ? {} : await readSettingsFile(file, priceFile, words);
  return { ...listed, ...ofFile, ...Object.fromEntries(options.map(parsePrice)) };
}

function parsePrice(text: string): readonly [PriceName, number] {
  const [, name = '', digits = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
  const found = NAMES.find((one) => one === name);
  if (name !== '' && found === undefined)
    throw new UsageError(
      `--price has no price ${printable(name)}${didYouMean(name, NAMES) || `; it takes one of ${NAMES.join(', ')}.`}`,
    );
  const usd = /^\d{1,7}(\.\d{1,12})?$/.test(digits) ? Number(digits) : Number.NaN;
  if (found === undefined || !(usd <= MAX_USD))
    throw new UsageError(`--price takes ${ACCEPTED}, not ${printable(text)}.`);
  return [found, usd];
}
