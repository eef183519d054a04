import {
  closed,
  Id,
  Instant,
  Int32,
  ignored,
  nullable,
  type Static,
  type TSchema,
  Type,
  text,
  Uuid,
} from '../../../platform/schema.ts'

export const ComputerPath = closed({ id: Id })

/** Slot name to value, for the slots that are active. */
const CustomValues = Type.Unsafe<Record<string, string | null>>({
  type: 'object',
  additionalProperties: { type: ['string', 'null'] },
  description: 'Values of the active custom field slots',
  examples: [{ Custom01: 'Room 12' }],
})

export const Computer = closed(
  {
    id: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    isDomain: Type.Boolean({ examples: [true] }),
    macAddress: nullable(text(64, '00:1B:44:11:3A:B7')),
    uuid: Uuid,
    lastSeenUtc: nullable(Instant),
    serialNumber: nullable(text(255, 'PF3K9XYZ')),
    lastModified: nullable(Instant),
    inventoryDate: nullable(Instant),
    inventoryId: nullable(text(255, 'INV-0017')),
    ou: nullable(text(2048, 'OU=Clients,DC=corp,DC=example,DC=org', 'Effective organizational unit')),
    pxeSupport: Type.Boolean({ examples: [true] }),
    isPxeActive: Type.Boolean({ examples: [false] }),
    custom: CustomValues,
  },
  { title: 'Computer' },
)

const optional = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema))

const name = text(255, 'pc-0017', 'Computer name; blanks around it are dropped')
const domain = text(255, 'corp.example.org', 'Domain name; blanks around it are dropped')
const isDomain = Type.Boolean({ examples: [true], description: 'True if joined to the domain' })
const pxeSupport = Type.Boolean({ examples: [true] })

/** Fields of both requests. An empty text is the same as none; in a PATCH, it clears. */
const details = {
  inventoryId: optional(text(255, 'INV-0017')),
  macAddress: optional(
    text(64, '00:1B:44:11:3A:B7', 'Twelve hexadecimal digits, with or without the separators `:`, `-` and `.`'),
  ),
  uuid: optional({ ...Uuid, description: 'Hardware UUID; the empty GUID stands for none' }),
  ipAddress: optional(text(64, '192.0.2.17', 'Static IPv4 address; a computer without one is DHCP')),
  subnetMask: optional(text(64, '255.255.255.0', 'Needed with an ipAddress, refused without')),
  standardGateway: optional(text(64, '192.0.2.1', 'Refused without an ipAddress')),
  ou: optional(
    text(
      2048,
      'OU=Clients,DC=corp,DC=example,DC=org',
      "The computer's own value of DomainJoin.OuForComputerAccounts; a value forced by a group wins over it",
    ),
  ),
  serialNumber: optional(text(255, 'PF3K9XYZ', 'Serial number of the BIOS record, until the next inventory')),
  description: Type.Optional(ignored('ignored', 'Accepted for older clients, whatever it is, and dropped')),
}

export const ComputerWriteRequest = closed(
  { name, domain, isDomain, pxeSupport: Type.Optional(pxeSupport), ...details },
  { title: 'ComputerWriteRequest' },
)

const CustomChanges = Type.Unsafe<Record<string, string | null>>({
  type: 'object',
  patternProperties: { '^Custom(0[1-9]|[12][0-9]|30)$': { type: ['string', 'null'], maxLength: 50 } },
  additionalProperties: false,
  description: 'Custom field slot to value; null or an empty text clears the slot. Only active slots can be written.',
  examples: [{ Custom01: 'Room 12' }],
})

export const ComputerPatchRequest = closed(
  {
    name: optional(name),
    domain: optional(domain),
    isDomain: optional(isDomain),
    pxeSupport: optional(pxeSupport),
    ...details,
    custom: optional(CustomChanges),
  },
  { title: 'ComputerPatchRequest' },
)

export type ComputerPatch = Static<typeof ComputerPatchRequest>

const contained = (example: string, maxLength = 255) => optional(text(maxLength, example))

/** Criteria that the list takes in its query and the search in its body. */
export const timeCriteria = {
  lastSeenAfter: { ...Instant, description: 'Last agent contact at this time or later' },
  modifiedAfter: { ...Instant, description: 'Changed at this time or later' },
  inventoryAfter: { ...Instant, description: 'Last inventory at this time or later' },
  inventoryBefore: { ...Instant, description: 'Last inventory at this time or earlier' },
  neverSeen: Type.Boolean({ examples: [false], description: 'True: only computers that never contacted the server' }),
  neverInventoried: Type.Boolean({ examples: [false], description: 'True: only computers without an inventory' }),
}

export const ComputerSearchFilter = closed(
  {
    clientId: optional(Int32),
    hostname: contained('pc-00'),
    serialNumber: contained('PF3K'),
    macAddress: optional(text(255, '00:1B:44', 'Separators make no difference')),
    domain: contained('example.org'),
    manufacturer: contained('Contoso'),
    osName: contained('Windows 11'),
    osEdition: contained('Enterprise'),
    osVersion: contained('10.0'),
    osBuild: contained('22631'),
    platform: contained('x64'),
    language: contained('en-US'),
    architecture: contained('AMD64'),
    ipAddress: optional(text(255, '192.0.2.', 'In the static or in the reported address')),
    ou: optional(text(2048, 'OU=Clients', 'In the effective value')),
    uuid: optional(Uuid),
    minRamGb: optional({
      ...Int32,
      minimum: 0,
      examples: [16],
      description: 'Computers of unknown memory do not match',
    }),
    lastSeenAfter: optional(timeCriteria.lastSeenAfter),
    modifiedAfter: optional(timeCriteria.modifiedAfter),
    inventoryAfter: optional(timeCriteria.inventoryAfter),
    inventoryBefore: optional(timeCriteria.inventoryBefore),
    neverSeen: optional(timeCriteria.neverSeen),
    neverInventoried: optional(timeCriteria.neverInventoried),
    pxeSupport: optional(pxeSupport),
    isPxeActive: optional(Type.Boolean({ examples: [false] })),
  },
  {
    title: 'ComputerSearchFilter',
    description:
      'Criteria that must all hold; null and an empty text are none. Texts are found anywhere in the value, in upper or lower case.',
  },
)

export type ComputerCriteria = Partial<Static<typeof ComputerSearchFilter>>

export const DeviceGroup = closed(
  {
    groupId: Uuid,
    name: Type.String({ examples: ['Workstations'] }),
    assignedToTree: nullable(Type.String({ examples: ['ConfigurationGroups'] })),
    description: nullable(text(1000, 'Desks on the second floor')),
  },
  { title: 'DeviceGroup' },
)
