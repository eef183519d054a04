import fc from 'fast-check'

/** Texts that trip parsers, databases and log files. */
export const hostileTexts = [
  '',
  '\0',
  'before\0after',
  '\ud800',
  '\udfff\ud800',
  '\u202e\ufeff\uffff',
  '__proto__',
  'constructor',
  '%00%ff',
  "'; drop table principals; --",
  '{{7*7}}',
  '\r\nX-Injected: yes',
  '../../etc/passwd',
  'x'.repeat(100_000),
]

/** Characters of four bytes, so mixed that neither a database nor a log can make them shorter. */
export function incompressibleText(length: number, seed: number): string {
  const character = (index: number) =>
    0x10000 + ((Math.imul(seed + 1, 2_654_435_761) ^ Math.imul(index + 1, 40_503_001)) >>> 13)
  return Array.from({ length }, (_, index) => String.fromCodePoint(character(index))).join('')
}

const randomText = fc
  .tuple(fc.constantFrom(1, 255, 256, 1000, 2048, 2049), fc.nat())
  .map(([length, seed]) => incompressibleText(length, seed))

const hostileText = fc.oneof(fc.constantFrom(...hostileTexts), randomText, fc.string({ unit: 'binary' }))

const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, 0.1, Number.MAX_SAFE_INTEGER),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { toString: 1 }, '9999-12-31T23:59:60Z'),
  fc.array(hostileText, { maxLength: 120 }),
  fc.jsonValue({ maxDepth: 4 }),
)

/** The example with one property replaced, removed or added. */
function mutated(example: unknown): fc.Arbitrary<unknown> {
  if (typeof example !== 'object' || example === null) return hostileValue
  const names = Object.keys(example)
  return fc.oneof(
    fc.tuple(fc.constantFrom(...names), hostileValue).map(([name, value]) => ({ ...example, [name]: value })),
    fc
      .constantFrom(...names)
      .map((name) => Object.fromEntries(Object.entries(example).filter(([other]) => other !== name))),
    fc.tuple(hostileText, hostileValue).map(([name, value]) => ({ ...example, [name]: value })),
    fc
      .array(hostileValue, { minLength: names.length, maxLength: names.length })
      .map((values) => Object.fromEntries(names.map((name, index) => [name, values[index]]))),
  )
}

/** JSON texts that are as deep as this, and one that is long. */
export function boundlessJson(depth: number): Buffer[] {
  return [
    '['.repeat(depth),
    `${'['.repeat(depth)}${']'.repeat(depth)}`,
    `${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`,
    `${'{"a":'.repeat(depth)}"\\u0000"${'}'.repeat(depth)}`,
    `${'{"\\ud800":'.repeat(depth / 2)}1${'}'.repeat(depth / 2)}`,
    `{"a":${'[{"b":'.repeat(depth / 2)}"\\ud800"${'}]'.repeat(depth / 2)}}`,
    JSON.stringify('x'.repeat(2 ** 21)),
  ].map((text) => Buffer.from(text))
}

/** Texts that are not JSON, or nothing but a value of JSON. */
export const malformedJson: readonly Buffer[] = [
  ...['', ' ', 'null', 'nul', '{', '"\\u12"', '{"a":1,}', "{'a':1}", 'NaN', '1e999', `-${'9'.repeat(5_000)}`].map(
    (text) => Buffer.from(text),
  ),
  Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'),
  Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
]

/** The example as no serialiser would write it, but still JSON: operations see it. */
export function unusualJson(example: string): Buffer[] {
  return [
    example.replace('{', '{"a":1,"a":2,'),
    example.replace('{', `{${example.slice(1, -1)},`),
    example.replace('{', '{"__proto__":{"isProtected":true},'),
    example.replace('{', '{"constructor":{"prototype":{"a":1}},'),
    example.replace('{', '{"\\u005f_proto__":null,'),
  ].map((text) => Buffer.from(text))
}

/** The example so distorted that it is no JSON, or in another encoding. */
export function distortedJson(example: string): Buffer[] {
  const texts = [example.slice(0, example.length / 2), `${example}${example}`, `\ufeff${example}`]
  return [
    ...texts.map((text) => Buffer.from(text)),
    Buffer.from(example, 'utf16le'),
    Buffer.from(example, 'utf16le').swap16(),
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(example, 'utf16le')]),
    Buffer.from(example.replace('{', '{"\xff\xc0\xaf":1,'), 'latin1'),
  ]
}

export const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON ;charset="utf-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/merge-patch+json',
  'text/plain',
  'x',
  '/',
  ';',
  `application/${'x'.repeat(5_000)}`,
]

export function hostileBody(example: unknown): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 6, arbitrary: mutated(example).map((value) => Buffer.from(JSON.stringify(value) ?? '')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc.nat().map((place) => {
        const text = Buffer.from(JSON.stringify(example))
        text[place % text.length] = place % 256
        return text
      }),
    },
  )
}

export const hostileAddressParts = [
  '17',
  '0',
  '-1',
  '1.5',
  '1e9',
  '0x11',
  '2147483648',
  '9'.repeat(300),
  '%00',
  '%ff',
  '%',
  '%zz',
  '%c0%af',
  '%ed%a0%80',
  '%u0000',
  '..',
  '%2e%2e',
  '..%2f..%2f',
  '%2F',
  '%5c',
  '.',
  ';a=b',
  '*',
  ':id',
  'a'.repeat(3_000),
  '%F0%9F%92%A9'.repeat(100),
  '__proto__',
  'null',
  'true',
  '[]',
]

/** A part of a path or a query as it stands in the address: anything but what ends the request line. */
export const addressPart = fc.oneof(
  fc.constantFrom(...hostileAddressParts),
  fc.string().map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
)

export function queryString(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom(...names, 'dryRun', 'api-version', 'force', 'skip', 'top'),
    fc.constantFrom('__proto__', 'constructor', 'a[b][c]', 'skip[]', 'skip.x', '', 'toString'),
    addressPart,
  )
  return fc
    .array(fc.tuple(name, addressPart), { maxLength: 8 })
    .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&'))
}

export const hostileHeaderValues = [
  '',
  ' ',
  '1',
  '1.0',
  '2',
  'null',
  '*',
  '"',
  'W/"',
  `"${'x'.repeat(200)}"`,
  '"a", "b",, *',
  ',',
  'a'.repeat(8_000),
  'a'.repeat(20_000),
  '\x01',
  '\x7f',
  '\xff\xfe',
  'a\tb',
  '\u00e9',

  'Bearer',
  'Bearer ',
  'Bearer a.b.c',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  `Bearer ${'.'.repeat(4_000)}`,

  'Basic',
  'Basic !',
  'Basic Og==',
  'Basic AAAA',
  'Basic JTAwOiUwMA==',
  'Basic JWZmOiVmZg==',
  'basic \xff',
  '1.2.3.4',
  '1.2.3.4, 5.6.7.8',
  '::1',
  'unknown',
  '999.999.999.999',
  ', '.repeat(500),
]

/** Header values with every byte that can stand in one, and some that cannot. */
const headerValue = fc.oneof(
  fc.constantFrom(...hostileHeaderValues),
  fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)) }),
)

// Without those that announce a body, after which the service would rightly wait for it.
export const hostileHeaderNames = [
  'Api-Version',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Authorization',
  'X-Request-Id',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Forwarded',
  'Content-Type',
  'Content-Encoding',
  'Expect',
  'Upgrade',
  'Connection',
  'Accept',
  'Accept-Encoding',
  'Origin',
  'Cookie',
  'Host',
  'X'.repeat(300),
]

const headerName = fc.constantFrom(...hostileHeaderNames)

export const hostileHeaders = fc.array(fc.tuple(headerName, headerValue), { minLength: 1, maxLength: 5 })
