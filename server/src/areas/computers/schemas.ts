import { closed, Id, Instant, nullable, Type, text, Uuid } from '../../platform/schema.ts'

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

export const DeviceGroup = closed(
  {
    groupId: Uuid,
    name: Type.String({ examples: ['Workstations'] }),
    assignedToTree: nullable(Type.String({ examples: ['ConfigurationGroups'] })),
    description: nullable(text(1000, 'Desks on the second floor')),
  },
  { title: 'DeviceGroup' },
)
