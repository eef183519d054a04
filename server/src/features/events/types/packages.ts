import { enumOf, Id, nullable, text, Uuid } from '../../../platform/schema.ts'
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

const trial = {
  trialId: Uuid,
  packageId: Uuid,
  packageName: name('Example Editor'),
  packageVersion: optionalName('4.2.1'),
  computerId: nullable({ ...Id, description: 'The computer; null if it was deleted' }),
  computerName: name('PC-0017'),
  startedBy: name('client-77c0d2e41a', 'Name of the principal that requested the trial'),
}

const trialSource = {
  table: 'package_trials',
  forEach: 'row',
  join: { packages: 'package_id' },
  subject: pathOf('getPackageTrial', 'id'),
  data: {
    trialId: 'id',
    packageId: 'package_id',
    packageName: 'packages.name',
    packageVersion: 'packages.version',
    computerId: 'computer_id',
    computerName: 'computer_name',
    startedBy: 'started_by',
  },
} as const

const ofTrial = { role: 'package.read', subject: 'The trial' } as const

export const packageEvents = [
  eventType({
    type: 'muster.package-trial.started',
    summary: 'The trial of a package on a computer was requested',
    ...ofTrial,
    data: data('PackageTrialStarted', trial),
    sources: [source({ ...trialSource, on: 'insert' })],
  }),
  eventType({
    type: 'muster.package-trial.ended',
    summary: 'The trial of a package succeeded, failed or was cancelled',
    ...ofTrial,
    data: data('PackageTrialEnded', {
      ...trial,
      state: enumOf(['Succeeded', 'Failed', 'Cancelled']),
      errorText: nullable(text(4000, 'The command exited with code 1.', 'Why it failed')),
    }),
    sources: [
      source({
        ...trialSource,
        on: 'update',
        whenChanged: ['state'],
        data: { ...trialSource.data, state: 'state', errorText: 'error_text' },
      }),
    ],
  }),
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
