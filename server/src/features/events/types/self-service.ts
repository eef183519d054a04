import { enumOf, Instant, nullable, Uuid } from '../../../platform/schema.ts'
import { computer, data, name, optionalName, optionalUuid } from '../data-schemas.ts'
import { pathOf, source, utc } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const role = 'computer.read'

const userName = name('mia', 'The user, as the computer reports it')

const chosen = { ...computer, userName }

const choice = (kind: 'Taken' | 'Postponed') =>
  ({
    table: 'user_choices',
    on: 'insert',
    forEach: 'row',
    when: `row.kind = '${kind}'`,
    join: { computers: 'computer_id' },
    optionalJoin: { packages: 'package_id' },
    subject: pathOf('getComputer', 'computer_id'),
    computer: 'computer_id',
  }) as const

const choiceData = { computerId: 'computer_id', computerName: 'computers.name', userName: 'user_name' } as const

const request = {
  ...chosen,
  requestId: Uuid,
  wish: name('An editor for PDF files', 'What the user asks for'),
}

const requestSource = {
  table: 'package_requests',
  forEach: 'row',
  join: { computers: 'computer_id' },
  optionalJoin: { packages: 'package_id' },
  subject: pathOf('getPackageRequest', 'id'),
  computer: 'computer_id',
} as const

const requestData = { ...choiceData, requestId: 'id', wish: 'wish' } as const

export const selfServiceEvents = [
  eventType({
    type: 'muster.user.took-package',
    summary: 'A user of a computer has taken an optional package',
    role,
    subject: 'The computer',
    data: data('UserTookPackage', {
      ...chosen,
      packageId: optionalUuid('The package, unless it is deleted'),
      packageName: optionalName('Example Editor'),
    }),
    sources: [
      source({
        ...choice('Taken'),
        data: { ...choiceData, packageId: 'package_id', packageName: 'packages.name' },
      }),
    ],
  }),
  eventType({
    type: 'muster.user.postponed-work',
    summary: 'A user of a computer has postponed the work that may be postponed',
    role,
    subject: 'The computer',
    data: data('UserPostponedWork', { ...chosen, untilUtc: { ...Instant, description: 'Until when' } }),
    sources: [source({ ...choice('Postponed'), data: { ...choiceData, untilUtc: utc('postponed_until') } })],
  }),
  eventType({
    type: 'muster.package-request.made',
    summary: 'A user of a computer asks for a package',
    role,
    subject: 'The package request',
    data: data('PackageRequestMade', request),
    sources: [source({ ...requestSource, on: 'insert', data: requestData })],
  }),
  eventType({
    type: 'muster.package-request.decided',
    summary: 'A package request was approved or declined',
    role,
    subject: 'The package request',
    data: data('PackageRequestDecided', {
      ...request,
      state: enumOf(['Approved', 'Declined']),
      decidedBy: nullable(name('client-77c0d2e41a', 'Name of the principal that decided')),
      packageId: optionalUuid('The package that the computer gets'),
      packageName: optionalName('Example Editor'),
    }),
    sources: [
      source({
        ...requestSource,
        on: 'update',
        whenChanged: ['state'],
        data: {
          ...requestData,
          state: 'state',
          decidedBy: 'decided_by',
          packageId: 'package_id',
          packageName: 'packages.name',
        },
      }),
    ],
  }),
] as const
