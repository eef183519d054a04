import { computerNotFound } from '../../features/computers/computers.ts'
import { recordOsInstallation } from '../../features/os-deployment/record-os-installation.ts'
import { noContent, operation } from '../../platform/operation.ts'
import { closed, enumOf, nullable, text } from '../../platform/schema.ts'

export const reportOsInstallation = operation({
  id: 'reportOsInstallation',
  route: 'POST /agent/v1/os-installation',
  summary: 'Report the result of an operating system installation',
  description:
    'Closes the work item of the installation. Whether it succeeded or not, the computer boots from its disk from now on. Without a pending installation, the report changes nothing.',
  role: 'machine',
  bodyLimit: 16_384,
  body: closed(
    {
      status: enumOf(['Success', 'Failed'], { description: 'How the installation ended' }),
      message: nullable(text(4000, 'The image was applied.', 'Details for people')),
    },
    { title: 'OsInstallationReport' },
  ),
  returns: noContent,
  problems: [computerNotFound],
  handle: ({ body, db, machine: { clientId } }) =>
    recordOsInstallation(db, clientId, { ...body, languagePacks: [], preOsPackages: [] }),
})
