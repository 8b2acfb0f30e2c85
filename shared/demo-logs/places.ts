/** Where a client is, named as in an edge request's `cf` record. */
export interface Place {
  readonly country: string;
  readonly city: string;
  readonly region: string;
  readonly continent: string;
  readonly colo: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly timezone: string;
  readonly postalCode: string;
  /** The last part of ISO 3166-2; none for a city that is a state. */
  readonly regionCode?: string;
  /** Known in the United States only. */
  readonly metroCode?: string;
  /** From the numbers reserved for documentation (RFC 5398). */
  readonly asn: number;
  readonly asOrganization: string;
}

/** country | city | region | continent | colo | latitude | longitude | time zone | postal code | metro | ASN | owner | region code */
const TABLE = `
US | New York | New York | NA | EWR | 40.71270 | -74.00600 | America/New_York | 10001 | 501 | 64496 | Example Cable | NY
US | San Francisco | California | NA | SJC | 37.77490 | -122.41940 | America/Los_Angeles | 94103 | 807 | 64497 | Example Fiber | CA
US | Ashburn | Virginia | NA | IAD | 39.04380 | -77.48740 | America/New_York | 20147 | 511 | 64498 | Example Cloud | VA
DE | Berlin | Land Berlin | EU | TXL | 52.52000 | 13.40500 | Europe/Berlin | 10115 | - | 64499 | Beispiel Netz GmbH | BE
DE | München | Bavaria | EU | MUC | 48.13740 | 11.57550 | Europe/Berlin | 80331 | - | 64499 | Beispiel Netz GmbH | BY
GB | London | England | EU | LHR | 51.50740 | -0.12780 | Europe/London | EC1A | - | 64500 | Sample Telecom Ltd | ENG
FR | Paris | Île-de-France | EU | CDG | 48.85660 | 2.35220 | Europe/Paris | 75001 | - | 64501 | Exemple SAS | IDF
IN | Bengaluru | Karnataka | AS | BLR | 12.97160 | 77.59460 | Asia/Kolkata | 560001 | - | 64502 | Udaharan Broadband | KA
JP | Tokyo | Tokyo | AS | NRT | 35.68950 | 139.69170 | Asia/Tokyo | 100-0001 | - | 64503 | Rei Networks KK | 13
SG | Singapore | Singapore | AS | SIN | 1.35210 | 103.81980 | Asia/Singapore | 018956 | - | 64504 | Sample Pacific | -
BR | São Paulo | São Paulo | SA | GRU | -23.55050 | -46.63330 | America/Sao_Paulo | 01000 | - | 64505 | Exemplo Telecom | SP
AU | Sydney | New South Wales | OC | SYD | -33.86880 | 151.20930 | Australia/Sydney | 2000 | - | 64506 | Example Down Under | NSW
ZA | Cape Town | Western Cape | AF | CPT | -33.92490 | 18.42410 | Africa/Johannesburg | 8001 | - | 64507 | Voorbeeld Wireless | WC
`;

export const PLACES: readonly Place[] = TABLE.trim()
  .split('\n')
  .map((row) => placeOf(row.split(' | ')));

function placeOf(cells: readonly string[]): Place {
  const [country = '', city = '', region = '', continent = '', colo = '', latitude = '', longitude = ''] =
    cells;
  const [timezone = '', postalCode = '', metroCode = '-', asn = '', asOrganization = '', regionCode = '-'] =
    cells.slice(7);
  return {
    country,
    city,
    region,
    continent,
    colo,
    latitude,
    longitude,
    timezone,
    postalCode,
    ...(regionCode === '-' ? {} : { regionCode }),
    ...(metroCode === '-' ? {} : { metroCode }),
    asn: Number(asn),
    asOrganization,
  };
}
