import { closed, enumOf, Id, Instant, Int32, nullable, Type, text } from '../../../platform/schema.ts'
import { OsDeploymentReadiness } from '../../assignments/api/effective/schemas.ts'

const Address = text(
  64,
  '192.0.2.17',
  'Address that fetched the boot script. After 100 of them, or 16 of one IPv6 network, further ones are listed as "other addresses"',
)

export const OsInstallationConfirmation = closed({ address: Address }, { title: 'OsInstallationConfirmation' })

const BootRequest = closed(
  {
    address: Address,
    fetchedAtUtc: { ...Instant, description: 'When it fetched the boot script for the first time' },
    reportedAtUtc: nullable({ ...Instant, description: 'When its installer reported; null if it has not' }),
    reportedFrom: nullable(text(64, '192.0.2.17', 'Address that sent the report')),
    status: nullable(enumOf(['Success', 'Failed'], { description: 'How the installation ended, as reported' })),
    message: nullable(text(4_000, 'The disk is too small.', 'Details for people')),
  },
  { title: 'BootRequest' },
)

export const OsInstallationState = closed(
  {
    isPending: Type.Boolean({ examples: [true], description: 'True while the computer is activated for PXE' }),
    bootRequests: Type.Array(BootRequest, {
      description:
        'The addresses that have fetched a boot script since the activation. A report that is listed here has not been confirmed.',
    }),
  },
  { title: 'OsInstallationState' },
)

const { ready, edition, missing } = OsDeploymentReadiness.properties

const count = (description: string) => ({ ...Int32, minimum: 0, examples: [1], description })

export const PendingOsInstallation = closed(
  {
    id: { ...Id, description: 'The computer' },
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    activatedAtUtc: { ...Instant, description: 'Since when it waits' },
    ready,
    edition,
    missing,
    bootRequests: count('Addresses that have fetched a boot script since the activation'),
    reports: count('Reports of installers that wait to be confirmed'),
  },
  { title: 'PendingOsInstallation' },
)
