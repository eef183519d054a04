import { recordBootReport } from '../../features/os-deployment/record-boot-report.ts'
import { noContent, operation } from '../../platform/operation.ts'
import { closed, enumOf, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { verifyBootToken } from './boot-token.ts'
import { clientAddress } from './client-address.ts'
import { TokenPath } from './schemas.ts'

export const reportInstallation = operation({
  id: 'reportInstallation',
  route: 'POST /boot/report/:token',
  summary: 'Report the result of an operating system installation',
  description:
    'Closes the work item of the installation; from then on the computer boots from its disk. A second report changes nothing. ' +
    'So does a report after the computer was activated with a different boot image or edition. ' +
    'A report from an address other than the one that fetched the boot script, from one of several addresses that fetched it, or ' +
    'for a computer with an agent is stored and counts once an agent has enrolled: until then, only the address that fetched ' +
    'the script boots from its disk.',
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
    preOsPackages: Type.Optional(
      Type.Array(
        closed(
          {
            packageId: Uuid,
            status: enumOf(['Success', 'Failed'], { description: 'How the package ended' }),
            message: Type.Optional(nullable(text(4_000, 'The disk has no room.', 'Details for people'))),
          },
          { title: 'PreOsPackageResult' },
        ),
        {
          maxItems: 200,
          examples: [[]],
          description:
            'What it did with the packages that run before the operating system. Others wait for the next activation',
        },
      ),
    ),
  }),
  returns: noContent,
  async handle({ params: { token }, body, db, services: { keys, configuration }, request }) {
    const { grantId, ...bootedWith } = await verifyBootToken(keys, token)
    await recordBootReport(db, {
      bootedWith,
      grantId,
      address: clientAddress(request),
      isBoundToAddress: configuration.bootBinding === 'address',
      needsAgent: configuration.bootConfirmation === 'always',
      status: body.status,
      message: body.message ?? null,
      languagePacks: body.languagePacks ?? [],
      preOsPackages: body.preOsPackages ?? [],
    })
  },
})
