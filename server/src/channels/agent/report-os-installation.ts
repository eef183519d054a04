import { recordOsInstallation } from '../../features/os-deployment/record-os-installation.ts'
import { noContent, operation } from '../../platform/operation.ts'
import { closed, enumOf, nullable, text } from '../../platform/schema.ts'

export const reportOsInstallation = operation({
  id: 'reportOsInstallation',
  route: 'POST /agent/v1/os-installation',
  summary: 'Say that an operating system was installed, or could not be',
  description: 'Either way the computer does not boot into an installation any more.',
  role: 'machine',
  bodyLimit: 16_384,
  body: closed(
    { status: enumOf(['Success', 'Failed']), message: nullable(text(4000, 'The image was applied.')) },
    { title: 'OsInstallationReport' },
  ),
  returns: noContent,
  handle: ({ body, db, machine: { clientId } }) => recordOsInstallation(db, clientId, body),
})
