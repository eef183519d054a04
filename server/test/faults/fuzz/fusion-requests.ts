import { deflateSync, gzipSync } from 'node:zlib'
import { fromComputer, sample } from '../../channels/fusion/recorded-computer.ts'
import { hostileAddressParts } from '../hostile-values.ts'
import type { FuzzRequest } from './build-request.ts'
import { hostileText } from './hostile.ts'
import { mutateText, mutateValue } from './mutate.ts'
import { type Random, randomUuid } from './random.ts'

const textOf = (name: string) => sample(name).toString()

type JsonMessage = { deviceid?: string; content?: Record<string, unknown> }
/** A message, split so that some of its sections can be sent without the others. */
type Sample = { json: JsonMessage } | { before: string; sections: string[]; after: string }

function splitSample(text: string): Sample {
  if (text.startsWith('{')) return { json: JSON.parse(text) }
  const [, before = text, content = '', after = ''] = /^(.*<CONTENT>)(.*)(<\/CONTENT>.*)$/s.exec(text) ?? []
  return { before, sections: content.match(/<([A-Z_]+)>(?:(?!<\/?\1>).)*<\/\1>\s*/gs) ?? [], after }
}

const messages: [Sample, ...Sample[]] = [
  splitSample(textOf('fi-prolog-request.xml')),
  splitSample(textOf('ocs-prolog-request.xml')),
  splitSample(textOf('glpi-contact-request.json')),
  splitSample(textOf('glpi-inventory-partial-request.json')),
]
/** A whole inventory takes a hundred times as long as an ordinary message, so most of them are cut down. */
const inventories: [Sample, ...Sample[]] = [
  splitSample(textOf('fi-inventory-request.xml')),
  splitSample(textOf('glpi-xml-inventory-request.xml')),
  splitSample(textOf('glpi-inventory-full-request.json')),
]

const wholeShare = 0.02
const sectionsKept = 6
const devices = 200

/** A message of a foreign agent, as recorded from a real one, with hostile values in it. */
export function buildFusionRequest(random: Random, secret: string): FuzzRequest {
  const isMessage = random.chance(0.7)
  const address = random.chance(0.95) ? `/agent/fusion/${secret}` : `/agent/fusion/${random.find(hostileAddressParts)}`
  const headers: Record<string, string> = { 'User-Agent': random.pick(userAgents) }
  if (random.chance(0.3)) headers['GLPI-Agent-ID'] = randomUuid(random)
  if (random.chance(0.3)) headers['GLPI-Request-ID'] = random.pick(['A1B2C3D4', 'zzz', '1'.repeat(500)])
  const common = { surface: 'fusion' as const, operation: undefined, headers }
  if (!isMessage)
    return {
      ...common,
      name: 'ask for work',
      method: 'GET',
      path: address + buildTask(random),
      body: undefined,
    }
  const text = buildMessage(random)
  const damaged = random.chance(0.15) ? mutateText(random, text) : Buffer.from(text)
  const body = pack(random, damaged)
  headers['Content-Type'] = random.pick(['application/x-compress-zlib', 'application/xml', 'application/json', 'x'])
  return { ...common, name: 'report', method: 'POST', path: address, body }
}

const userAgents = [
  'FusionInventory-Agent_v2.6-3',
  'GLPI-Agent_v1.12',
  'OCS-NG_unified_unix_agent_v2.10.0',
  'x',
] as const

function buildTask(random: Random): string {
  const query = new URLSearchParams({
    action: random.pick(['getConfig', 'getJobs', 'setStatus', hostileText(random).slice(0, 500)]),
    machineid: random.pick([`device-${random.integer(devices)}`, hostileText(random).slice(0, 500).toWellFormed()]),
    [random.pick(['task[Deploy]', '__proto__', 'part'])]: random.pick(['2.8', 'job', '']),
  })
  return `?${query}`
}

function buildMessage(random: Random): string {
  const isInventory = random.chance(0.5)
  const chosen = random.pick(isInventory ? inventories : messages)
  const isWhole = !isInventory || random.chance(wholeShare)
  const device = `device-${random.integer(devices)}`
  // Most messages come from a computer of their own. The others claim to be the one on which the samples were recorded.
  const identify = (text: string) => (random.chance(0.9) ? fromComputer(text, device) : text)
  const choose = <T extends string | [string, unknown]>(sections: T[]) =>
    sections.filter((one) => isWhole || isIdentity(one) || random.next() * sections.length < sectionsKept)
  if ('json' in chosen) {
    const { content, ...rest } = chosen.json
    const sections = content && { content: Object.fromEntries(choose(Object.entries(content))) }
    const value = structuredClone({ ...rest, ...sections })
    return identify(JSON.stringify(random.chance(0.2) ? value : mutateValue(random, value), null, 1))
  }
  const xml = chosen.before + choose(chosen.sections).join('') + chosen.after
  return identify(random.chance(0.2) ? xml : mutateXml(random, xml))
}

/** Without these sections, an inventory is refused unread. */
function isIdentity(section: string | [string, unknown]): boolean {
  return /^<?(hardware|networks|versionclient)\b/i.test(typeof section === 'string' ? section : section[0])
}

function mutateXml(random: Random, xml: string): string {
  const elements = xml.match(/<[A-Z_]+>[^<]*<\/[A-Z_]+>/g) ?? []
  const element = random.find(elements) ?? '<REQUEST>'
  const [, name = 'X'] = /<(\w+)>/.exec(element) ?? []
  const text = hostileText(random)
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const replacement = random.pick([
    `<${name}>${escaped}</${name}>`,
    `<${name}>${escaped}</${name}>`,
    `<${name}>${text}</${name}>`,
    `<${name}><![CDATA[${text}]]></${name}>`,
    `<${name} a="${escaped.replaceAll('"', '')}"/>`,
    '',
    element + element,
    `<${name}>`.repeat(30) + `</${name}>`.repeat(30),
    `<${name}>&#0;&#xd800;&#x110000;&unknown;</${name}>`,
    `<!DOCTYPE x [<!ENTITY a "aaaa">]><${name}>&a;</${name}>`,
  ])
  return xml.replace(element, () => replacement)
}

function pack(random: Random, body: Buffer): Buffer {
  const kind = random.next()
  if (kind < 0.6) return deflateSync(body, { level: 1 })
  if (kind < 0.8) return body
  if (kind < 0.9) return gzipSync(body, { level: 1 })
  const packed = deflateSync(body, { level: 1 })
  return kind < 0.95 ? packed.subarray(0, random.integer(packed.length)) : mutateText(random, packed.toString('latin1'))
}
