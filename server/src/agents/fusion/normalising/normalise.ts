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

/** The sections of an agent out of which a list of ours is made, and how. */
const lists = [
  { name: 'disks', from: 'drives', read: disks },
  { name: 'networkAdapters', from: 'networks', read: networkAdapters },
  { name: 'batteries', from: 'batteries', read: batteries },
  { name: 'printers', from: 'printers', read: printers },
  { name: 'videoControllers', from: 'videos', read: videoControllers },
  { name: 'monitors', from: 'monitors', read: monitors },
  { name: 'processors', from: 'cpus', read: processors },
  { name: 'installedSoftware', from: 'softwares', read: installedSoftware },
] as const

/** Makes our sections of those of an agent. What a partial report leaves out is left out here, too. */
export function normalise(content: Entry, isPartial: boolean): NormalSection[] {
  return [
    ...lists
      .filter(({ from }) => !isPartial || content[from] !== undefined)
      .map(({ name, read }) => listSection(name, read(content))),
    recordSection('bios', biosOf(content)),
    recordSection('computerSystem', computerSystemOf(content)),
    partialSection('system', systemOf(content, isPartial), isPartial),
    partialSection('security', securityOf(content, isPartial), isPartial),
  ]
}

/** Some agents list things in another order each time; that is no news. */
function listSection(name: string, found: readonly object[]): NormalSection {
  const items = found.slice(0, name === 'installedSoftware' ? mostSoftware : mostHardware)
  const texts = items.map((item) => JSON.stringify(item))
  const compared =
    name === 'disks' ? (items as ReturnType<typeof disks>).map((disk) => JSON.stringify(lastingPart(disk))) : texts
  return { name, hash: hashOf(compared.toSorted().join('\n')), content: `[${texts.join()}]` }
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
