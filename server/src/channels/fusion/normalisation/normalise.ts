import { createHash } from 'node:crypto'
import { batteries, installedSoftware, printers, processors, videoControllers } from './devices.ts'
import { disks, lastingPart } from './disks.ts'
import { serialNumberOf } from './identity.ts'
import { monitors } from './monitors.ts'
import { networkAdapters } from './networks.ts'
import { meaningfulUuid } from './placeholders.ts'
import { securityOf } from './security.ts'
import { systemOf } from './system.ts'
import { type Entry, entryOf, told } from './values.ts'

/** A section of our inventory, as it is stored. */
export type NormalSection = {
  name: string
  /** What is compared with the stored one; null where the section has to be completed first. */
  hash: string | null
  /** JSON of the item, or of the items. */
  content: string
}

export type WholeSection = NormalSection & { hash: string }

/** To be raised when the same report is to be stored in another way: then it counts as changed. */
const version = 'fusion 1'

const mostHardware = 1000
const mostSoftware = 5000

type ListReader = (content: Entry) => { items: object[]; compared: string[] }

/** Everything that an item says is compared, unless something else is told. */
const listOf =
  <T extends object>(
    read: (content: Entry) => T[],
    compare: (item: T) => string = (item) => JSON.stringify(item),
  ): ListReader =>
  (content) => {
    const items = read(content).slice(0, mostHardware)
    return { items, compared: items.map(compare) }
  }

/** The longest list by far, for which the texts themselves are quicker than their JSON. */
const softwareList: ListReader = (content) => {
  const items = installedSoftware(content).slice(0, mostSoftware)
  return { items, compared: items.map((item) => `${item.productName}\t${item.version}\t${item.publisher}`) }
}

/** The sections of an agent out of which a list of ours is made, and how. */
const lists: readonly { name: string; from: string; read: ListReader }[] = [
  { name: 'disks', from: 'drives', read: listOf(disks, (disk) => JSON.stringify(lastingPart(disk))) },
  { name: 'networkAdapters', from: 'networks', read: listOf(networkAdapters) },
  { name: 'batteries', from: 'batteries', read: listOf(batteries) },
  { name: 'printers', from: 'printers', read: listOf(printers) },
  { name: 'videoControllers', from: 'videos', read: listOf(videoControllers) },
  { name: 'monitors', from: 'monitors', read: listOf(monitors) },
  { name: 'processors', from: 'cpus', read: listOf(processors) },
  { name: 'installedSoftware', from: 'softwares', read: softwareList },
]

/** Makes our sections of those of an agent. What a partial report leaves out is left out here, too. */
export function normalise(content: Entry, isPartial: boolean): NormalSection[] {
  const told = lists.filter(({ from }) => !isPartial || content[from] !== undefined)
  return [
    ...told.map(({ name, read }) => {
      const { items, compared } = read(content)
      return listSection(name, items, compared)
    }),
    recordSection('bios', biosOf(content)),
    recordSection('computerSystem', computerSystemOf(content)),
    partialSection('system', systemOf(content, isPartial), isPartial),
    partialSection('security', securityOf(content, isPartial), isPartial),
  ]
}

/** Some agents list things in another order each time; that is no news. */
function listSection(name: string, items: readonly object[], compared: readonly string[]): NormalSection {
  return { name, hash: hashOf(compared.toSorted().join('\n')), content: JSON.stringify(items) }
}

export function recordSection(name: string, item: object): WholeSection {
  const content = JSON.stringify(item)
  return { name, hash: hashOf(content), content }
}

function partialSection(name: string, item: object, isPartial: boolean): NormalSection {
  return isPartial ? { name, hash: null, content: JSON.stringify(item) } : recordSection(name, item)
}

function hashOf(text: string): string {
  return createHash('sha256').update(version).update(text).digest('hex')
}

function biosOf(content: Entry) {
  const bios = entryOf(content.bios)
  return {
    caption: told(bios.bversion),
    manufacturer: told(bios.bmanufacturer),
    smBiosVersion: told(bios.bversion),
    serialNumber: serialNumberOf(content),
    version: told(bios.bversion),
    uuid: meaningfulUuid(entryOf(content.hardware).uuid),
  }
}

function computerSystemOf({ bios }: Entry) {
  const { smanufacturer, smodel, mmanufacturer, mmodel } = entryOf(bios)
  return { manufacturer: told(smanufacturer) ?? told(mmanufacturer), model: told(smodel) ?? told(mmodel) }
}
