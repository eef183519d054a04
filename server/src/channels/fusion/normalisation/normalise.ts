import { createHash } from 'node:crypto'
import { toBatteries, toInstalledSoftware, toPrinters, toProcessors, toVideoControllers } from './devices.ts'
import { toDisks, toLastingPart } from './disks.ts'
import { findSerialNumber } from './identity.ts'
import { toMonitors } from './monitors.ts'
import { toNetworkAdapters } from './networks.ts'
import { toMeaningfulUuid } from './placeholders.ts'
import { toSecurity } from './security.ts'
import { toSystem } from './system.ts'
import { type Entry, entryOf, toText } from './values.ts'

/** A section in the form in which the Muster agent reports it. */
export type NormalisedSection = {
  name: string
  /** Compared with the stored hash; null for an incomplete section, which must be completed first. */
  hash: string | null
  /** JSON of the item or of the items. */
  content: string
}

export type CompleteSection = NormalisedSection & { hash: string }

/** Raise it when the same report must be stored in another way: then all reports count as changed. */
const normalisationVersion = 'fusion 2'

const maxHardwareItems = 1000
const maxProducts = 5000

type ListReader = (content: Entry) => { items: object[]; compared: string[] }

/** By default, items are compared with all their properties. */
const listReader =
  <T extends object>(
    read: (content: Entry) => T[],
    compare: (item: T) => string = (item) => JSON.stringify(item),
  ): ListReader =>
  (content) => {
    const items = read(content).slice(0, maxHardwareItems)
    return { items, compared: items.map(compare) }
  }

/** By far the largest list: comparing the texts themselves is faster than building their JSON. */
const readSoftware: ListReader = (content) => {
  const items = toInstalledSoftware(content).slice(0, maxProducts)
  return { items, compared: items.map((item) => `${item.productName}\t${item.version}\t${item.publisher}`) }
}

/** Our lists, the sections of the agent that they come from, and how they are read. */
const lists: readonly { name: string; from: string; read: ListReader }[] = [
  { name: 'disks', from: 'drives', read: listReader(toDisks, (disk) => JSON.stringify(toLastingPart(disk))) },
  { name: 'networkAdapters', from: 'networks', read: listReader(toNetworkAdapters) },
  { name: 'batteries', from: 'batteries', read: listReader(toBatteries) },
  { name: 'printers', from: 'printers', read: listReader(toPrinters) },
  { name: 'videoControllers', from: 'videos', read: listReader(toVideoControllers) },
  { name: 'monitors', from: 'monitors', read: listReader(toMonitors) },
  { name: 'processors', from: 'cpus', read: listReader(toProcessors) },
  { name: 'installedSoftware', from: 'softwares', read: readSoftware },
]

/** Converts the sections of an agent into ours. Lists that a partial report leaves out are left out here, too. */
export function normaliseInventory(content: Entry, isPartial: boolean): NormalisedSection[] {
  const reported = lists.filter(({ from }) => !isPartial || content[from] !== undefined)
  return [
    ...reported.map(({ name, read }) => {
      const { items, compared } = read(content)
      return toListSection(name, items, compared)
    }),
    toObjectSection('bios', toBios(content)),
    toObjectSection('computerSystem', toComputerSystem(content)),
    toMergeableSection('system', toSystem(content, isPartial), isPartial),
    toMergeableSection('security', toSecurity(content, isPartial), isPartial),
  ]
}

/** The hash ignores the order, because some agents list items in another order each time. */
function toListSection(name: string, items: readonly object[], compared: readonly string[]): NormalisedSection {
  return { name, hash: hashOf(compared.toSorted().join('\n')), content: JSON.stringify(items) }
}

export function toObjectSection(name: string, item: object): CompleteSection {
  const content = JSON.stringify(item)
  return { name, hash: hashOf(content), content }
}

function toMergeableSection(name: string, item: object, isPartial: boolean): NormalisedSection {
  return isPartial ? { name, hash: null, content: JSON.stringify(item) } : toObjectSection(name, item)
}

function hashOf(text: string): string {
  return createHash('sha256').update(normalisationVersion).update(text).digest('hex')
}

function toBios(content: Entry) {
  const bios = entryOf(content.bios)
  return {
    caption: toText(bios.bversion),
    manufacturer: toText(bios.bmanufacturer),
    smBiosVersion: toText(bios.bversion),
    serialNumber: findSerialNumber(content),
    version: toText(bios.bversion),
    uuid: toMeaningfulUuid(entryOf(content.hardware).uuid),
  }
}

function toComputerSystem({ bios }: Entry) {
  const { smanufacturer, smodel, mmanufacturer, mmodel } = entryOf(bios)
  return { manufacturer: toText(smanufacturer) ?? toText(mmanufacturer), model: toText(smodel) ?? toText(mmodel) }
}
