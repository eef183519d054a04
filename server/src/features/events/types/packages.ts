import { Uuid } from '../../../platform/schema.ts'
import { changes, data, name, optionalName } from '../data-schemas.ts'
import { expression, pathOf, source } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const ofPackage = {
  packageId: Uuid,
  packageName: name('Example Editor'),
  packageVersion: optionalName('4.2.1'),
  kind: name('Software'),
}
const inPackages = { role: 'package.read', subject: 'The package' } as const

const common = {
  table: 'packages',
  subject: pathOf('getPackage', 'id'),
  data: { packageId: 'id', packageName: 'name', packageVersion: 'version', kind: 'kind' },
} as const

const changedPackage = source({
  ...common,
  on: 'update',
  forEach: 'row',
  whenChanged: ['name', 'version', 'revision', 'is_operational', 'hash_state', 'content_hash'],
  data: {
    ...common.data,
    changes: {
      changesOf: {
        name: 'name',
        version: 'version',
        revision: 'revision',
        isReadyToInstall: 'is_operational',
        hashState: 'hash_state',
        content: expression(`encode(row.content_hash, 'hex')`),
      },
    },
  },
})

export const packageEvents = [
  eventType({
    type: 'muster.package.imported',
    summary: 'A package was imported',
    ...inPackages,
    data: data('PackageImported', ofPackage),
    sources: [source({ ...common, on: 'insert', orderBy: ['row.name'] })],
  }),
  eventType({
    type: 'muster.package.changed',
    summary: 'A package was imported again, released or withdrawn, or its content was verified',
    ...inPackages,
    data: data('PackageChanged', { ...ofPackage, changes }),
    sources: [changedPackage],
  }),
  eventType({
    type: 'muster.package.deleted',
    summary: 'A package was deleted',
    ...inPackages,
    data: data('PackageDeleted', ofPackage),
    sources: [source({ ...common, on: 'delete', orderBy: ['row.name'] })],
  }),
] as const
