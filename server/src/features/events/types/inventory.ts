import { enumOf } from '../../../platform/schema.ts'
import { computer, count, data, name, objects } from '../data-schemas.ts'
import { maxListedItems, numberOfRows, pathOf, source, textValue } from '../event-source.ts'
import { eventType } from '../event-type.ts'

/** Sections with several rows per computer, each with a position. */
const rowSections = {
  disk_drives: 'disks',
  batteries: 'batteries',
  printers: 'printers',
  network_adapters: 'networkAdapters',
  video_controllers: 'videoControllers',
  desktop_monitors: 'monitors',
  processors: 'processors',
} as const

/** Sections with one row per computer. */
const recordSections = { system_records: 'system', security_records: 'security', bios_records: 'bios' } as const

const changeOf = { insert: 'Added', update: 'Changed', delete: 'Removed' } as const
const operations = ['insert', 'update', 'delete'] as const

type Operation = (typeof operations)[number]

/** The rows of a computer that one statement changed share an event. A computer that is deleted leaves no such event. */
const ofComputer = (section: string, on: Operation) =>
  ({
    on,
    join: { computers: 'computer_id' },
    groupBy: ['computer_id'],
    subject: pathOf('getComputer', 'computer_id'),
    computer: 'computer_id',
    data: {
      computerId: 'computer_id',
      computerName: 'computers.name',
      section: textValue(section),
      change: textValue(changeOf[on]),
      count: numberOfRows,
    },
  }) as const

const rowSource = (table: keyof typeof rowSections) => (on: Operation) => {
  const common = ofComputer(rowSections[table], on)
  const list = on === 'update' ? { changesExcept: [] } : { rowExcept: ['computer_id', 'position'] as const }
  return source({
    table,
    ...common,
    ...(on === 'update' && { key: ['computer_id', 'position'] }),
    data: { ...common.data, items: { list, orderBy: ['row.position'], max: maxListedItems } },
  })
}

const recordSource = (table: keyof typeof recordSections) => (on: Operation) => {
  const common = ofComputer(recordSections[table], on)
  const list = on === 'update' ? { changesExcept: [] } : { rowExcept: ['computer_id'] as const }
  return source({
    table,
    ...common,
    ...(on === 'update' && { key: ['computer_id'] }),
    data: { ...common.data, items: { list } },
  })
}

const softwareSource = (on: 'insert' | 'delete') => {
  const common = ofComputer('installedSoftware', on)
  return source({
    table: 'installed_software',
    ...common,
    join: { computers: 'computer_id', software_products: 'product_id' },
    data: {
      ...common.data,
      items: {
        list: {
          productName: 'software_products.name',
          version: 'software_products.version',
          publisher: 'software_products.publisher',
        },
        orderBy: ['software_products.name'],
        max: maxListedItems,
      },
    },
  })
}

const serviceSource = (on: Operation) => {
  const common = ofComputer('services', on)
  return source({
    table: 'computer_services',
    ...common,
    join: { computers: 'computer_id', service_definitions: 'definition_id' },
    data: {
      ...common.data,
      items: {
        list: { name: 'service_definitions.name', status: 'status' },
        orderBy: ['service_definitions.name'],
        max: maxListedItems,
      },
    },
  })
}

const keysOf = <K extends string>(object: Record<K, unknown>) => Object.keys(object) as K[]

export const inventoryEvents = [
  eventType({
    type: 'muster.inventory.changed',
    summary: 'A section of the inventory of a computer changed',
    role: 'computer.read',
    subject: 'The computer',
    data: data('InventoryChanged', {
      ...computer,
      section: name('installedSoftware', 'Name of the section'),
      change: enumOf(['Added', 'Removed', 'Changed']),
      count: count('How many items were added, removed or changed', 3),
      items: objects('Up to 50 of them. Of a changed item, its changed properties', {
        productName: 'Example Editor',
        version: '4.2.1',
      }),
    }),
    sources: [
      ...keysOf(rowSections).flatMap((table) => operations.map(rowSource(table))),
      ...keysOf(recordSections).flatMap((table) => operations.map(recordSource(table))),
      ...(['insert', 'delete'] as const).map(softwareSource),
      ...operations.map(serviceSource),
    ],
  }),
] as const
