import {
  closed,
  extensionKeyword,
  Id,
  Instant,
  Int32,
  ignored,
  nameKeyword,
  nullable,
  type Static,
  type TSchema,
  Type,
  text,
  Uuid,
} from '../../../platform/schema.ts'

export const ComputerPath = closed({ id: Id })

const CustomValues = Type.Unsafe<Record<string, string | null>>({
  type: 'object',
  additionalProperties: { type: ['string', 'null'] },
  description: 'Values of the active custom field slots, by slot name; null for an active slot without a value',
  examples: [{ Custom01: 'Room 12' }],
})

/** Whether the service can call the agent at any time. */
export const connectedNowSchema = {
  ...Type.Boolean({ examples: [true] }),
  description: 'True while the agent has a wake connection: the service can ask it for a contact at any time',
  [extensionKeyword]: true,
}

export const Computer = closed(
  {
    id: Id,
    hostname: Type.String({ examples: ['pc-0017'] }),
    domain: nullable(text(255, 'corp.example.org')),
    isDomain: Type.Boolean({ examples: [true], description: 'True if the computer is joined to the domain' }),
    macAddress: nullable(text(64, '00:1B:44:11:3A:B7')),
    uuid: { ...Uuid, description: 'Hardware UUID; the empty GUID if unknown' },
    lastSeenUtc: nullable({
      ...Instant,
      description:
        'Last contact of the agent, or the last time it was seen connected; null if it never contacted the server',
    }),
    connectedNow: connectedNowSchema,
    serialNumber: nullable(text(255, 'PF3K9XYZ')),
    lastModified: nullable({
      ...Instant,
      description: 'Creation or last change of any property except `lastSeenUtc`, `connectedNow` and `inventoryDate`',
    }),
    inventoryDate: nullable({ ...Instant, description: 'Last inventory' }),
    inventoryId: nullable(text(255, 'INV-0017')),
    // Not shorter than any value of a variable.
    ou: nullable(
      Type.String({ examples: ['OU=Clients,DC=corp,DC=example,DC=org'], description: 'Effective organizational unit' }),
    ),
    pxeSupport: Type.Boolean({ examples: [true] }),
    isPxeActive: Type.Boolean({
      examples: [false],
      description: 'True while an activation of the computer includes PXE boot',
    }),
    custom: CustomValues,
  },
  { title: 'Computer' },
)

const optional = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema))

const name = { ...text(255, 'pc-0017', 'Computer name; leading and trailing blanks are removed'), [nameKeyword]: true }
const domain = {
  ...text(255, 'corp.example.org', 'Domain name; leading and trailing blanks are removed'),
  [nameKeyword]: true,
}
const isDomain = Type.Boolean({ examples: [true], description: 'True if the computer is joined to the domain' })
const pxeSupport = Type.Boolean({
  examples: [true],
  description:
    'Whether the computer can boot from the network; true unless something else is known. False: it is neither activated for PXE nor booted',
})

/** Properties of both requests. An empty text means no value when creating and clears the value when updating. */
const details = {
  inventoryId: optional(text(255, 'INV-0017')),
  macAddress: optional(
    text(
      64,
      '00:1B:44:11:3A:B7',
      'Twelve hexadecimal digits, with or without the separators `:`, `-` and `.`; answers have upper case and colons',
    ),
  ),
  uuid: optional({ ...Uuid, description: 'Hardware UUID; the empty GUID means none' }),
  ipAddress: optional(text(64, '192.0.2.17', 'Static IPv4 address; a computer without one uses DHCP')),
  subnetMask: optional(text(64, '255.255.255.0', 'Required with an ipAddress, not allowed without one')),
  standardGateway: optional(text(64, '192.0.2.1', 'Not allowed without an ipAddress')),
  ou: optional(
    text(
      2048,
      'OU=Clients,DC=corp,DC=example,DC=org',
      "The computer's own value of the variable DomainJoin.OuForComputerAccounts; a value that a group forces overrides it",
    ),
  ),
  serialNumber: optional(
    text(
      255,
      'PF3K9XYZ',
      'Serial number in the BIOS record; the next inventory of the BIOS overwrites it, even if it finds none',
    ),
  ),
  description: Type.Optional(ignored('ignored', 'Accepted for older clients and ignored, whatever its type')),
}

export const ComputerWriteRequest = closed(
  { name, domain, isDomain, pxeSupport: Type.Optional(pxeSupport), ...details },
  { title: 'ComputerWriteRequest' },
)

const CustomChanges = Type.Unsafe<Record<string, string | null>>({
  type: 'object',
  patternProperties: { '^Custom(0[1-9]|[12][0-9]|30)$': { type: ['string', 'null'], maxLength: 50 } },
  additionalProperties: false,
  description: 'Values by custom field slot; null or an empty text clears the slot. Only active slots can be written.',
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

const textCriterion = (example: string, maxLength = 255) => optional(text(maxLength, example))

/** Criteria that listComputers takes in its query and searchComputers in its body. */
export const timeCriteria = {
  lastSeenAfter: { ...Instant, description: 'Last contact of the agent at this time or later' },
  modifiedAfter: {
    ...Instant,
    description:
      'Last change at this time or later, for delta synchronisation: `lastModified` covers every property of a computer ' +
      'except `lastSeenUtc` and `inventoryDate`, which have filters of their own. A change is dated when it is made and ' +
      'visible when its request is complete, so ask for the minute before the last synchronisation again.',
  },
  inventoryAfter: { ...Instant, description: 'Last inventory at this time or later' },
  inventoryBefore: { ...Instant, description: 'Last inventory at this time or earlier' },
  neverSeen: Type.Boolean({
    examples: [false],
    description: 'If true, only computers whose agent never contacted the server',
  }),
  neverInventoried: Type.Boolean({ examples: [false], description: 'If true, only computers without an inventory' }),
}

export const ComputerSearchFilter = closed(
  {
    clientId: optional(Int32),
    hostname: textCriterion('pc-00'),
    serialNumber: textCriterion('PF3K'),
    macAddress: optional(text(255, '00:1B:44', 'Separators are ignored')),
    domain: textCriterion('example.org'),
    manufacturer: textCriterion('Contoso'),
    osName: textCriterion('Windows 11'),
    osEdition: textCriterion('Enterprise'),
    osVersion: textCriterion('10.0'),
    osBuild: textCriterion('22631'),
    platform: textCriterion('x64'),
    language: textCriterion('en-US'),
    architecture: optional(text(255, 'x64', 'Part of any spelling: AMD64 and x86_64 are found as x64, too')),
    ipAddress: optional(text(255, '192.0.2.', 'Matches the static address or the one that the agent reported')),
    ou: optional(text(2048, 'OU=Clients', 'Matches the effective organizational unit')),
    uuid: optional(Uuid),
    minRamGb: optional({
      ...Int32,
      minimum: 0,
      examples: [16],
      description: 'Computers whose memory size is unknown do not match',
    }),
    lastSeenAfter: optional(timeCriteria.lastSeenAfter),
    modifiedAfter: optional(timeCriteria.modifiedAfter),
    inventoryAfter: optional(timeCriteria.inventoryAfter),
    inventoryBefore: optional(timeCriteria.inventoryBefore),
    neverSeen: optional(timeCriteria.neverSeen),
    neverInventoried: optional(timeCriteria.neverInventoried),
    pxeSupport: optional(pxeSupport),
    isPxeActive: optional(Type.Boolean({ examples: [false] })),
    nameMatches: optional(
      Type.Boolean({
        examples: [false],
        description:
          'Beyond the contract: false for computers that report a name or domain other than those under which Muster ' +
          'manages them, true for computers that report the same. Computers that report none match neither.',
      }),
    ),
  },
  {
    title: 'ComputerSearchFilter',
    description:
      'A computer must meet all criteria. Null and an empty text are ignored. A text matches anywhere in the value, regardless of case.',
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
