import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxInflatedBytes, readMessage } from '../../../src/channels/fusion/messages/read-message.ts'
import { readReport } from '../../../src/channels/fusion/messages/read-report.ts'
import { readXml } from '../../../src/channels/fusion/messages/read-xml.ts'
import { openReportReader } from '../../../src/channels/fusion/messages/report-reader.ts'
import { UnreadableError } from '../../../src/channels/fusion/messages/unreadable-error.ts'
import { inventorySections } from '../../../src/features/inventory/sections/index.ts'
import { validate } from '../../../src/platform/validation.ts'
import { samples } from './fusion-world.ts'

const noElements = new Set<string>()
const parse = (xml: string) => readXml(xml, noElements)

describe('XML', () => {
  test('XML is read with its lists, its entities and its text', () => {
    const xml = `<?xml version="1.0"?>\n<R a="1"><!-- no --><A>x &lt;&amp;&#x41;&#66;</A><A/><B><C><![CDATA[<raw>&]]></C></B></R>\n`

    expect(parse(xml)).toEqual({ r: { a: ['x <&AB', ''], b: { c: '<raw>&' } } })
  })

  test.each([
    ['a DOCTYPE', '<!DOCTYPE R [<!ENTITY a "b">]><R>&a;</R>'],
    ['an entity of its own', '<R>&a;</R>'],
    ['an entity that does not end', '<R>a & b</R>'],
    ['a character that XML excludes', '<R>&#0;</R>'],
    ['half of a character', '<R>&#xd800;</R>'],
    ['tags that do not match', '<R><A></B></R>'],
    ['more than one root', '<R/><R/>'],
    ['an element that is not closed', '<R><A>'],
    ['text around it', '<R/>text'],
    ['names of properties that every object has', '<R><__proto__>x</__proto__></R>'],
    ['too many levels', `${'<R>'.repeat(100)}${'</R>'.repeat(100)}`],
    ['no content', ''],
  ])('XML is refused with %s', (_, xml) => {
    expect(() => parse(xml)).toThrow(UnreadableError)
  })

  test('ignored XML elements are not part of the result', () => {
    expect(readXml('<R><P><X>1</X></P><A>2</A><P/></R>', new Set(['p']))).toEqual({ r: { a: '2' } })
  })
})

describe('messages', () => {
  test.each([
    ['zlib', deflateSync(Buffer.alloc(maxInflatedBytes + 1, 'x'))],
    ['gzip', gzipSync(Buffer.alloc(maxInflatedBytes + 1, 'x'))],
  ])('a message that unpacks to more than the limit is refused: %s', (_, bomb) => {
    expect(bomb.length).toBeLessThan(50_000)
    expect(() => readMessage(bomb)).toThrow('The message is too large')
  })

  test('a small message that unpacks to a large one is read in a thread, and the reader goes on', async () => {
    const reader = openReportReader()
    const bomb = deflateSync(Buffer.alloc(900_000, ' '))

    expect(bomb.length).toBeLessThan(1024)
    await expect(reader.read(bomb, 1)).rejects.toThrow(UnreadableError)
    expect((await reader.read(Buffer.from(samples.prolog), 1)).action).toBe('prolog')
    await reader.close()
  })

  test('a truncated message is refused, wherever it is cut', () => {
    const whole = deflateSync(samples.fusionInventory)
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), (length) => {
        expect(readReport(whole.subarray(0, length))).toHaveProperty('unreadable')
      }),
      { numRuns: 50 },
    )
  })
})

/** Requires that the result is valid for the agent channel so that it can be stored. */
function requireStorable(bytes: Uint8Array): void {
  const read = readReport(bytes)
  if ('unreadable' in read || !read.inventory || read.isPartial) return
  for (const { name, hash, content } of read.inventory.sections) {
    const parsed: unknown = JSON.parse(content)
    const value = Array.isArray(parsed) ? { items: parsed } : { item: parsed }
    const body = { hash, collectedUtc: '2026-03-14T09:00:00Z', ...value }
    const section = inventorySections.find((one) => one.name === name)
    if (!section) throw new Error(`No section has the name ${name}.`)
    validate('body', section.body, body)
  }
}

/** A shorter inventory than the recorded one so that most damage hits something other than a package. */
const shortXml = samples.fusionInventory.replaceAll(
  / {4}<(SOFTWARES|PROCESSES)>[\s\S]*?<\/\1>\n/g,
  (whole, _name, at: number) => (at % 37 === 0 ? whole : ''),
)
const shortJson = JSON.stringify({
  ...JSON.parse(samples.full),
  content: { ...JSON.parse(samples.full).content, softwares: [{ name: 'a', version: 1 }], processes: [] },
})

const insertions = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '\0',
    '\\u0000',
    '\ud800',
    '&#0;',
    '<!DOCTYPE x>',
    '<A>',
    '</A>',
    '{',
    '[',
    '"',
    '-1',
    '1e999',
    '9'.repeat(400),
  ),
  fc.constantFrom(
    '<![CDATA[',
    '-->',
    '&amp;',
    'null',
    'true',
    '[[[[[',
    '\u202e',
    'é'.repeat(300),
    '99999999999999999999',
  ),
)

describe.each([
  ['XML', shortXml],
  ['JSON', shortJson],
])('damaged inventories in %s', (format, recorded) => {
  test(`a damaged inventory in ${format} is refused or can be stored`, () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: recorded.length }), fc.nat({ max: 30 }), insertions), {
          minLength: 1,
          maxLength: 8,
        }),
        (damages) => {
          const damaged = damages.reduce(
            (text, [at, length, inserted]) => text.slice(0, at) + inserted + text.slice(at + length),
            recorded,
          )
          requireStorable(Buffer.from(damaged))
        },
      ),
      { numRuns: 300 },
    )
  })

  test(`a damaged packed inventory in ${format} is refused or can be stored`, () => {
    const packed = deflateSync(recorded)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: packed.length - 1 }), fc.nat({ max: 255 })), { minLength: 1 }),
        (damages) => {
          const damaged = Buffer.from(packed)
          for (const [at, byte] of damages) damaged[at] = byte
          requireStorable(damaged)
        },
      ),
      { numRuns: 100 },
    )
  })
})

test('values of any type in any field are refused or can be stored', () => {
  const fields = [
    'hardware',
    'bios',
    'operatingsystem',
    'drives',
    'networks',
    'batteries',
    'printers',
    'videos',
    'monitors',
  ]
  const names = [
    'name',
    'total',
    'free',
    'type',
    'letter',
    'mac',
    'ipaddress',
    'capacity',
    'real_capacity',
    'resolution',
  ]
  const more = [
    'memory',
    'uuid',
    'ssn',
    'bdate',
    'fqdn',
    'version',
    'full_name',
    'kernel_name',
    'base64',
    'description',
  ]
  const entry = fc.dictionary(fc.constantFrom(...names, ...more), fc.anything({ maxDepth: 1 }), { maxKeys: 12 })
  const section = fc.oneof(entry, fc.array(entry, { maxLength: 4 }), fc.anything({ maxDepth: 2 }))
  const lists = fc.constantFrom('cpus', 'softwares', 'antivirus', 'firewalls', 'users', ...fields)
  const content = fc.dictionary(lists, section, { maxKeys: 14 })

  fc.assert(
    fc.property(content, (generated) => {
      const report = { action: 'inventory', deviceid: 'a', content: { hardware: { name: 'a' }, ...generated } }
      requireStorable(
        Buffer.from(JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? `${value}` : value))),
      )
    }),
    { numRuns: 400 },
  )
})
