/** The edge functions of each project. */
export interface EdgeFunction {
  readonly name: string;
  readonly id: string;
  readonly version: string;
  /** How long a call takes, in milliseconds: between these two, mostly near the first. */
  readonly ms: readonly [number, number];
  /** What its code writes to the console; `{n}` stands for a number. */
  readonly lines: readonly (readonly [level: 'log' | 'info' | 'warning' | 'error', text: string])[];
  /** What it throws when a call fails. */
  readonly failure: string;
}

export const FUNCTIONS: Readonly<Record<string, readonly EdgeFunction[]>> = {
  demo: [
    {
      name: 'checkout',
      id: 'f2000000-aaaa-4bbb-8ccc-000000000001',
      version: '41',
      ms: [80, 900],
      lines: [
        ['info', 'checkout started, cart {n}\n'],
        ['info', 'order {n} placed\n'],
        ['warning', 'stock of product {n} is low\n'],
      ],
      failure: 'PostgrestError: canceling statement due to statement timeout',
    },
    {
      name: 'payment-webhook',
      id: 'f2000000-aaaa-4bbb-8ccc-000000000002',
      version: '18',
      ms: [25, 400],
      lines: [
        ['log', 'received payment.succeeded for order {n}\n'],
        ['error', 'signature of event {n} does not match\n'],
      ],
      failure: 'Error: No signatures found matching the expected signature for payload',
    },
    {
      name: 'sync-inventory',
      id: 'f2000000-aaaa-4bbb-8ccc-000000000003',
      version: '5',
      ms: [300, 6000],
      lines: [
        ['info', 'processed {n} items in 2.5s\n'],
        ['warning', 'retry {n} of 3\n'],
      ],
      failure:
        'TypeError: error sending request for url (https://warehouse.example.net/stock): connection reset',
    },
  ],
  default: [
    {
      name: 'hello-world',
      id: 'f1000000-aaaa-4bbb-8ccc-000000000001',
      version: '3',
      ms: [4, 40],
      lines: [
        ['log', 'Hello from Functions!\n'],
        ['info', 'Hello from Deno! {"n": {n}}\n'],
      ],
      failure: 'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
    },
    {
      name: 'send-email',
      id: 'f1000000-aaaa-4bbb-8ccc-000000000002',
      version: '12',
      ms: [120, 1800],
      lines: [
        ['info', 'queued mail {n} for ada@example.com\n'],
        ['warning', 'mail server slow: {n} ms\n'],
      ],
      failure: 'Error: connect ETIMEDOUT 192.0.2.25:587',
    },
    {
      name: 'resize-image',
      id: 'f1000000-aaaa-4bbb-8ccc-000000000003',
      version: '7',
      ms: [60, 2500],
      lines: [
        ['log', 'resized avatar-{n}.png to 96x96\n'],
        ['warning', 'image is {n} px wide, scaling down\n'],
      ],
      failure: 'RangeError: Array buffer allocation failed',
    },
  ],
};
