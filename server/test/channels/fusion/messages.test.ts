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

const nothing = new Set<string>()
const tree = (xml: string) => readXml(xml, nothing)

describe('XML', () => {
  test('is read with its lists, its entities and its text', () => {
    const xml = `<?xml version="1.0"?>\n<R a="1"><!-- no --><A>x &lt;&amp;&#x41;&#66;</A><A/><B><C><![CDATA[<raw>&]]></C></B></R>\n`

    expect(tree(xml)).toEqual({ r: { a: ['x <&AB', ''], b: { c: '<raw>&' } } })
  })

  test.each([
    ['a DOCTYPE', '<!DOCTYPE R [<!ENTITY a "b">]><R>&a;</R>'],
    ['an entity of its own', '<R>&a;</R>'],
    ['an entity that is no end', '<R>a & b</R>'],
    ['a character that is none', '<R>&#0;</R>'],
    ['half of a character', '<R>&#xd800;</R>'],
    ['tags that do not match', '<R><A></B></R>'],
    ['more than one root', '<R/><R/>'],
    ['no end', '<R><A>'],
    ['text around it', '<R/>text'],
    ['names that every object has', '<R><__proto__>x</__proto__></R>'],
    ['too many levels', `${'<R>'.repeat(100)}${'</R>'.repeat(100)}`],
    ['nothing', ''],
  ])('is refused with %s', (_, xml) => {
    expect(() => tree(xml)).toThrow(UnreadableError)
  })

  test('of elements that are ignored leaves nothing behind', () => {
    expect(readXml('<R><P><X>1</X></P><A>2</A><P/></R>', new Set(['p']))).toEqual({ r: { a: '2' } })
  })
})

describe('a message', () => {
  test.each([
    ['zlib', deflateSync(Buffer.alloc(maxInflatedBytes + 1, 'x'))],
    ['gzip', gzipSync(Buffer.alloc(maxInflatedBytes + 1, 'x'))],
  ])('that is much larger than it looks is refused: %s', (_, bomb) => {
    expect(bomb.length).toBeLessThan(50_000)
    expect(() => readMessage(bomb)).toThrow('The message is too large')
  })

  test('that looks small is read by the threads if it is large, and the service goes on', async () => {
    const reader = openReportReader()
    const bomb = deflateSync(Buffer.alloc(900_000, ' '))

    expect(bomb.length).toBeLessThan(1024)
    await expect(reader.read(bomb)).rejects.toThrow(UnreadableError)
    expect((await reader.read(Buffer.from(samples.prolog))).action).toBe('prolog')
    await reader.close()
  })

  test('that ends too early is refused, wherever it is cut', () => {
    const whole = deflateSync(samples.fusionInventory)
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), (length) => {
        expect(readReport(whole.subarray(0, length))).toHaveProperty('unreadable')
      }),
      { numRuns: 50 },
    )
  })
})

/** Whatever comes out may be stored: it is what our own agent might have sent. */
function requireStorable(bytes: Uint8Array): void {
  const read = readReport(bytes)
  if ('unreadable' in read || !read.inventory || read.isPartial) return
  for (const { name, hash, content } of read.inventory.sections) {
    const parsed: unknown = JSON.parse(content)
    const value = Array.isArray(parsed) ? { items: parsed } : { item: parsed }
    const body = { hash, collectedUtc: '2026-03-14T09:00:00Z', ...value }
    const section = inventorySections.find((one) => one.name === name)
    if (!section) throw new Error(`There is no section ${name}.`)
    validate('body', section.body, body)
  }
}

/** A shorter inventory than the recorded one, so that what is changed is something else than a package. */
const shortXml = samples.fusionInventory.replaceAll(
  / {4}<(SOFTWARES|PROCESSES)>[\s\S]*?<\/\1>\n/g,
  (whole, _name, at: number) => (at % 37 === 0 ? whole : ''),
)
const shortJson = JSON.stringify({
  ...JSON.parse(samples.full),
  content: { ...JSON.parse(samples.full).content, softwares: [{ name: 'a', version: 1 }], processes: [] },
})

const oddities = fc.oneof(
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
])('an inventory in %s that was damaged', (_, recorded) => {
  test('is refused, or is one that can be stored', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: recorded.length }), fc.nat({ max: 30 }), oddities), {
          minLength: 1,
          maxLength: 8,
        }),
        (damages) => {
          const damaged = damages.reduce(
            (text, [at, length, oddity]) => text.slice(0, at) + oddity + text.slice(at + length),
            recorded,
          )
          requireStorable(Buffer.from(damaged))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('and packed is refused, or is one that can be stored', () => {
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

test('values of any form in any field are refused, or can be stored', () => {
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
    fc.property(content, (said) => {
      const report = { action: 'inventory', deviceid: 'a', content: { hardware: { name: 'a' }, ...said } }
      requireStorable(
        Buffer.from(JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? `${value}` : value))),
      )
    }),
    { numRuns: 400 },
  )
})
