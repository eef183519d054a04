import { coversAddress, findBootGrant } from '../../features/os-deployment/boot-grants.ts'
import { findInstallation } from '../../features/os-deployment/installation.ts'
import { publicOriginOf } from '../../platform/http/public-origin.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Id, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { verifyBootToken } from './boot-token.ts'
import { fileUrl } from './boot-urls.ts'
import { clientAddress } from './client-address.ts'
import { bootAddressMismatch, installationNotPending } from './problems.ts'
import { TokenPath } from './schemas.ts'

const address = (example: string, description: string) => nullable(text(64, example, description))

const ComputerToInstall = closed(
  {
    id: Id,
    name: text(255, 'pc-0017', 'Name of the computer'),
    domain: nullable(text(255, 'corp.example.org', 'Domain of the computer')),
    isDomain: Type.Boolean({ examples: [true], description: 'True if the computer is to join the domain' }),
    ou: nullable(text(65_536, 'OU=Clients,DC=corp,DC=example,DC=org', 'Where the account of the computer belongs')),
  },
  { title: 'ComputerToInstall' },
)

const StaticNetwork = closed(
  {
    ipAddress: text(64, '192.0.2.17', 'Address of the computer'),
    subnetMask: address('255.255.255.0', 'Subnet mask'),
    standardGateway: address('192.0.2.1', 'Default gateway'),
  },
  { title: 'StaticNetwork', description: 'Null if the computer gets its address by DHCP' },
)

const url = text(4_000, 'https://muster.example.org/boot/files/…/os/install.wim', 'Address of the file')

const valuesByName = { type: 'object', additionalProperties: { type: 'string' } } as const

export const getInstallation = operation({
  id: 'getInstallation',
  route: 'GET /boot/installation/:token',
  summary: 'Get what an installer needs to know about its computer',
  description:
    'Only while the computer is activated for PXE with the image that it has booted, and only for the address that fetched the boot script: the document is gone ' +
    'once the installer has reported. It contains no secrets.',
  role: 'machine',
  rateLimit: ({ bootRateLimit }) => bootRateLimit,
  params: TokenPath,
  returns: ok(
    closed(
      {
        computer: ComputerToInstall,
        network: nullable(StaticNetwork),
        operatingSystem: nullable(
          closed(
            {
              name: text(255, 'Windows 11', 'Name of the package'),
              url,
              index: Type.Integer({ examples: [1], description: 'Number of the edition in the image' }),
              edition: text(255, 'Professional', 'Name of the edition'),
            },
            { title: 'OperatingSystemToInstall' },
          ),
        ),
        languagePacks: Type.Array(
          closed(
            {
              packageId: Uuid,
              name: text(255, 'German', 'Name of the package'),
              language: text(35, 'de-DE', 'Language tag'),
              url,
            },
            { title: 'LanguagePackToInstall' },
          ),
          { description: 'The effective language packs that may be distributed' },
        ),
        preOsPackages: Type.Array(
          closed(
            {
              packageId: Uuid,
              name: text(255, 'Disk layout', 'Name of the package'),
              version: nullable(text(100, '1.0', 'Version of the package')),
              files: Type.Array(
                closed(
                  { path: text(1_000, 'layout.sh', 'Path within the folder of the package'), url },
                  { title: 'PreOsPackageFile' },
                ),
              ),
            },
            { title: 'PreOsPackageToRun' },
          ),
          {
            description:
              'Packages to run before the operating system, in their order. The installer reports their results with its own; ' +
              'an agent that runs before the operating system gets the same packages as work.',
          },
        ),
        variables: Type.Unsafe<Record<string, string>>({
          ...valuesByName,
          examples: [{ 'Printing.Server': 'print01' }],
        }),
        collections: Type.Unsafe<Record<string, Record<string, string>[]>>({
          type: 'object',
          additionalProperties: { type: 'array', items: valuesByName },
          examples: [{ 'Printing.Queues': [{ Name: 'floor-2' }] }],
        }),
      },
      { title: 'Installation' },
    ),
  ),
  problems: [bootAddressMismatch, installationNotPending],
  async handle({ params: { token }, db, services: { keys, configuration }, request }) {
    const { grantId, ...bootedWith } = await verifyBootToken(keys, token)
    const grant = await findBootGrant(db, grantId)
    if (!grant || grant.hasReported) throw installationNotPending()
    if (configuration.bootBinding === 'address' && !coversAddress(grant, clientAddress(request)))
      throw bootAddressMismatch()
    const found = await findInstallation(db, keys, bootedWith)
    if (!found) throw installationNotPending()
    const server = publicOriginOf(configuration, request)
    const { operatingSystem: os, languagePacks, preOsPackages, ...installation } = found
    return {
      ...installation,
      operatingSystem: os && {
        name: os.name,
        url: fileUrl({ server, token }, 'os', os.file),
        index: os.index,
        edition: os.edition,
      },
      languagePacks: languagePacks.map(({ file, ...pack }) => ({
        ...pack,
        url: fileUrl({ server, token }, 'languages', `${pack.packageId}/${file}`),
      })),
      preOsPackages: preOsPackages.map(({ files, ...item }) => ({
        ...item,
        files: files.map((path) => ({
          path,
          url: fileUrl({ server, token }, 'packages', `${item.packageId}/${path}`),
        })),
      })),
    }
  },
})
