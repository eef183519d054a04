import { recordOsInstallation } from '../../features/os-deployment/record-os-installation.ts'
import { noContent, operation } from '../../platform/operation.ts'
import { closed, enumOf, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { TokenPath } from './schemas.ts'

export const reportInstallation = operation({
  id: 'reportInstallation',
  route: 'POST /boot/report/:token',
  summary: 'Report the result of an operating system installation',
  description:
    'Closes the work item of the installation; from then on the computer boots from its disk. A second report changes nothing.',
  role: 'machine',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  params: TokenPath,
  body: closed({
    status: enumOf(['Success', 'Failed'], { description: 'How the installation ended' }),
    message: Type.Optional(nullable(text(4_000, 'The disk is too small.', 'Details for people'))),
    languagePacks: Type.Optional(
      Type.Array(Uuid, {
        maxItems: 200,
        examples: [[]],
        description: 'Packages of the language packs that it has installed',
      }),
    ),
  }),
  returns: noContent,
  async handle({ body, db, machine }) {
    await recordOsInstallation(db, machine.clientId, {
      status: body.status,
      message: body.message ?? null,
      languagePacks: body.languagePacks ?? [],
    })
  },
})
